import type { StdioServer } from '../support/mcp.ts';

export interface Found {
  query: string;
  limit: number;
  total: number;
  results: { installName: string; fullName?: string; provider?: string; score: number; excerpt: string }[];
}

/** What the tool finds. */
export async function foundBy(server: StdioServer, query: string, limit?: number): Promise<Found> {
  const args = limit === undefined ? { query } : { query, limit };
  const { structuredContent } = await server.call('skills.search', args);
  return structuredContent as unknown as Found;
}

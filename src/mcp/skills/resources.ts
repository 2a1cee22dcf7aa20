import type { Snapshot } from '../../registry/snapshot.ts';
import { cursorAfter } from '../paging.ts';
import { carriedAfter } from './entries.ts';
import type { Exclusions } from './exclusions.ts';
import type { Resource } from './types.ts';

const pageSize = 100;

/** Each skill's SKILL.md, for clients that know resources and nothing of skills. */
export async function resourcesPage(
  snapshot: Snapshot,
  exclusions: Exclusions,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const resources: Resource[] = [];
  for await (const { address, cargo } of carriedAfter('resources', snapshot, exclusions, cursor)) {
    const last = resources.at(-1);
    if (last && resources.length >= pageSize) return { resources, nextCursor: cursorAfter('resources', last.uri) };
    const { name, description } = cargo.frontmatter as { name: string; description: string };
    resources.push({ uri: address.uri, name, description, mimeType: 'text/markdown', size: cargo.main.length });
  }
  return { resources };
}

/** The one template that every address fits. */
export const templates = [
  {
    uriTemplate: 'skill://{+path}',
    name: 'skill-file',
    title: 'A file of a skill',
    description:
      'A SKILL.md or any file beside it: skill://provider/name/path, or skill://provider/plugin/name/path for the skill of a plugin.',
  },
] as const;

import { expect } from 'vitest';
import { timeoutMs } from '../support/timeout.ts';
import { program, type World } from '../support/world.ts';

/** As much of a client as any SDK has. */
export interface JudgingClient {
  tools(): Promise<readonly { readonly name: string; readonly description?: string | undefined }[]>;
  call(name: string, args: object): Promise<{ readonly content: unknown; readonly isError?: boolean | undefined }>;
  read(uri: string): Promise<{ readonly contents: readonly object[] }>;
  prompts(): Promise<readonly { readonly name: string }[]>;
  /** How often it was told that the tools have changed. */
  changes(): number;
  close(): Promise<void>;
}

/** How a client starts the program itself. */
export function command(world: World, args: readonly string[]) {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(world.environment())) if (value !== undefined) env[name] = value;
  return { command: process.execPath, args: [program, ...args], cwd: world.project, env, stderr: 'ignore' as const };
}

/** What every client does sooner or later: list, load, ask for what is not there, read, and hear of a new skill. */
export async function judgeServer(client: JudgingClient, world: World, newSkill: string): Promise<void> {
  const tools = await client.tools();
  expect(tools.map(({ name }) => name)).toContain('skill');
  expect(described(tools)).toContain('csv-profiler');

  const loaded = await client.call('skill', { name: 'csv-profiler' });
  expect(loaded.isError ?? false).toBe(false);
  expect(JSON.stringify(loaded.content)).toContain('Loading: csv-profiler');

  const failed = await client.call('skill', { name: 'no-such-skill' });
  expect(failed.isError).toBe(true);
  expect(JSON.stringify(failed.content)).toContain("Skill 'no-such-skill' not found.");

  const { contents } = await client.read('skill://agents/csv-profiler/SKILL.md');
  expect(contents).toMatchObject([
    { mimeType: 'text/markdown', text: expect.stringMatching(/^---\nname: csv-profiler\n/) },
  ]);
  expect((await client.prompts()).map(({ name }) => name)).toContain('changelog-writer');

  const before = client.changes();
  world.skill(`project/.claude/skills/${newSkill}`);
  await expect.poll(() => client.changes(), { timeout: timeoutMs }).toBeGreaterThan(before);
  expect(described(await client.tools())).toContain(newSkill);
}

function described(tools: readonly { readonly name: string; readonly description?: string | undefined }[]): string {
  return tools.find(({ name }) => name === 'skill')?.description ?? '';
}

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';

const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');

interface Report {
  agent: { id: string; known: string; reads: string[]; plugins: string[] };
}

describe('docs/agents.md', () => {
  it('has a row for every agent, with what the program knows of it', async () => {
    const world = createWorld();
    const { stdout } = await world.run(['__complete', 'doctor', '--agent', '']);
    const ids = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '');
    expect(ids).toContain('claude-code');
    for (const id of ids) {
      const { agent } = (await world.run(['doctor', '--json', '--agent', id])).json<Report>();
      const cells = page
        .split('\n')
        .find((line) => line.startsWith(`| \`${id}\` `))
        ?.split('|')
        .map((cell) => cell.trim());
      const reads = agent.reads.map((folder) => `\`${folder}\``).join(', ') || 'nothing';
      expect([cells?.[2], cells?.[3], cells?.[5]], id).toEqual([reads, agent.plugins.join(', ') || '–', agent.known]);
    }
  });
});

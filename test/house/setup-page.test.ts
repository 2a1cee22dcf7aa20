import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { setupAgents } from '../../src/setup/agents/table.ts';

const page = readFileSync(new URL('../../docs/setup.md', import.meta.url), 'utf8');

/** The row of an agent in the table of files. */
function rowOf(id: string): string {
  return page.split('\n').find((line) => line.startsWith(`| \`${id}\``)) ?? '';
}

describe('docs/setup.md', () => {
  it.each(setupAgents.map((agent) => [agent.id, agent] as const))('tells where %s has its servers', (id, agent) => {
    const row = rowOf(id);
    for (const { path } of agent.global) expect(page).toContain(path === '' ? id : path.split('/').at(-1));
    for (const path of agent.project) expect(row).toContain(`\`${path}\``);
    expect(row).toContain(`\`${agent.at.join('.')}\``);
  });

  it('tells how each of them takes a token', () => {
    const remote = { url: 'http://127.0.0.1:3000/mcp', tokenVariable: 'REPERTOIRE_TOKEN' };
    for (const { id, shape } of setupAgents) {
      const { headers = {}, bearer_token_env_var: named } = (shape.http?.(remote, id).set ?? {}) as {
        readonly headers?: { readonly Authorization?: string };
        readonly bearer_token_env_var?: string;
      };
      const way =
        shape.http === null
          ? 'no addresses'
          : (headers.Authorization ?? (named === undefined ? 'not at all' : 'bearer_token_env_var'));
      const row = page.split('\n').find((line) => line.startsWith('|') && line.slice(0, 60).includes(way)) ?? '';
      expect(row, `${id}: ${way}`).toContain(`\`${id}\``);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';
import { agentFiles, type Report, serverIn, textOf, wordsOf } from './agents.ts';

describe('--http', () => {
  const token = 'a-very-secret-token';
  const url = 'http://127.0.0.1:3000/mcp';

  it.each(agentFiles.filter(({ id }) => id !== 'claude-desktop'))('$id gets the address', async ({ id, global }) => {
    const world = createWorld();
    const env = { REPERTOIRE_TOKEN: token };
    const run = await world.run(['setup', id, '--http', url, '--json'], { env });
    expect(run.code, run.stdout).toBe(0);
    const text = textOf(world, global) ?? '';
    expect(text).toContain(url);
    expect(text + run.stdout + run.stderr).not.toContain(token);
    const { notes } = run.json<Report>().agents[0] ?? { notes: [] };
    // Either the file names the variable, or a person is told what to add.
    expect(text.includes('REPERTOIRE_TOKEN')).toBe(notes.join(' ').includes('with REPERTOIRE_TOKEN set'));
    expect(text.includes('REPERTOIRE_TOKEN')).toBe(!notes.join(' ').includes('Authorization: Bearer'));
    const again = await world.run(['setup', id, '--http', url, '--json'], { env });
    expect(again.json<Report>().agents[0]?.state).toBe('current');
  });

  it('goes from a process to an address and back, and leaves nothing of the other', async () => {
    const world = createWorld();
    const agents = agentFiles.filter(({ id }) => id !== 'claude-desktop');
    const ids = agents.map(({ id }) => id);
    await world.run(['setup', ...ids]);
    const before = agents.map((agent) => serverIn(world, agent));
    expect((await world.run(['setup', ...ids, '--http', url])).code).toBe(0);
    for (const agent of agents) expect(wordsOf(serverIn(world, agent) ?? {}), agent.id).toEqual([]);
    await world.run(['setup', ...ids]);
    expect(agents.map((agent) => serverIn(world, agent))).toEqual(before);
  });

  it('adds the path that people leave out, and refuses what is no address', async () => {
    const world = createWorld();
    await world.run(['setup', 'cursor', '--http', 'http://127.0.0.1:3000']);
    expect(textOf(world, 'home/.cursor/mcp.json')).toContain(`"url": "${url}"`);
    for (const wrong of ['127.0.0.1:3000', 'ftp://x/', 'http://me:secret@x/mcp']) {
      const run = await world.run(['setup', 'cursor', '--http', wrong]);
      expect(run.code, wrong).toBe(2);
    }
  });

  it('says that Claude Desktop knows no addresses', async () => {
    const world = createWorld();
    const run = await world.run(['setup', 'claude-desktop', '--http', url]);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('not addresses');
  });
});

import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer, startStdio, toolNames } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { createRandom, frame, type Random } from './frames.ts';

const frames = 100_000;
const perRound = 2_000;

function world() {
  const made = createWorld();
  made.skill('home/.claude/skills/pdf', { body: '\n# The one true text\n' });
  return made;
}

/** Frames joined into chunks that end anywhere, as pipes deliver them. */
function chunksOf(random: Random, from: number, count: number): Buffer[] {
  const lines = Array.from({ length: count }, (_, at) => Buffer.concat([frame(random, from + at), Buffer.from('\n')]));
  const all = Buffer.concat(lines);
  const chunks: Buffer[] = [];
  for (let at = 0; at < all.length; ) {
    const end = at + 1 + random.below(200_000);
    chunks.push(all.subarray(at, end));
    at = end;
  }
  return chunks;
}

async function stillAnswers(server: StdioServer): Promise<void> {
  expect((await server.call('skill', { name: 'PDF' })).content[0]?.text).toContain('# The one true text');
  expect((await server.tools()).map((tool) => tool.name)).toEqual(toolNames);
}

describe('a server over stdio', () => {
  it(`answers rightly after ${frames} frames of garbage, in every chunking`, async () => {
    const random = createRandom(20_261_115);
    const server = await connectStdio(world(), ['serve', '--log-level', 'warn']);
    for (let sent = 0; sent < frames; sent += perRound) {
      for (const chunk of chunksOf(random, sent, perRound)) server.write(chunk);
      await stillAnswers(server);
      server.messages.length = 0;
    }
    expect(await server.end()).toBe(0);
    // Every request had its answer: nothing was left to wait for at the end.
    expect(server.stderr).not.toContain('given up');
  });

  it('answers correctly when garbage is the very first thing it gets', async () => {
    const random = createRandom(7);
    const server = startStdio(world(), ['serve', '--log-level', 'warn']);
    for (const chunk of chunksOf(random, 0, 500)) server.write(chunk);
    await stillAnswers(server);
    expect(await server.end()).toBe(0);
  });

  it('drops a message that is too long, and goes on', async () => {
    const server = await connectStdio(world(), ['serve', '--log-level', 'warn']);
    const refusal = server.next(({ error }) => error?.code === -32600);
    server.write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'y'.repeat(11 * 1024 * 1024)}"}}\n`);
    expect((await refusal).error?.message).toMatch(/longer than 10485760 bytes/);
    await stillAnswers(server);
  });

  it('answers a long string briefly, and refuses deep nesting', async () => {
    const server = await connectStdio(world(), ['serve', '--log-level', 'warn']);
    const long = await server.ask('tools/call', { name: 'skill', arguments: { name: 'x'.repeat(1_000_000) } });
    expect(JSON.stringify(long).length).toBeLessThan(20_000);
    const deep = server.next(({ id }) => id === 'deep');
    server.write(
      `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"skill","arguments":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}}\n`,
    );
    expect((await deep).error?.code).toBeLessThan(0);
    await stillAnswers(server);
  });
});

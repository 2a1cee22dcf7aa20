import { describe, expect, it } from 'vitest';
import { clientOverHttp } from '../extension/clients.ts';
import { connectStdio, startHttp, type ToolResult } from '../support/mcp.ts';
import { processorSecondsOf } from '../support/processor-time.ts';
import { createWorld, type World } from '../support/world.ts';

function worldOf(count: number): World {
  const world = createWorld();
  for (let index = 0; index < count; index++)
    world.skill(`home/.claude/skills/s${index}`, { body: `marker-${index}.\n` });
  return world;
}

describe('calls of skill', () => {
  it('made at once each get the right text [S1-CONC-04]', async () => {
    const world = worldOf(100);
    const server = await connectStdio(world);
    const indices = Array.from({ length: 500 }, (_, index) => (index * 37) % 100);
    const texts = await Promise.all(indices.map((index) => server.load(`s${index}`)));
    for (const [at, index] of indices.entries()) {
      expect(texts[at]).toMatch(new RegExp(`^Loading: s${index}\\n[\\s\\S]*\\nmarker-${index}\\.\\n$`));
    }
    const http = await startHttp(world);
    const clients = await Promise.all([clientOverHttp(world, 'legacy', http), clientOverHttp(world, 'modern', http)]);
    await Promise.all(
      clients.flatMap((client) =>
        indices.slice(0, 100).map(async (index) => {
          const { content } = (await client.callTool({
            name: 'skill',
            arguments: { name: `s${index}` },
          })) as ToolResult;
          expect(content[0]?.text).toContain(`\nmarker-${index}.\n`);
        }),
      ),
    );
  });

  it('made during a refresh are answered at once, without waiting for it [S1-CONC-08]', async () => {
    const world = worldOf(2200);
    const server = await connectStdio(world, ['serve', '--refresh-interval', '86400000']);
    await server.load('s0');
    for (let round = 0; round < 3; round++) {
      world.skill(`home/.claude/skills/new-${round}`);
      // This call has to wait until the disk has been looked at …
      const order: string[] = [];
      const waiting = server.call('skill-engine/list_skills', { limit: 1 }).then(({ structuredContent }) => {
        order.push('list');
        return structuredContent?.['total'];
      });
      // … and these, sent after it, do not.
      const calls = Array.from({ length: 20 }, async (_, index) => {
        expect(await server.load(`s${index}`)).toContain(`marker-${index}.`);
        order.push('skill');
      });
      await Promise.all(calls);
      expect(await waiting).toBe(2201 + round);
      expect(order).toEqual([...Array.from({ length: 20 }, () => 'skill'), 'list']);
    }
  });

  it('take less than a tenth of a second [S3-PERF-02]', async () => {
    const server = await connectStdio(worldOf(1000));
    await server.load('s0');
    // What the server itself spends: what else a busy machine does meanwhile is not its own.
    const before = processorSecondsOf(server.child.pid);
    for (let index = 0; index < 100; index++) await server.load(`s${index * 9}`);
    expect((processorSecondsOf(server.child.pid) - before) / 100).toBeLessThan(0.1);
  });
});

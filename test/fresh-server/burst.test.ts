import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { catalogue, nextTold, pastDebounceMs, quiet, toldOf } from './changes.ts';

interface Burst {
  /** The longest pause between two changes. On a busy machine a burst may fall apart. */
  readonly widest: number;
  readonly endedAt: number;
}

async function burst(count: number, pauseMs: number, change: (index: number) => void): Promise<Burst> {
  let [widest, last] = [0, Date.now()];
  for (let index = 0; index < count; index++) {
    if (index > 0) await sleep(pauseMs);
    change(index);
    widest = Math.max(widest, Date.now() - last);
    last = Date.now();
  }
  return { widest, endedAt: last };
}

async function watching(): Promise<{ world: ReturnType<typeof createWorld>; server: StdioServer }> {
  const world = createWorld();
  world.skill('home/.claude/skills/first');
  const server = await connectStdio(world, ['mcp', '--refresh-interval', '86400000']);
  await quiet(server);
  return { world, server };
}

describe('many changes in a row', () => {
  it('are told of once, half a second after the last of them [C2-FRESH-02 S2-WATCH-04]', async () => {
    const { world, server } = await watching();
    for (let attempt = 0; ; attempt++) {
      const before = toldOf(server).length;
      const coming = nextTold(server).then(() => Date.now());
      const { widest, endedAt } = await burst(12, 100, (index) => {
        world.skill(`home/.claude/skills/s${attempt}-${index}`);
      });
      const toldAt = await coming;
      await sleep(pastDebounceMs);
      if (widest >= 400 && attempt < 5) continue; // the machine was too busy for this to be one burst
      expect(toldOf(server).length - before).toBe(1);
      expect(toldAt - endedAt).toBeGreaterThanOrEqual(450);
      expect(toldAt - endedAt).toBeLessThan(5000);
      expect(toldOf(server).at(-1)?.params?.['reason']).toBe('12 added');
      return;
    }
  });

  it('never hide the last of them, however long they go on [C2-FRESH-03]', async () => {
    const { world, server } = await watching();
    await burst(60, 60, (index) => {
      world.skill('home/.claude/skills/first', { description: `State ${index}.` });
    });
    await expect.poll(() => catalogue(server), { interval: 100 }).toContain('State 59.');
    expect(toldOf(server).length).toBeGreaterThan(0);
    // What was told last is told after the last change: who asks then gets it.
    const asked = toldOf(server).length;
    await sleep(pastDebounceMs);
    expect(toldOf(server).length).toBe(asked);
  });
});

import { closeSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

const count = 100;
const textOf = (index: number, version: number): string =>
  `---\nname: s${index}\ndescription: Version ${version} of s${index}.\n---\n\nmarker-${version}.\n`;

/** How programs write a file anew. */
const ways: Readonly<Record<string, (file: string, text: string) => Promise<void>>> = {
  async 'emptied, and written a moment later'(file, text) {
    const descriptor = openSync(file, 'w');
    await sleep(3);
    writeSync(descriptor, text);
    closeSync(descriptor);
  },
  async 'written beside it, and renamed'(file, text) {
    writeFileSync(`${file}.tmp`, text);
    await sleep(1);
    renameSync(`${file}.tmp`, file);
  },
};

async function rewriteAll(world: World, write: (file: string, text: string) => Promise<void>): Promise<void> {
  for (let version = 1; version <= 3; version++) {
    for (let index = 0; index < count; index++) {
      await write(world.path(`home/.claude/skills/s${index}/SKILL.md`), textOf(index, version));
    }
  }
}

/** Calls for skills that are all there, until told to stop. Returns how many calls there were. */
async function callUntil(server: StdioServer, isDone: () => boolean): Promise<number> {
  let calls = 0;
  while (!isDone()) {
    const index = (calls++ * 7) % count;
    const { content, isError } = await server.call('skill', { name: `s${index}` });
    const text = content[0]?.text ?? '';
    expect(isError, text).toBeUndefined();
    expect(text).toMatch(/\nmarker-\d\.\n$/);
  }
  return calls;
}

describe('while a hundred skills are being rewritten', () => {
  for (const [way, write] of Object.entries(ways)) {
    it(`no call gets a wrong "not found", nor half a text: each file ${way}`, async () => {
      const world = createWorld();
      for (let index = 0; index < count; index++)
        world.write(`home/.claude/skills/s${index}/SKILL.md`, textOf(index, 0));
      const server = await connectStdio(world, ['serve', '--refresh-interval', '100']);
      await server.load('s0');
      let isDone = false;
      const rewriting = rewriteAll(world, write).finally(() => {
        isDone = true;
      });
      const callers = Array.from({ length: 4 }, () => callUntil(server, () => isDone));
      for (const calls of await Promise.all(callers)) expect(calls).toBeGreaterThan(0);
      await rewriting;
      const { structuredContent } = await server.call('skill-engine/list_skills', { limit: 500 });
      expect(structuredContent?.['total']).toBe(count);
      expect(JSON.stringify(structuredContent)).not.toMatch(/Version [012]/);
    });
  }
});

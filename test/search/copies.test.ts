import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { hitsFor } from './library.ts';

describe('equal skills in several places', () => {
  const text = { description: 'Fold paper cranes.', body: '\nWash your hands.\n' };

  it('are one hit that names the others, each by a name that loads it', async () => {
    const world = createWorld();
    for (const agent of ['claude', 'codex', 'cursor']) world.skill(`home/.${agent}/skills/crane`, text);
    world.skill('home/.codex/skills/other', { description: 'Sharpen pencils.' });
    const server = await connectStdio(world, ['serve']);
    const hits = await hitsFor(server, 'fold a paper crane');
    expect(hits.map(({ name }) => name)).toEqual(['claude:crane', 'other']);
    expect(hits[0]?.copies).toEqual(
      ['codex', 'cursor'].map((agent) => ({
        name: `${agent}:crane`,
        path: world.path(`home/.${agent}/skills/crane/SKILL.md`),
      })),
    );
    expect(hits[1]?.copies).toBeUndefined();
    for (const { name, path } of hits[0]?.copies ?? []) expect(await server.load(name)).toContain(`Path: ${path}\n`);
  });

  it('are one hit though their texts differ, and leave room for the rest', async () => {
    const world = createWorld();
    for (const agent of ['claude', 'codex', 'cursor', 'gemini']) {
      world.skill(`home/.${agent}/skills/crane`, { ...text, body: `\nThe one of ${agent}.\n` });
    }
    world.skill('project/skills/origami', { description: 'Fold paper boats and planes.' });
    const server = await connectStdio(world, ['serve']);
    const hits = await hitsFor(server, 'fold paper', { top_k: 2 });
    expect(hits.map(({ copies }) => copies?.length ?? 0).toSorted((a, b) => a - b)).toEqual([0, 3]);
  });

  it('are several hits where they say other things of themselves, each loaded by its call', async () => {
    const world = createWorld();
    for (const agent of ['claude', 'codex']) {
      world.skill(`home/.${agent}/skills/crane`, { ...text, description: `Fold paper cranes as ${agent} does.` });
    }
    const server = await connectStdio(world, ['serve']);
    const hits = await hitsFor(server, 'fold paper cranes');
    expect(hits.map(({ name }) => name).toSorted()).toEqual(['claude:crane', 'codex:crane']);
    for (const { call, path } of hits) {
      const { content } = await server.request<Awaited<ReturnType<typeof server.call>>>('tools/call', call);
      expect(content[0]?.text).toContain(`Path: ${path}\n`);
    }
  });
});

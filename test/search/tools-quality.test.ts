import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { hitsFor, indexedWhole } from './library.ts';

interface Figures {
  readonly questions: number;
  readonly first: number;
  readonly shown: number;
  readonly both: number;
  readonly others: number;
}

/** The benches are plain JavaScript without declarations, so what is used of them is typed here. */
interface Bench {
  readonly writeCatalogue: (folder: string) => readonly string[];
  readonly writeToolSkills: (folder: string) => readonly string[];
  readonly readToolQuestions: () => readonly { query: string; tool?: string; kind: string }[];
  readonly measureTools: (
    search: (query: string) => Promise<readonly { name: string; tools?: readonly string[] }[]>,
  ) => Promise<Record<string, Figures>>;
  readonly togetherOf: (kinds: Record<string, Figures>) => Figures;
}

async function bench(): Promise<Bench> {
  const files = ['catalogue.mjs', 'tools/write.mjs', 'tools/measure.mjs'];
  const parts = await Promise.all(
    files.map((file) => import(new URL(`../../bench/search/${file}`, import.meta.url).href)),
  );
  return Object.assign({}, ...parts) as Bench;
}

const examples = fileURLToPath(new URL('../../skills', import.meta.url));

/** A few questions below what it was when this was written: one that moves is no reason to stop, a change for the worse is. */
const least = { first: 67, shown: 67, both: 63, examples: 20, none: 5 } as const;

describe('questions that name what a tool does', () => {
  it('find the skill first and show that tool first, with few tools that nobody asked for', async () => {
    const { writeCatalogue, writeToolSkills, measureTools, togetherOf } = await bench();
    const world = createWorld();
    writeCatalogue(world.path('catalogue'));
    writeToolSkills(world.path('with-tools'));
    const folders = [world.path('catalogue'), world.path('with-tools'), examples];
    const server = await connectStdio(world, ['serve', ...folders.flatMap((folder) => ['--skill-dir', folder])]);
    await indexedWhole(server);
    const kinds = await measureTools((query) => hitsFor(server, query));
    const { first, shown, both, others, questions } = togetherOf(kinds);
    const told = JSON.stringify(kinds);
    expect(first, told).toBeGreaterThanOrEqual(least.first);
    expect(shown, told).toBeGreaterThanOrEqual(least.shown);
    expect(both, told).toBeGreaterThanOrEqual(least.both);
    expect(kinds['examples']?.both, told).toBeGreaterThanOrEqual(least.examples);
    expect(kinds['none']?.shown, told).toBeGreaterThanOrEqual(least.none);
    expect(others / questions, told).toBeLessThan(0.5);
  });

  it('ask for every tool of the examples and of the skills written for it, and each question once', async () => {
    const { writeToolSkills, readToolQuestions } = await bench();
    const world = createWorld();
    const written = writeToolSkills(world.path('with-tools'));
    const seen = ['--skill-dir', world.path('with-tools'), '--skill-dir', examples];
    const { skills } = (await world.run(['tools', '--json', ...seen])).json<{
      skills: { skill: string; tools: { name: string }[]; problems: unknown[] }[];
    }>();
    expect(skills.map(({ skill }) => skill).sort()).toEqual([...written, ...readdirSync(examples)].sort());
    expect(skills.flatMap(({ problems }) => problems)).toEqual([]);
    const tools = skills.flatMap(({ skill, tools: own }) => own.map(({ name }) => `${skill}:${name}`));
    const questions = readToolQuestions();
    const asked = questions.flatMap(({ tool }) => tool ?? []);
    expect(asked.filter((tool) => !tools.includes(tool))).toEqual([]);
    expect(tools.filter((tool) => !asked.includes(tool))).toEqual([]);
    expect(new Set(questions.map(({ query }) => query.toLowerCase())).size).toBe(questions.length);
    expect(questions.filter(({ kind }) => kind !== 'examples' && kind !== 'none').length).toBeGreaterThanOrEqual(40);
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer, startStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { blockIn, readCatalogue } from './catalogue.ts';

interface Crowd {
  readonly title: string;
  /** Ten thousand once; where the point is what names weigh, as many as overflow every budget. */
  readonly number: number;
  readonly name: (index: string) => string;
  readonly description: string;
}

const crowds: readonly Crowd[] = [
  {
    title: 'ten thousand skills',
    number: 10_000,
    name: (index) => `skill-${index}`,
    description: 'Use this for tables, letters or pictures. '.repeat(5),
  },
  {
    title: 'a thousand skills in Chinese',
    number: 1000,
    name: (index) => `技能表格文件处理表格文件处理-${index}`,
    description: '用户的全局技能,必读!表格、信件和图片。'.repeat(8),
  },
  {
    title: 'a thousand skills full of signs',
    number: 1000,
    name: (index) => `<&>'"\\u00e9-${index}`,
    description: '<a href="x">&amp;\\ '.repeat(8),
  },
];

function crowded({ number, name, description }: Crowd): World {
  const world = createWorld();
  const root = world.folder('home/.claude/skills');
  for (let at = 0; at < number; at++) {
    const index = String(at).padStart(5, '0');
    const head = `name: ${JSON.stringify(name(index))}\ndescription: ${JSON.stringify(description)}`;
    mkdirSync(`${root}/${index}`);
    writeFileSync(`${root}/${index}/SKILL.md`, `---\n${head}\n---\n# ${index}\n`);
  }
  return world;
}

/** The bytes of the answer to `tools/list`, as they came. */
async function listBytes(server: StdioServer): Promise<number> {
  const before = server.stdout.length;
  await server.tools();
  return Buffer.byteLength(server.stdout.slice(before));
}

// Ten thousand files are written, read by four servers and removed: a busy machine takes its time for that.
describe('very many skills', () => {
  for (const crowd of crowds) {
    it(`${crowd.title} leave the list of tools below 20,000 bytes on every command, and none unsaid [C2-CATALOG-07 C2-CATALOG-10 C2-CATALOG-12 C2-CATALOG-16]`, async () => {
      const world = crowded(crowd);
      for (const command of ['mcp', 'mcp-server', 'serve']) {
        const server = await connectStdio(world, [command]);
        await server.logged(new RegExp(`ready: ${crowd.number} skills`));
        expect(await listBytes(server), command).toBeLessThan(20_000);
        const skill = (await server.tools()).find((tool) => tool.name === 'skill');
        if (skill !== undefined) expectAll(skill.description, crowd.number);
        await server.end();
      }
      await expectCompact(world, crowd.number);
    });
  }
});

function expectAll(description: string, number: number): void {
  expect(blockIn(description).length).toBeLessThanOrEqual(16_000);
  const { names, missing, entries } = readCatalogue(description);
  expect(names.length).toBeGreaterThan(100);
  expect(names.length + missing).toBe(number);
  expect(entries.every((entry) => entry.description === undefined)).toBe(true);
  expect(names.slice(0, 2).map((name) => name.slice(-5))).toEqual(['00000', '00001']);
}

/** The second start knows the skills before it has read them, and tells of them at once. */
async function expectCompact(world: World, number: number): Promise<void> {
  const server = startStdio(world, ['mcp']);
  const instructions = String((await server.initialize())['instructions']);
  expect(instructions.length).toBeLessThanOrEqual(2000);
  const catalogue = instructions.slice(instructions.indexOf('\n\nSkills ') + 2);
  const shown = catalogue.split('\n').filter((line) => line.startsWith('- ')).length;
  expect(shown).toBeGreaterThan(20);
  expect(catalogue).toContain(`${shown} of ${number} names`);
  expect(catalogue).toContain(`… and ${number - shown} more, not shown here`);
}

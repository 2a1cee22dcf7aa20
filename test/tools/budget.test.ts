import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { blockIn, type Catalogue, catalogueOf, readCatalogue, skillTool } from './catalogue.ts';

const words = 'Use this when somebody asks for tables, letters or pictures, or for none of them. ';

function worldOf(number: number, description: (index: number) => string): World {
  const world = createWorld();
  for (let index = 0; index < number; index++) {
    const name = `skill-${String(index).padStart(4, '0')}`;
    world.skill(`home/.claude/skills/${name}`, { description: description(index) });
  }
  return world;
}

interface Described extends Catalogue {
  readonly description: string;
  /** How many characters the list of skills has. */
  readonly length: number;
}

async function described(world: World, args: readonly string[] = []): Promise<Described> {
  const { description } = await skillTool(await connectStdio(world, ['mcp', ...args]));
  return { description, length: blockIn(description).length, ...readCatalogue(description) };
}

describe('the budget of the catalogue', () => {
  it('is 16,000 characters: beyond, all descriptions are cut alike and the text says so [C2-CATALOG-07 C2-CATALOG-09 C2-CATALOG-11]', async () => {
    const long = words.repeat(4).trim();
    const world = worldOf(60, (index) => (index % 3 === 0 ? 'Short and whole.' : `${index} ${long}`));
    const { description, length, entries, missing } = await described(world);
    expect(length).toBeLessThanOrEqual(16_000);
    expect(length).toBeGreaterThan(15_000);
    expect(missing).toBe(0);
    expect(entries).toHaveLength(60);
    const texts = entries.map((entry) => entry.description ?? '');
    expect(texts.filter((_, index) => index % 3 === 0)).toEqual(Array.from({ length: 20 }, () => 'Short and whole.'));
    const cut = texts.filter((_, index) => index % 3 !== 0);
    for (const text of cut) expect(`${text.slice(0, -1)}${text.slice(-1)}`).toMatch(/^\d+ Use this when .*…$/);
    const lengths = cut.map((text) => text.length);
    // A cut may give up some letters to end with a whole word.
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(10);
    const notice = description.slice(0, description.indexOf('<available_skills>\n'));
    expect(notice).toMatch(/This list is shortened to fit: long descriptions are cut \(…\)\./);
    expect(notice).toMatch(/Call this tool with a word of what you need as the name/);
  });

  it('may be set to any number, and to none at all [C2-CATALOG-07 C2-CATALOG-08]', async () => {
    const long = words.repeat(6).trim();
    const world = worldOf(100, (index) => `${index} ${long}`);
    const free = await described(world, ['--catalog-budget', '0']);
    expect(free.entries.map((entry) => entry.description)).toEqual(
      Array.from({ length: 100 }, (_, index) => `${index} ${long}`),
    );
    expect(free.description).not.toContain('shortened');
    for (const budget of [500, 3000, 6000, 30_000]) {
      const { description, length, names, missing } = await described(world, ['--catalog-budget', String(budget)]);
      expect(length, String(budget)).toBeLessThanOrEqual(budget);
      expect(length, String(budget)).toBeGreaterThan(Math.min(0.9 * budget, 2000));
      expect(names.length + missing, String(budget)).toBe(100);
      expect(description, String(budget)).toContain('This list is shortened to fit');
    }
  });

  it('is kept where it is set to what it is by default', async () => {
    const world = worldOf(60, (index) => `${index} ${words.repeat(4).trim()}`);
    const { description } = await skillTool(await connectStdio(world, ['serve', '--catalog-budget', '16000']));
    expect(blockIn(description).length).toBeGreaterThan(15_000);
    const { description: unset } = await skillTool(await connectStdio(world, ['serve']));
    expect(blockIn(unset).length).toBeLessThan(15_000);
  });

  it('counts characters where it is set, whatever their script, and as they are written', async () => {
    const whole = `${'表格和文档'.repeat(30)} & <more>`;
    const world = worldOf(60, () => whole);
    const { description, length, entries } = await described(world, ['--catalog-budget', '16000']);
    expect(description).not.toContain('shortened');
    expect(entries.map((entry) => entry.description)).toEqual(Array.from({ length: 60 }, () => whole));
    expect(length).toBeGreaterThan(14_000);
    for (const budget of [12_000, 9000]) {
      const cut = await described(world, ['--catalog-budget', String(budget)]);
      expect(cut.length, String(budget)).toBeLessThanOrEqual(budget);
      expect(cut.length, String(budget)).toBeGreaterThan(0.9 * budget);
      expect(cut.description).toContain('long descriptions are cut');
    }
  });

  it('that no description fits leaves all names, and says so [C2-CATALOG-10 C2-CATALOG-11 C2-CATALOG-12]', async () => {
    const world = worldOf(300, () => words.trim());
    const { description, names, missing, entries } = await described(world);
    expect(names).toEqual(Array.from({ length: 300 }, (_, index) => `skill-${String(index).padStart(4, '0')}`));
    expect(missing).toBe(0);
    expect(entries.filter((entry) => entry.description !== undefined)).toEqual([]);
    expect(description).toMatch(/This list is shortened to fit: names only\. .*Call this tool with a word/);
  });

  it('that not even the names fit counts those that are missing [C2-CATALOG-12 C2-CATALOG-11]', async () => {
    const world = worldOf(300, () => words.trim());
    for (const [budget, least] of [
      ['1', 1],
      ['500', 15],
      ['4000', 140],
    ] as const) {
      const { description, names, missing } = await described(world, ['--catalog-budget', budget]);
      expect(names.length + missing, budget).toBe(300);
      expect(names.length, budget).toBeGreaterThanOrEqual(least);
      expect(missing, budget).toBeGreaterThan(0);
      expect(description).toContain('listed in <available_skills> below, or found as it says there\n');
      expect(description).toContain(`${names.length} of 300 names, no descriptions; the others may be used as well.`);
      expect(description).toContain(`<more>and ${missing} more, not shown here</more>`);
    }
    const server = await connectStdio(world, ['mcp', '--catalog-budget', '2500']);
    expect(await server.load('skill-0299')).toMatch(/^Loading: skill-0299\n/);
  });

  it('sends a model without a tool that searches to the one that loads, which finds skills [C2-CATALOG-11]', async () => {
    const world = worldOf(300, (index) => (index === 287 ? 'Turns pages into spreadsheets.' : words.trim()));
    const server = await connectStdio(world, ['mcp', '--catalog-budget', '500']);
    expect((await skillTool(server)).description).toMatch(/Call this tool with a word of what you need as the name/);
    const { content, isError } = await server.call('skill', { name: 'spreadsheets' });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/Available skills:\n- skill-0287: Turns pages into spreadsheets\.\n/);
  });

  it('points to the tool that searches, where one is listed, by its listed name [C2-CATALOG-11]', async () => {
    const world = worldOf(300, () => words.trim());
    for (const [args, name] of [
      [['--tools', 'skill,skills.search'], 'skills.search'],
      [['--tools', 'skill,skills.search', '--tool-names', 'portable'], 'skills_search'],
    ] as const) {
      const { description } = await described(world, args);
      expect(description).toContain(`Find skills, with their full descriptions, with the \`${name}\` tool.`);
    }
  });

  it('is not spent on a name of thousands of letters, which is counted and can be loaded', async () => {
    const world = worldOf(20, () => words.trim());
    const name = 'n'.repeat(20_000);
    world.skill('project/.agents/skills/long', { name });
    const server = await connectStdio(world);
    const { names, missing } = await catalogueOf(server);
    expect(names).toHaveLength(20);
    expect(missing).toBe(1);
    expect(await server.load(name)).toMatch(/^Loading: n{20000}\n/);
  });

  it('is a number, and everything else is refused at the start', async () => {
    for (const value of ['-1', 'many', '1.5', '']) {
      const { code, stdout, stderr } = await createWorld().run(['mcp', '--catalog-budget', value]);
      expect([code, stdout], value).toEqual([2, '']);
      expect(stderr, value).toMatch(/catalog-budget/);
    }
  });
});

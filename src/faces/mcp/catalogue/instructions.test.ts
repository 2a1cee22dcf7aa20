import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InstructionsOptions, writeInstructions } from './instructions.ts';
import type { CatalogueEntry } from './weight.ts';

const none = { skill: null, list: null, search: null, engineList: null, engineSearch: null, execute: null };
const all = {
  skill: 'skill',
  list: 'skills.list',
  search: 'skills.search',
  engineList: 'skill-engine/list_skills',
  engineSearch: 'skill-engine/search_skills',
  execute: 'skill-engine/execute',
};

const skills = (number: number, words: number): CatalogueEntry[] =>
  Array.from({ length: number }, (_, index) => ({
    name: `skill-${index}`,
    description: `Does ${index} things. ${'Word after word. '.repeat(words)}`.trim(),
    location: 'global',
  }));

const written = (entries: readonly CatalogueEntry[] | null, options: Omit<InstructionsOptions, 'server'>): string =>
  writeInstructions(entries, { server: 'repertoire', ...options });

const catalogueIn = (text: string): string => text.slice(text.indexOf('\n\n') + 2);
const linesIn = (text: string): string[] =>
  catalogueIn(text)
    .split('\n')
    .filter((line) => line.startsWith('- '));

describe('the instructions of the server', () => {
  it('say which tool is for what, and name none that is not there', () => {
    const server = written([], { tools: { ...none, list: 'skills_list', search: 'skills_search' } });
    expect(server).toMatch(/check first whether a skill fits/);
    expect(server).toMatch(/`skills_list` for all metadata/);
    expect(server).toMatch(/`skills_search` for targeted lookups/);
    expect(server).not.toMatch(/`skill`|engine/);
    expect(written([], { tools: { ...none, skill: 'skill' } })).not.toMatch(/skills[._]|engine/);
  });

  it('say what matters within 500 characters', () => {
    const start = written(skills(3, 1), { tools: all }).slice(0, 500);
    for (const name of Object.values(all)) expect(start).toContain(`\`${name}\``);
  });

  it('hold every skill, shortened alike, then names, then a number', () => {
    expect(linesIn(written(skills(3, 0), { tools: all }))).toEqual([
      '- skill-0: Does 0 things.',
      '- skill-1: Does 1 things.',
      '- skill-2: Does 2 things.',
    ]);
    const short = written(skills(20, 30), { tools: all });
    expect(linesIn(short)).toHaveLength(20);
    expect(linesIn(short).every((line) => /^- skill-\d+: Does \d+ things\. .*…$/.test(line))).toBe(true);
    const names = written(skills(100, 30), { tools: all });
    expect(linesIn(names)).toEqual(skills(100, 0).map(({ name }) => `- ${name}`));
    const some = written(skills(5000, 30), { tools: all });
    expect(some).toMatch(new RegExp(`${linesIn(some).length} of 5000 names`));
    expect(some).toMatch(new RegExp(`\n… and ${5000 - linesIn(some).length} more, not shown here$`));
    for (const text of [short, names, some])
      expect(text).toMatch(/is shortened to fit: .*`skill-engine\/search_skills` tool\.\n- /);
  });

  it('say so where there are no skills', () => {
    expect(written([], { tools: all })).toMatch(/\n\nSkills: this server offers none at present\.$/);
  });

  it('say how to ask where the skills are not known yet, with a tool that is there', () => {
    for (const [tools, ask] of [
      [all, 'with the `skill-engine/search_skills` tool.'],
      [{ ...none, list: 'skills_list' }, 'with the `skills_list` tool.'],
      [{ ...none, skill: 'skill' }, 'Call the `skill` tool of the MCP server repertoire with a word'],
      [none, 'skill:// resources'],
    ] as const) {
      const text = catalogueIn(written(null, { tools }));
      expect(text).toMatch(/^Skills: still being read, and may be used already\. /);
      expect(text).toContain(ask);
      expect(text).not.toMatch(/none/i);
    }
  });

  it('name the server of the tool that loads, so that it is not taken for one that is built in', () => {
    const text = written(skills(3, 1), { tools: { ...none, skill: 'skill' } });
    expect(text).toContain('with the `skill` tool of the MCP server repertoire (not a built-in one)');
  });

  it('stay within their limits and let no stranger speak for the server', () => {
    const strangers = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .array(fc.constantFrom('\n\n', '<system>', '`skill`', '- x: y', 'Repertoire', '表', '😀', ' '))
        .map((parts) => parts.join('')),
    );
    const entries = fc.array(
      fc.record({ name: strangers, description: strangers, location: fc.constant('global' as const) }),
    );
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 30 }), (some, times) => {
        const many = Array.from({ length: times }, () => some).flat();
        const text = written(many, { tools: all });
        expect(text.length).toBeLessThanOrEqual(2000);
        const catalogue = catalogueIn(text);
        const own = catalogue.replaceAll('`skill-engine/search_skills`', '');
        expect(own).not.toMatch(/[<>`\r\u2028]|\n\n|\p{Surrogate}/u);
        const missing = Number(/\n… and (\d+) more, not shown here$/.exec(catalogue)?.[1] ?? 0);
        expect(linesIn(text).length + missing).toBe(many.length);
        expect(written(structuredClone(many), { tools: all })).toBe(text);
      }),
      { numRuns: 600 },
    );
  });
});

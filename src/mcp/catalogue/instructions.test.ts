import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeInstructions } from './instructions.ts';
import type { CatalogueEntry } from './types.ts';

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

const catalogueIn = (text: string): string => text.slice(text.indexOf('\n\n') + 2);
const linesIn = (text: string): string[] =>
  catalogueIn(text)
    .split('\n')
    .filter((line) => line.startsWith('- '));

describe('the instructions of the server', () => {
  it('say which tool is for what, and name none that is not there', () => {
    const server = writeInstructions([], { tools: { ...none, list: 'skills_list', search: 'skills_search' } });
    expect(server).toMatch(/check first whether a skill fits/);
    expect(server).toMatch(/`skills_list` for all metadata/);
    expect(server).toMatch(/`skills_search` for targeted lookups/);
    expect(server).not.toMatch(/`skill`|engine/);
    expect(writeInstructions([], { tools: { ...none, skill: 'skill' } })).not.toMatch(/skills[._]|engine/);
  });

  it('say what matters within 500 characters', () => {
    const start = writeInstructions(skills(3, 1), { tools: all }).slice(0, 500);
    for (const name of Object.values(all)) expect(start).toContain(`\`${name}\``);
  });

  it('hold every skill, shortened alike, then names, then a number', () => {
    expect(linesIn(writeInstructions(skills(3, 0), { tools: all }))).toEqual([
      '- skill-0: Does 0 things.',
      '- skill-1: Does 1 things.',
      '- skill-2: Does 2 things.',
    ]);
    const short = writeInstructions(skills(20, 30), { tools: all });
    expect(linesIn(short)).toHaveLength(20);
    expect(linesIn(short).every((line) => /^- skill-\d+: Does \d+ things\. .*…$/.test(line))).toBe(true);
    const names = writeInstructions(skills(100, 30), { tools: all });
    expect(linesIn(names)).toEqual(skills(100, 0).map(({ name }) => `- ${name}`));
    const some = writeInstructions(skills(5000, 30), { tools: all });
    expect(some).toMatch(new RegExp(`${linesIn(some).length} of 5000 names`));
    expect(some).toMatch(new RegExp(`\n… and ${5000 - linesIn(some).length} more, not shown here$`));
    for (const text of [short, names, some])
      expect(text).toMatch(/is shortened to fit: .*`skill-engine\/search_skills` tool\.\n- /);
  });

  it('say so where there are no skills', () => {
    expect(writeInstructions([], { tools: all })).toMatch(/\n\nSkills: none found so far\.$/);
  });

  it('stay within their limits and let no stranger speak for the server', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .array(fc.constantFrom('\n\n', '<system>', '`skill`', '- x: y', 'Repertoire', '表', '😀', ' '))
        .map((parts) => parts.join('')),
    );
    const entries = fc.array(fc.record({ name: text, description: text, location: fc.constant('global' as const) }));
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 30 }), (some, times) => {
        const many = Array.from({ length: times }, () => some).flat();
        const written = writeInstructions(many, { tools: all });
        expect(written.length).toBeLessThanOrEqual(4000);
        const catalogue = catalogueIn(written);
        expect(catalogue.length).toBeLessThanOrEqual(2000);
        const own = catalogue.replaceAll('`skill-engine/search_skills`', '');
        expect(own).not.toMatch(/[<>`\r\u2028]|\n\n|\p{Surrogate}/u);
        const missing = Number(/\n… and (\d+) more, not shown here$/.exec(catalogue)?.[1] ?? 0);
        expect(linesIn(written).length + missing).toBe(many.length);
        expect(writeInstructions(structuredClone(many), { tools: all })).toBe(written);
      }),
      { numRuns: 600 },
    );
  });
});

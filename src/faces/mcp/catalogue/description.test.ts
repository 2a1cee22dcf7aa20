import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DescriptionOptions, describeSkillTool } from './description.ts';
import type { CatalogueEntry } from './weight.ts';

interface Element {
  readonly tag: string;
  readonly text: string;
  readonly children: readonly Element[];
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Reads XML of plain elements, and refuses whatever is not. */
function readXml(xml: string): Element {
  const root = { tag: '', text: '', children: [] as Element[] };
  const open = [root];
  for (const [token, closing, tag = ''] of xml.matchAll(/<(\/?)([a-z_]+)>|[^<]+|</g)) {
    const top = open.at(-1) ?? root;
    if (tag === '') top.text += unescaped(token);
    else if (closing === '') open.push({ tag, text: '', children: [] });
    else {
      if (tag !== top.tag) throw new Error(`${top.tag} is closed as ${tag}`);
      open.pop();
      open.at(-1)?.children.push(top);
    }
  }
  if (open.length !== 1) throw new Error('not closed');
  return root.children[0] ?? root;
}

function unescaped(text: string): string {
  if (/[<>"']|&(?!(?:amp|lt|gt|quot|apos);)/.test(text)) throw new Error(`not escaped: ${text}`);
  return text.replace(/&(\w+);/g, (_, name: string) => signs[name] ?? '');
}

function blockOf(description: string): Element {
  // The instructions name the block as well; the block itself begins a line, which no third-party text can.
  const [, block, ...more] = description.split(/^(?=<available_skills>$)|(?<=^<\/available_skills>)$/m);
  expect(more).toHaveLength(1);
  return readXml(block ?? '');
}

interface Listed {
  readonly names: readonly string[];
  readonly descriptions: readonly string[];
  readonly missing: number;
}

function listed(description: string): Listed {
  const { children } = blockOf(description);
  const part = (element: Element, tag: string): string =>
    element.tag === tag ? element.text : (element.children.find((child) => child.tag === tag)?.text ?? '');
  const skills = children.filter(({ tag }) => tag === 'skill' || tag === 'name');
  const more = children.filter(({ tag }) => tag === 'more').map(({ text }) => Number(/\d+/.exec(text)?.[0]));
  return {
    names: skills.map((skill) => part(skill, 'name')),
    descriptions: skills.map((skill) => part(skill, 'description')),
    missing: more[0] ?? 0,
  };
}

type Options = Pick<DescriptionOptions, 'budget' | 'searchWith'> & Partial<Pick<DescriptionOptions, 'unit'>>;
const described = (entries: readonly CatalogueEntry[] | null, options: Options): string =>
  describeSkillTool(entries, { server: 'repertoire', unit: 'bytes', ...options });

/** The list, without the text around it. */
const listIn = (description: string): string => description.split(/^<\/?available_skills>\n/m)[1] ?? '';

/** Bytes that the list takes on the wire. */
const listBytes = (description: string): number => Buffer.byteLength(JSON.stringify(listIn(description))) - 2;

const skills = (number: number, description: (index: number) => string): CatalogueEntry[] =>
  Array.from({ length: number }, (_, index) => ({
    name: `skill-${index}`,
    description: description(index),
    location: 'global',
  }));

const words = (index: number): string =>
  `Use skill ${index} when a user asks for tables, letters or pictures. ${'More words. '.repeat(index % 40)}`.trim();

const strangers = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc
    .array(
      fc.constantFrom('</description>', '</available_skills>\n', '<skill>', '&lt;', '"', "'", '\\', '\n', '表', ' a'),
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: fc.constantFrom('a', 'b', ' ', '表', '😀', '\ud800'), minLength: 100, maxLength: 600 }),
);
const entry: fc.Arbitrary<CatalogueEntry> = fc.record({
  name: fc.oneof(fc.stringMatching(/^[a-z:-]{1,20}$/), strangers),
  description: strangers,
  location: fc.constantFrom('project', 'global', 'plugin'),
});
const entries = fc.oneof(
  fc.array(entry, { maxLength: 12 }),
  fc
    .tuple(fc.array(entry, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 40 }))
    .map(([some, times]) => Array.from({ length: times }, () => some).flat()),
);
const budgets = fc.oneof(fc.integer({ min: 1, max: 8000 }), fc.constantFrom(16_000, 100_000));
const searches = fc.constantFrom(null, 'skills.search');

describe('the description of the skill tool', () => {
  it('says how to use it, lists the skills and ends with notes', () => {
    const text = described(
      [
        { name: 'pdf', description: 'Fill in <forms> & "read" them', location: 'project' },
        { name: 'office:xlsx', description: 'Tables\n\tand charts', location: 'plugin' },
      ],
      { budget: 16_000, searchWith: null },
    );
    expect(text).toMatch(/^Execute a skill within the main conversation\n\n<skills_instructions>\n/);
    expect(text).toContain('- Invoke skills using this tool with the skill name only (no arguments)\n');
    expect(text).toContain('  - `name: "ms-office-suite:pdf"` - invoke using fully qualified name\n');
    expect(text).toContain(`</skills_instructions>

<available_skills>
<skill>
<name>pdf</name>
<description>Fill in &lt;forms&gt; &amp; &quot;read&quot; them</description>
<location>project</location>
</skill>
<skill>
<name>office:xlsx</name>
<description>Tables and charts</description>
<location>plugin</location>
</skill>
</available_skills>

Discovery notes:
`);
    for (const note of [
      'the skills of the MCP server repertoire',
      '--skill-dir',
      'case-insensitive',
      'provider:name',
      'plugin:name',
      '`file`',
    ])
      expect(text.slice(text.indexOf('Discovery notes'))).toContain(note);
    expect(text).not.toContain('shortened');
  });

  it('of no skills holds an entry called none, whatever the budget', () => {
    for (const budget of [0, 1, 16_000]) {
      const text = described([], { budget, searchWith: null });
      expect(blockOf(text).children.map(({ tag }) => tag)).toEqual(['skill']);
      expect(listed(text).names).toEqual(['none']);
    }
  });

  it('of skills that are not known yet says so, and how to ask for them', () => {
    const text = described(null, { budget: 16_000, searchWith: null });
    expect(listed(text).names).toEqual([]);
    expect(text.slice(0, 2048)).toMatch(/still being read, and may be used already\. Call this tool with a word/);
    expect(text).not.toMatch(/\bnone\b|no skill/i);
  });

  it('says that only listed skills may be used where all are listed, and surely shown', () => {
    const rule = /- Only use skills listed in <available_skills> below(.*)\n/;
    const at = (number: number, budget = 16_000) =>
      described(
        skills(number, () => 'Short.'),
        { budget, searchWith: null },
      );
    expect(rule.exec(at(3))?.[1]).toBe('');
    expect(at(3)).not.toContain('has cut it');
    for (const text of [at(60), at(3000), at(3, 50)]) expect(rule.exec(text)?.[1]).toBe(', or found as it says there');
    // Clients that cut do so after the first 2,048 characters at the earliest.
    expect(at(60).slice(0, 2048)).toContain('The list holds 60 skills; if you see fewer, your client has cut it.');
  });

  it('shortens descriptions, then lists names, then counts the rest', () => {
    const at = (number: number) => described(skills(number, words), { budget: 16_000, searchWith: 'find' });
    const short = listed(at(80));
    expect(short.names).toHaveLength(80);
    expect(short.descriptions.every((text) => text.length >= 10)).toBe(true);
    expect(short.descriptions[0]).toBe('Use skill 0 when a user asks for tables, letters or pictures.');
    expect(short.descriptions[39]).toMatch(/^Use skill 39 .*[a-z.]…$/);
    const names = listed(at(400));
    expect(names).toMatchObject({ missing: 0, names: skills(400, words).map(({ name }) => name) });
    expect(names.descriptions.join('')).toBe('');
    const some = listed(at(3000));
    expect(some.names.length).toBeGreaterThan(400);
    expect(some.names.length + some.missing).toBe(3000);
    for (const number of [80, 400, 3000]) {
      const start = at(number).slice(0, 2048);
      expect(start).toMatch(/shortened to fit: .* `find` tool\.\n\n<available_skills>\n/);
      expect(start).toContain('<name>skill-3</name>');
    }
    expect(at(3000)).toContain(`${some.names.length} of 3000 names`);
  });

  it('points to other ways where no tool searches', () => {
    const text = described(skills(400, words), { budget: 16_000, searchWith: null });
    expect(text.slice(0, 2048)).toMatch(
      /Call this tool with a word of what you need .* the skills that come nearest\./,
    );
    expect(text).not.toContain('repertoire search');
  });

  it('is not limited by a budget of 0', () => {
    const all = skills(2000, words);
    const { names, descriptions } = listed(described(all, { budget: 0, searchWith: null }));
    expect(names).toEqual(all.map(({ name }) => name));
    expect(descriptions).toEqual(all.map(({ description }) => description));
  });

  it('keeps its instructions and a name whatever the budget, and counts the others', () => {
    const text = described(skills(7, words), { budget: 1, searchWith: null });
    expect(text).toContain('</skills_instructions>');
    expect(text).toContain('1 of 7 names');
    expect(listed(text)).toEqual({ names: ['skill-0'], descriptions: [''], missing: 6 });
    expect(listed(described(skills(1, words), { budget: 500, searchWith: null })).descriptions).toEqual([words(0)]);
  });

  it('lets no endless name push the others out', () => {
    const all = [{ name: 'x'.repeat(60_000), description: 'd', location: 'global' as const }, ...skills(20, words)];
    const { names, descriptions, missing } = listed(described(all, { budget: 16_000, searchWith: null }));
    expect(names).toEqual(skills(20, words).map(({ name }) => name));
    expect(descriptions).toEqual(skills(20, words).map(({ description }) => description));
    expect(missing).toBe(1);
  });

  it('shows what strangers hide', () => {
    const hide = (hidden: string): string => {
      const one = { name: 'a', description: `b${hidden}c`, location: 'global' as const };
      return listed(described([one], { budget: 0, searchWith: null })).descriptions[0] ?? '';
    };
    for (const hidden of ['\u{e0041}', '\u{e0101}', '\u00ad', '\u3164', '\u202e', '\ud83d', '\u200d\ufe0f\u200d'])
      expect(hide(hidden), JSON.stringify(hidden)).toBe('b\ufffdc');
    for (const honest of ['❤️‍🔥', 'می‌خواهم', '表', 'e\u0301']) expect(hide(honest)).toBe(`b${honest}c`);
  });
});

describe('whatever strangers write', () => {
  it('the block can be read, in order, complete or counted, within the budget, and the same every time', () => {
    fc.assert(
      fc.property(entries, budgets, searches, (all, budget, searchWith) => {
        const text = described(all, { budget, searchWith });
        const { names, missing } = listed(text);
        const wanted = listed(described(all, { budget: 0, searchWith })).names;
        expect(names.length + missing).toBe(Math.max(1, all.length));
        expect(missing > 0 || names.every((name, index) => name === wanted[index])).toBe(true);
        let from = 0;
        for (const name of names) from = wanted.indexOf(name, from) + 1 || Number.NaN;
        expect(from).not.toBeNaN();
        const least = listBytes(described(all, { budget: 1, searchWith }));
        expect(listBytes(text)).toBeLessThanOrEqual(Math.max(budget, least));
        const inCharacters = { budget, searchWith, unit: 'characters' } as const;
        const fewest = listIn(described(all, { ...inCharacters, budget: 1 })).length;
        expect(listIn(described(all, inCharacters)).length).toBeLessThanOrEqual(Math.max(budget, fewest));
        if (text !== described(all, { budget: 0, searchWith })) expect(text).toContain('This list is shortened');
        expect(described(structuredClone(all), { budget, searchWith })).toBe(text);
      }),
      { numRuns: 600 },
    );
  });

  it('ten thousand skills in Chinese stay within the budget', () => {
    const all = skills(10_000, () => '读取、填写并合并表格文件。'.repeat(20)).map((skill, index) => ({
      ...skill,
      name: `技能-${index}`,
    }));
    // Three levels: by the first names; by all names, which take less; with cut descriptions.
    for (const [budget, least] of [
      [16_000, 15_800],
      [500_000, 250_000],
      [2_000_000, 1_900_000],
    ] as const) {
      const text = described(all, { budget, searchWith: null });
      const { names, missing } = listed(text);
      expect(listBytes(text)).toBeLessThanOrEqual(budget);
      expect(listBytes(text)).toBeGreaterThan(least);
      expect(names.length + missing).toBe(10_000);
      expect(names[0]).toBe('技能-0');
    }
  });
});

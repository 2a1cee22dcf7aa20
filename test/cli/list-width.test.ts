import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { onTerminal } from './program.ts';

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff01-\uff5e\u3001-\u301f\u{1f300}-\u{1faff}]/u;

/** Columns on a terminal, counted here by the plain rule: wide letters and emoji take two, combining marks none. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (/\p{Mark}/u.test(character)) continue;
    columns += wide.test(character) ? 2 : 1;
  }
  return columns;
}

const texts = {
  latin: 'Extracts text and tables from documents, fills forms and merges files when a user mentions them. '.repeat(4),
  chinese: '从各种文件中提取文本和表格，填写表单并合并文件。当用户提到文件时使用此技能！'.repeat(5),
  japanese: 'ひらがなとカタカナをまぜた、とてもながいせつめいぶんです。'.repeat(6),
  korean: '문서에서 텍스트와 표를 추출하고 양식을 작성하며 파일을 병합합니다. '.repeat(5),
  emoji: '🚀🎉🔥'.repeat(60),
  mixed: 'Deploy 部署 🚀 application アプリ 애플리케이션 straightaway. '.repeat(8),
  accents: `${'Résumé déjà vu à la crème brûlée. '.normalize('NFD').repeat(8)}`,
  unbroken: 'x'.repeat(500),
};

function machine(): World {
  const world = createWorld();
  for (const [name, description] of Object.entries(texts)) world.skill(`home/.claude/skills/${name}`, { description });
  return world;
}

/** The lines of each skill's description, by its name. */
function descriptionsIn(printed: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of printed.split('\n')) {
    const name = /^ {2}(\S+)/.exec(line)?.[1];
    if (name !== undefined) {
      current = [];
      found.set(name, current);
    } else if (line.startsWith('      ')) {
      current.push(line);
    }
  }
  return found;
}

const withoutBlanks = (text: string): string => text.replace(/\s+/gu, '');

describe('the lines of list', () => {
  it('keep to the width of the terminal, wide letters counted as two', async () => {
    const world = machine();
    for (const columns of [20, 41, 60, 80, 113]) {
      const { stdout } = await world.run(['list', '--full'], { env: { COLUMNS: String(columns) } });
      const printed = descriptionsIn(stdout);
      for (const [name, description] of Object.entries(texts)) {
        const lines = printed.get(name) ?? [];
        const widths = lines.map(columnsOf);
        expect(Math.max(...widths), `${name} at ${columns}`).toBeLessThanOrEqual(columns);
        // Lines are filled: all but the last leave no room for a word of this text.
        expect(Math.min(...widths.slice(0, -1)), `${name} at ${columns}`).toBeGreaterThan(columns - 17);
        expect(withoutBlanks(lines.join('')), name).toBe(withoutBlanks(description));
      }
    }
  });

  it('shorten a description to two, cut between characters and marked', async () => {
    const world = machine();
    for (const columns of [20, 40, 41, 42, 43, 80]) {
      const { stdout } = await world.run(['list'], { env: { COLUMNS: String(columns) } });
      expect(stdout).not.toContain('\ufffd');
      for (const [name, lines] of descriptionsIn(stdout)) {
        expect(lines, name).toHaveLength(2);
        expect(lines[1], name).toMatch(/ …$/);
        expect(Math.max(...lines.map(columnsOf)), `${name} at ${columns}`).toBeLessThanOrEqual(columns);
      }
    }
  });

  it('keep to the width with names, marks, headings and the last line as well', async () => {
    const world = createWorld();
    const name = 'a-name-that-is-longer-than-twenty-columns';
    world.write(`project/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: Use when: asked\n---\n`);
    world.skill(`home/.agents/skills/${name}`);
    const { stdout } = await world.run(['list'], { env: { COLUMNS: '20' } });
    for (const line of stdout.split('\n')) expect(columnsOf(line), line).toBeLessThanOrEqual(20);
    expect(withoutBlanks(stdout)).toContain(`${name}[repaired][hides1copy]`);
    expect(withoutBlanks(stdout)).toContain('runrepertoiredoctortoseewhatandwhy.');
    const { stdout: wide } = await world.run(['list'], { env: { COLUMNS: '80' } });
    expect(wide).toContain(`  ${name} [repaired] [hides 1 copy]\n`);
  });

  it('cut no emoji that is made of several', async () => {
    const world = createWorld();
    const family = '👨‍👩‍👧‍👦';
    world.skill('home/.claude/skills/family', { description: family.repeat(60) });
    for (const columns of [40, 41]) {
      const { stdout } = await world.run(['list'], { env: { COLUMNS: String(columns) } });
      const text = (descriptionsIn(stdout).get('family') ?? []).join('').replace(/[\s…]/gu, '');
      expect(text.length % family.length, `at ${columns}`).toBe(0);
      expect(text).toBe(family.repeat(text.length / family.length));
    }
  });

  it('are at least 20 columns wide and at most 120, and survive a width that is none', async () => {
    const world = machine();
    for (const [columns, expected] of [
      ['1', 20],
      ['500', 120],
      ['abc', 100],
      ['-5', 100],
    ] as const) {
      const { stdout } = await world.run(['list'], { env: { COLUMNS: columns } });
      const widths = (descriptionsIn(stdout).get('unbroken') ?? []).map(columnsOf);
      expect(Math.max(...widths), columns).toBe(expected);
    }
  });

  it('follow the width of a real terminal', async () => {
    const world = machine();
    const printed = (await onTerminal(world, ['list', '--no-color'], 50)).replaceAll('\r\n', '\n');
    const lines = [...descriptionsIn(printed).values()].flat();
    expect(lines.length).toBeGreaterThan(10);
    expect(Math.max(...lines.map(columnsOf))).toBeGreaterThan(45);
    expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(50);
  });
});

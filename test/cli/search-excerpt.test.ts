import { describe, expect, it } from 'vitest';
import { processorSecondsIn, tellsProcessorTime } from '../support/processor-time.ts';
import { createWorld, type World } from '../support/world.ts';

/** The excerpt for a query over one skill with the given text. */
async function excerptOf(body: string, ...query: string[]): Promise<string> {
  const world = createWorld();
  return excerptIn(world, body, ...query);
}

async function excerptIn(world: World, body: string, ...query: string[]): Promise<string> {
  world.skill('project/skills/only', { description: 'Nothing to see.', body: `\n${body}\n` });
  const run = await world.run(['search', '--exact', '--json', ...query], { env: tellsProcessorTime });
  expect(processorSecondsIn(run.stderr)).toBeLessThan(5);
  const { total, results } = run.json<{ total: number; results: { excerpt: string }[] }>();
  expect(total).toBe(1);
  return results[0]?.excerpt ?? '';
}

const segmentsOf = (text: string): string[] => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
const bare = (excerpt: string): string => excerpt.replace(/^… ?/, '').replace(/ ?…$/, '');
const loneSurrogate = /\p{Surrogate}/u;

/** Some 160 characters, none of them cut, each as it stands in the text. */
function expectWhole(excerpt: string, text: string): void {
  expect(excerpt).not.toMatch(loneSurrogate);
  expect(excerpt).not.toContain('\ufffd');
  expect(bare(excerpt)).not.toMatch(/^\p{Mark}/u);
  const known = new Set(segmentsOf(text.replace(/\s+/gu, ' ')));
  expect(segmentsOf(bare(excerpt)).filter((segment) => !known.has(segment))).toEqual([]);
}

const filler = 'The quick brown fox jumps over the lazy dog and thinks nothing of it. ';

describe('an excerpt', () => {
  it('shows some 160 characters around the first match [C2-CATTOOLS-12 S2-TEST-03]', async () => {
    const text = `${filler.repeat(20)}Here stands the needle, plain to see. ${filler.repeat(20)}And a second needle.`;
    const excerpt = await excerptOf(text, 'needle');
    expect(excerpt).toContain('Here stands the needle, plain to see.');
    expect(excerpt).toMatch(/^… .* …$/);
    expect(bare(excerpt).length).toBeGreaterThan(110);
    expect(bare(excerpt).length).toBeLessThanOrEqual(165);
    expect(text).toContain(bare(excerpt));
    expect(bare(excerpt).indexOf('needle')).toBeGreaterThan(5);
  });

  it('starts at the first of several words [C2-CATTOOLS-12 S2-TEST-03]', async () => {
    const text = `${filler.repeat(9)}beta comes early. ${filler.repeat(30)}Only then alpha. ${filler.repeat(9)}`;
    expect(await excerptOf(text, 'alpha', 'beta')).toContain('beta comes early.');
    expect(await excerptOf(text, 'beta', 'alpha')).toContain('beta comes early.');
  });

  it('has no marks of omission where nothing is left out, and lies on one line [C2-CATTOOLS-12]', async () => {
    expect(await excerptOf('A  short\n\n\ttext with\r\nthe needle.', 'needle')).toBe('A short text with the needle.');
    const atStart = await excerptOf(`Needle first. ${filler.repeat(20)}`, 'needle');
    expect(atStart).toMatch(/^Needle first\..* …$/);
    expect(bare(atStart).length).toBeGreaterThan(110);
    const atEnd = await excerptOf(`${filler.repeat(20)}The very last is a needle`, 'needle');
    expect(atEnd).toMatch(/^… .*The very last is a needle$/);
    expect(bare(atEnd).length).toBeGreaterThan(110);
  });

  it('never cuts a surrogate pair, wherever the cut falls [C2-CATTOOLS-13]', async () => {
    const world = createWorld();
    for (let shift = 0; shift < 6; shift++) {
      const text = `${'x'.repeat(shift)}${'😀🚀𠮷'.repeat(300)} needle ${'𝒳🎉'.repeat(300)}`;
      const excerpt = await excerptIn(world, text, 'needle');
      expectWhole(excerpt, text);
      expect(excerpt).toContain('needle');
    }
  });

  it('never cuts a character that is made of many [C2-CATTOOLS-13]', async () => {
    const world = createWorld();
    const zalgo = `Z${'\u0351\u0310\u0321\u0345\u0328'.repeat(3)}`;
    const characters = ['👨‍👩‍👧‍👦', '🇩🇪', '👍🏽', 'é'.normalize('NFD'), zalgo, 'นี้'];
    for (const character of characters) {
      for (const shift of [0, 1, 2]) {
        const text = `${'x'.repeat(shift)} ${character.repeat(250)}needle${character.repeat(250)}`;
        const excerpt = await excerptIn(world, text, 'needle');
        expect(excerpt).toContain('needle');
        const ends = segmentsOf(bare(excerpt).replaceAll(' ', ''));
        expect([ends[0], ends.at(-1)], character).toEqual([character, character]);
      }
    }
  });

  it('shows a hit among wide letters and emoji [C2-CATTOOLS-12]', async () => {
    const text = `${'数据分析是一个复杂的过程。'.repeat(40)}请先阅读说明🚀。${'然后再开始工作。'.repeat(40)}`;
    for (const word of ['说明', '🚀', '说明🚀']) {
      const excerpt = await excerptOf(text, word);
      expect(excerpt).toContain('请先阅读说明🚀。');
      expectWhole(excerpt, text);
      expect(segmentsOf(bare(excerpt)).length).toBeGreaterThan(110);
      expect(segmentsOf(bare(excerpt)).length).toBeLessThanOrEqual(165);
    }
  });

  it('shows what stands before the hit, even where the only blank is next to it [C2-CATTOOLS-12]', async () => {
    const text = `${'数据分析是一个复杂的过程。'.repeat(40)}请使用 PDF 工具。${'然后再开始工作。'.repeat(40)}`;
    const excerpt = bare(await excerptOf(text, 'pdf'));
    expect(excerpt.indexOf('PDF')).toBeGreaterThan(20);
    expect(excerpt.length).toBeGreaterThan(140);
  });

  it('shows the hit where folding makes the text before it longer [C2-CATTOOLS-12]', async () => {
    const text = `${'Große Füße, weiße Straße, heiße Soße. '.repeat(80)}Am Ende die Schloßallee. ${filler.repeat(9)}`;
    expect(await excerptOf(text, 'schlossallee')).toContain('Schloßallee');
  });

  it('shows the hit where the text is decomposed [C2-CATTOOLS-12]', async () => {
    const french = 'Été après été, la fenêtre a été réparée. '.repeat(80);
    const text = `${french}Voilà le café crème. ${french}`.normalize('NFD');
    expect((await excerptOf(text, 'café')).normalize('NFC')).toContain('Voilà le café crème.');
  });

  it('has nothing in it that a terminal would obey', async () => {
    const excerpt = await excerptOf('a \u001b[31mneedle\u0007 \u202e b', 'needle');
    expect(excerpt).toContain('needle');
    expect(excerpt).not.toMatch(/[\u001b\u0007\u202e]/);
  });
});

describe('a search in long texts', () => {
  it('finds the end of a text of 300 KB soon', async () => {
    const excerpt = await excerptIn(createWorld(), `${`${filler}\n`.repeat(4_300)}The needle.`, 'needle');
    expect(excerpt).toMatch(/The needle\.$/);
  });

  it('finds the middle of a line of 200 KB soon', async () => {
    const excerpt = await excerptIn(createWorld(), `${'a'.repeat(100_000)}needle${'b'.repeat(100_000)}`, 'needle');
    expect(excerpt).toContain('needle');
    expect(excerpt.length).toBeLessThan(180);
  });

  it('finds words soon that occur at every place', async () => {
    await excerptIn(createWorld(), 'a'.repeat(200_000), 'a', 'aa', 'aaa', 'aaaa');
    await excerptIn(createWorld(), 'é'.normalize('NFD').repeat(60_000), 'é');
    await excerptIn(
      createWorld(),
      `${'ab'.repeat(100_000)}`,
      ...Array.from({ length: 40 }, (_, index) => 'ab'.repeat(index + 1)),
    );
  });
});

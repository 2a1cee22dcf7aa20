import { describe, expect, it } from 'vitest';
import { proseOf } from '../../src/search/model/embed.ts';
import { termsOfWord } from '../../src/search/text/lexicon.ts';
import { connectStdio } from '../support/mcp.ts';
import { processorSeconds } from '../support/processor-time.ts';
import { createWorld } from '../support/world.ts';
import { find, hitsFor, library, namesFor } from './library.ts';

describe('many questions at once', () => {
  const questions = [
    ['merge pdf', 'pdf-merge'],
    ['压缩图片', 'image-resize'],
    ['kubernetes', 'cluster-rollout'],
    ['review a migration', 'sql-migration-review'],
    ['invoices', 'invoice-writer'],
  ] as const;

  it('are all answered, also those that come before there is an index', async () => {
    const server = await connectStdio(library(), ['serve']);
    const names = await Promise.all(questions.map(async ([question]) => (await hitsFor(server, question))[0]?.name));
    expect(names).toEqual(questions.map(([, name]) => name));
  });
});

describe('a search', () => {
  it('reads a line of nothing but fence marks in no time', async () => {
    for (const mark of ['`', '~']) {
      expect(await processorSeconds(() => proseOf(mark.repeat(65_000)))).toBeLessThan(2);
    }
  });

  it('cuts a long word between characters', () => {
    for (const term of termsOfWord(`a${'𐌰'.repeat(25)}`, false)) expect(term.isWellFormed()).toBe(true);
  });

  it.each([
    ['reliability', 'We care for the reliability of machines.'],
    ['capabilities', 'It lists the capability of each tool.'],
    ['Müllgebühren', 'Die Müllgebühren sind fällig.'],
    ['résumé', 'Reads the résumé first.'],
  ])('shows a passage that contains the match: %s', async (query, sentence) => {
    const world = createWorld();
    const filler = 'Nothing of interest is said in this line of text. ';
    world.skill('project/skills/a', {
      description: 'Notes.',
      body: `\n${filler.repeat(10)}${sentence} ${filler.repeat(10)}\n`,
    });
    expect((await find(world, query)).results[0]?.passage).toContain(sentence);
  });

  it.each([
    ['migratoin', 'sql-migration-review'],
    ['custmoers', 'invoice-writer'],
    ['documnetation', 'docs-translator'],
    ['fixturse', 'unit-tests'],
  ])('forgives a typing error near the ending: %s', async (word, name) => {
    const server = await connectStdio(library(), ['serve']);
    const [best] = await hitsFor(server, word);
    expect([best?.name, best?.matchedBy.includes('words')]).toEqual([name, true]);
  });

  it('puts the only skill that contains a word before unrelated ones', async () => {
    const world = library();
    const filler = 'Nothing of interest is said in this line of text.\n';
    world.skill('project/skills/long', {
      body: `\n${filler.repeat(200)}The flux capacitor needs a gigawatt.\n${filler.repeat(200)}`,
    });
    const server = await connectStdio(world, ['serve']);
    expect((await namesFor(server, 'flux capacitor'))[0]).toBe('long');
  });

  it('takes the alias of a provider', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf', { description: 'Merge pdf files.' });
    const { results } = await find(world, 'merge', '--provider', 'claude-code');
    expect(results.map(({ name }) => name)).toEqual(['pdf']);
  });
});

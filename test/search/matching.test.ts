import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { find, hitsFor, library, namesFor } from './library.ts';

describe('a question in another language than the skill', () => {
  const questions = {
    German: [
      ['Bilder verkleinern', 'image-resize'],
      ['Datenbankmigration prüfen', 'sql-migration-review'],
      ['Rechnung für Kunden erstellen', 'invoice-writer'],
    ],
    Chinese: [
      ['合并多个文件', 'pdf-merge'],
      ['查找日志中的错误', 'log-triage'],
      ['压缩图片', 'image-resize'],
      ['数据库迁移', 'sql-migration-review'],
      ['翻译文档', 'docs-translator'],
    ],
    Spanish: [
      ['combinar archivos', 'pdf-merge'],
      ['traducir la documentación', 'docs-translator'],
      ['crear facturas para clientes', 'invoice-writer'],
    ],
    Japanese: [
      ['データベースの移行を確認する', 'sql-migration-review'],
      ['画像を圧縮する', 'image-resize'],
      ['ログのエラーを探す', 'log-triage'],
      ['ドキュメントを翻訳する', 'docs-translator'],
    ],
  } as const;

  it('finds it by meaning, without a word in common [C3-SEARCH-06 C2-ENGINE-06 S4-SEARCH-01]', async () => {
    const server = await connectStdio(library(), ['serve']);
    for (const [language, list] of Object.entries(questions)) {
      for (const [question, name] of list) {
        const [best] = await hitsFor(server, question);
        expect([best?.name, best?.matchedBy.includes('meaning')], `${language}: ${question}`).toEqual([name, true]);
      }
    }
  });

  it('finds a skill in Chinese by a question in English', async () => {
    const server = await connectStdio(library(), ['serve']);
    expect((await namesFor(server, 'progress of tasks for the team'))[0]).toBe('weekly-report');
  });
});

describe('a question in words of its own', () => {
  it('finds what it means, not only what it says [C2-ENGINE-06 C3-SEARCH-05]', async () => {
    const server = await connectStdio(library(), ['serve']);
    for (const [question, name] of [
      ['make my pictures smaller', 'image-resize'],
      ['why did the program crash', 'log-triage'],
      ['put several PDFs together', 'pdf-merge'],
      ['bill a client', 'invoice-writer'],
      ['ship a new version to production k8s', 'cluster-rollout'],
    ]) {
      expect((await namesFor(server, `${question}`))[0], question).toBe(name);
    }
  });

  it('is answered by words and meaning together [C3-SEARCH-05]', async () => {
    const world = library();
    const { results } = await find(world, 'merge', 'documents', '--explain');
    const [best] = results;
    expect([best?.name, best?.matchedBy]).toEqual(['pdf-merge', ['words', 'meaning']]);
    for (const { score, scores, explanation } of results) {
      const { words, meaning } = explanation?.shares ?? { words: 0, meaning: 0 };
      // Both words are said by skills of the library: then words decide a third.
      expect(words).toBeCloseTo(0.34, 6);
      expect(words + meaning).toBeCloseTo(1, 6);
      expect(words * scores.words + meaning * scores.meaning).toBeCloseTo(score, 3);
    }
    // A skill that words alone would put level with others is lifted by what it means, and the other way round.
    expect(results.some(({ matchedBy }) => matchedBy.length === 1)).toBe(true);
  });
});

describe('a word', () => {
  it('is found with other endings, in other cases, and by its beginning', async () => {
    const server = await connectStdio(library(), ['serve']);
    for (const [word, name] of [
      ['migration', 'sql-migration-review'],
      ['MIGRATING', 'sql-migration-review'],
      ['translated', 'docs-translator'],
      ['resizes', 'image-resize'],
      ['invoicing', 'invoice-writer'],
      ['kube', 'cluster-rollout'],
      ['outl', 'csv-profiler'],
      ['ＣＳＶ', 'csv-profiler'],
    ]) {
      const [best] = await hitsFor(server, `${word}`);
      expect([best?.name, best?.matchedBy.includes('words')], word).toEqual([name, true]);
    }
  });

  it('is found with a typing error', async () => {
    const server = await connectStdio(library(), ['serve']);
    for (const [word, name] of [
      ['kuberntes', 'cluster-rollout'],
      ['kubernetse', 'cluster-rollout'],
      ['invocies', 'invoice-writer'],
      ['databsae', 'sql-migration-review'],
      ['glosary', 'docs-translator'],
    ]) {
      const [best] = await hitsFor(server, `${word}`);
      expect([best?.name, best?.matchedBy.includes('words')], word).toEqual([name, true]);
    }
  });

  it('is found inside names that are written in one', async () => {
    const server = await connectStdio(library(), ['serve']);
    for (const words of ['parse json', 'json', 'parseJSON', 'ParseJson', 'github', 'git hub', 'GitHub']) {
      const [best] = await hitsFor(server, words);
      expect([best?.name, best?.matchedBy.includes('words')], words).toEqual(['changelog-writer', true]);
      expect(best?.passage, words).toMatch(/GitHub API .* parseJSON/);
    }
  });

  it('of Chinese, Japanese, Korean or Thai is found where it stands among others', async () => {
    const world = library();
    world.skill('project/skills/ja', { description: '会議の議事録を作成して共有する。' });
    world.skill('project/skills/ko', { description: '데이터베이스를 백업하고 복원합니다.' });
    world.skill('project/skills/th', { description: 'แปลเอกสารเป็นภาษาอังกฤษ' });
    const server = await connectStdio(world, ['serve']);
    for (const [word, name] of [
      ['周报', 'weekly-report'],
      ['工作报告', 'weekly-report'],
      ['任务进度', 'weekly-report'],
      ['議事録', 'ja'],
      ['백업', 'ko'],
      ['데이터베이스', 'ko'],
      ['เอกสาร', 'th'],
    ]) {
      const [best] = await hitsFor(server, `${word}`);
      expect([best?.name, best?.matchedBy.includes('words')], word).toEqual([name, true]);
      if (name === 'weekly-report') expect(best?.passage ?? best?.description).toContain(word);
    }
  });

  it('that is a name in JavaScript is a word like any other', async () => {
    const world = library();
    for (const word of ['constructor', 'hasOwnProperty', 'toString', 'valueOf', 'prototype']) {
      world.skill(`project/skills/about-${word.toLowerCase()}`, { description: `Explains what ${word} is good for.` });
    }
    world.skill('project/skills/about-dunder', { description: 'Explains what __proto__ is good for.' });
    const server = await connectStdio(world, ['serve']);
    for (const word of ['constructor', 'hasOwnProperty', 'toString', 'valueOf', 'prototype']) {
      const [best] = await hitsFor(server, word);
      expect([best?.name, best?.weak], word).toEqual([`about-${word.toLowerCase()}`, false]);
    }
    expect(await namesFor(server, '__proto__')).toContain('about-dunder');
  });

  it('is found in names, metadata and text, and weighs most in a name', async () => {
    const world = createWorld();
    const rest = 'Something else that is long enough to be read as a description of a skill.';
    world.skill('project/skills/walrus', { description: rest });
    world.skill('project/skills/described', { description: `Feeds a walrus. ${rest}` });
    world.skill('project/skills/tagged', { description: rest, extra: 'metadata:\n  tags: [otter, walrus]' });
    world.skill('project/skills/written', { description: rest, body: `\n${rest}\nA walrus. ${rest}\n` });
    world.skill('project/skills/unrelated', { description: rest });
    const { results } = await find(world, 'walrus');
    expect(results.slice(0, 2).map(({ name }) => name)).toEqual(['walrus', 'described']);
    const byWords = results.filter(({ matchedBy }) => matchedBy.includes('words')).map(({ name }) => name);
    expect(byWords.toSorted()).toEqual(['described', 'tagged', 'walrus', 'written']);
  });

  it('is found, and not called weak, in signs that the table of meanings does not know', async () => {
    const world = library();
    world.skill('project/skills/mythical', { description: '整理饕餮纹样的图录，并标注出处。' });
    const { results } = await find(world, '饕餮');
    expect(results.map(({ name, weak, matchedBy }) => [name, weak, matchedBy])).toEqual([
      ['mythical', false, ['words']],
    ]);
  });
});

describe('the passage of a short description', () => {
  it('is text without marks, whether it fits or was found by chance', async () => {
    const world = createWorld();
    world.skill('project/skills/merge', { description: '"**合并** `PDF` [文件](a.md)"', body: '' });
    const shown = async (query: string) =>
      (await find(world, query)).results.map(({ weak, passage }) => [weak, passage]);
    expect(await shown('combine documents')).toEqual([[false, '合并 PDF 文件']]);
    expect(await shown('deploy to kubernetes')).toEqual([[true, '合并 PDF 文件']]);
  });
});

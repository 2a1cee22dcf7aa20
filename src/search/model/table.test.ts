import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slowTable } from '../../../test/support/slow-table.ts';
import { embedSkill, embedText, proseOf } from './embed.ts';
import { openTable } from './table.ts';

const bytes = readFileSync(new URL('../../../assets/skill-vectors-128d-q4.bin', import.meta.url));
const table = openTable(bytes);
const { header, vocabulary, rowOf, embeddingOf } = slowTable(bytes);
const { dimensions } = header;

function expectSame(vector: Float32Array, expected: readonly number[], what: string): void {
  const furthest = Math.max(...expected.map((value, at) => Math.abs(value - (vector[at] ?? Number.NaN))));
  expect(furthest, what).toBeLessThan(1e-5);
}

describe('the table that comes with the package', () => {
  it('is of the layout that is documented', () => {
    expect(header).toEqual({ sign: 0x31454b53, version: 1, words: 56_000, buckets: 40_000, dimensions: 128, bits: 4 });
    expect(vocabulary.size).toBe(56_000);
    expect(table.dimensions).toBe(128);
  });

  it('has the row of every word that it knows', () => {
    const some = [...vocabulary.keys()].filter((_, row) => row % 97 === 0);
    for (const word of [...some, 'merge', 'pdf', 'the', '合并', '文', 'デー', 'c++']) {
      expect(vocabulary.has(word), word).toBe(true);
      const sum = table.sumOf([word]);
      expectSame(sum, rowOf(word), word);
    }
  });

  it('makes up a row for a word that it does not know, of its parts', () => {
    for (const word of [
      'kubernetse',
      'datenbankmigrationsprüfung',
      'x'.repeat(300),
      'zqx',
      'ж',
      'нейронка',
      'ab'.repeat(200),
    ]) {
      expect(vocabulary.has(word), word).toBe(false);
      const sum = table.sumOf([word]);
      expectSame(sum, rowOf(word), word);
      expect(sum.some((value) => value !== 0)).toBe(true);
    }
  });

  it('has nothing for an unknown pair of signs', () => {
    expect(vocabulary.has('龘龘')).toBe(false);
    const sum = table.sumOf(['龘龘']);
    expect(sum.every((value) => value === 0)).toBe(true);
  });

  it('adds tokens up, and begins anew each time', () => {
    for (let round = 0; round < 2; round++) {
      const both = rowOf('merge').map((value, at) => value + (rowOf('pdf')[at] as number));
      expectSame(table.sumOf(['merge', 'pdf']), both, 'both');
    }
  });

  it('opens wherever in memory it lies', () => {
    for (const offset of [1, 2, 3]) {
      const moved = Buffer.from(new ArrayBuffer(bytes.length + offset), offset);
      bytes.copy(moved);
      expectSame(openTable(moved).sumOf(['migration']), rowOf('migration'), `at ${offset}`);
    }
  });

  it('does not open when it is cut, longer, of another layout, or nothing at all', () => {
    for (const length of [32, 1000, bytes.length - 1, bytes.length - 64]) {
      expect(() => openTable(Buffer.from(bytes.subarray(0, length))), `${length}`).toThrow();
    }
    expect(() => openTable(Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow();
    for (const at of [0, 4, 20]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => openTable(changed), `${at}`).toThrow(/layout/);
    }
  });
});

const texts = [
  'merge several PDF files into one',
  '合并多个PDF文件',
  'Überprüfe die Datenbankmigration',
  'parseJSON in C++ and C#',
  'データベースの移行を確認する',
  'Kubernetse depolyment',
  '배포 자동화',
];

describe('the embedding of a token', () => {
  it('points where the token does, known or not', () => {
    for (const word of ['merge', 'pdf', '合并', 'c++', 'kubernetse', 'datenbankmigrationsprüfung', 'zqx']) {
      const into = new Int8Array(2 * dimensions);
      const worth = table.write(word, into, dimensions);
      const whole = [...into.subarray(dimensions)].map((value) => value * worth);
      const [length, wanted] = [Math.hypot(...whole), Math.hypot(...rowOf(word))];
      expect(length / wanted, word).toBeCloseTo(1, 2);
      const product = rowOf(word).reduce((sum, value, at) => sum + value * (whole[at] ?? 0), 0);
      expect(product / length / wanted, word).toBeGreaterThan(0.999);
      expect([...into.subarray(0, dimensions)], word).toEqual(new Array(dimensions).fill(0));
    }
  });

  it('is nothing for an unknown pair of signs', () => {
    expect(table.write('龘龘', new Int8Array(dimensions), 0)).toBe(0);
  });
});

describe('the embedding of a text', () => {
  it('is the one that the documented rules give', () => {
    for (const text of texts) expectSame(embedText(table, text), embeddingOf(text), text);
    const unit = fc.constantFrom(...Array.from('aeZQ7 -_.+#éÜß数据库をカー한нع'), 'merge', 'PDF', ' the ');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) =>
        expectSame(embedText(table, text), embeddingOf(text), text),
      ),
      { numRuns: 200 },
    );
  });

  it('finds words of scripts whose letters are made of parts, as the table writes them', () => {
    for (const word of ['배포', '자동화', 'используй']) {
      expect(vocabulary.has(word.normalize('NFD').replace('\u0306', '')), word).toBe(true);
      expectSame(embedText(table, word), embeddingOf(word), word);
    }
  });

  it('has the recorded values for known texts', () => {
    const firsts = (text: string) =>
      [...embedText(table, text).subarray(0, 6)].map((value) => Number(value.toFixed(5)));
    expect(firsts('merge several PDF files into one')).toEqual([
      -0.10111, 0.14982, -0.11316, 0.07698, 0.10586, 0.12849,
    ]);
    expect(firsts('合并多个PDF文件')).toEqual([-0.0879, 0.09977, -0.12753, -0.01247, 0.10625, 0.12533]);
    expect(firsts('kubernetse depolyment')).toEqual([-0.05004, 0.04853, 0.17639, 0.04418, -0.00329, -0.17957]);
  });

  it('is of length 1, or nothing for a text without words', () => {
    for (const text of [...texts, 'a'.repeat(50_000), 'word '.repeat(50_000)]) {
      expect(Math.hypot(...embedText(table, text)), text.slice(0, 40)).toBeCloseTo(1, 5);
    }
    for (const text of ['', '  \n', '… — !', '\ud800', '😀']) {
      expect(
        [...embedText(table, text)].every((value) => value === 0),
        JSON.stringify(text),
      ).toBe(true);
    }
  });

  it('ends with the tokens that the table was made for', () => {
    const many = `${'merge '.repeat(256)}${'football '.repeat(5000)}`;
    expectSame(embedText(table, many), embeddingOf('merge'), 'many');
  });

  it('is near for texts of one meaning in two languages, far for others', () => {
    const nearness = (a: string, b: string) => {
      const [one, other] = [embedText(table, a), embedText(table, b)];
      return one.reduce((sum, value, at) => sum + value * (other[at] as number), 0);
    };
    const english = 'merge several PDF files into one document';
    for (const other of [
      '合并多个PDF文件',
      'Mehrere PDF-Dateien zusammenführen',
      'combinar varios archivos PDF',
      '複数のPDFファイルを結合する',
    ]) {
      expect(nearness(english, other), other).toBeGreaterThan(
        nearness(english, 'a recipe for lasagne with spinach') + 0.2,
      );
    }
  });
});

describe('the embedding of a skill', () => {
  it('is made of its name, its description and the beginning of its text', () => {
    const skill = { name: 'pdf-merge_tool:main', description: 'Combine documents.', body: 'Use qpdf.\n' };
    const parts = ['pdf merge tool main', skill.description, skill.body].map(embeddingOf);
    const sum = Array.from({ length: dimensions }, (_, at) => {
      const [name = 0, description = 0, body = 0] = parts.map((part) => part[at] ?? 0);
      return 0.5 * name + description + body;
    });
    const length = Math.hypot(...sum);
    expectSame(
      embedSkill(table, skill),
      sum.map((value) => value / length),
      'skill',
    );
  });

  it('leaves out code, addresses and what comes after 400 words', () => {
    expect(proseOf('See [the guide](https://example.org/x) or https://example.org/y now.').split(/\s+/)).toEqual([
      'See',
      '[the',
      'guide]',
      'or',
      'now.',
    ]);
    const fenced = 'Before.\n```sh\nrm -rf everything\n```\nBetween.\n~~~~\nold\n~~~\nstill\n~~~~\nAfter.\n';
    expect(proseOf(fenced)).toMatch(/Before\.[\s\S]*Between\.[\s\S]*After\.$/);
    for (const word of ['everything', 'old', 'still']) expect(proseOf(fenced)).not.toContain(word);
    expect(proseOf('Before.\n```\nnever closed')).not.toContain('closed');
    expect(proseOf('word '.repeat(2000)).split(' ')).toHaveLength(400);
    expect(proseOf('')).toBe('');
  });
});

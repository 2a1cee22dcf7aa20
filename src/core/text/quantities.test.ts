import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCount, parseDuration, parseSize } from './amounts.ts';
import { durationInWords, sizeInWords } from './quantities.ts';

it.each([
  ['30s', 30_000],
  ['500ms', 500],
  ['5m', 300_000],
  ['5 min', 300_000],
  ['1h', 3_600_000],
  ['1m30s', 90_000],
  ['1.5s', 1500],
  ['1H 2S', 3_602_000],
  ['45', 45_000],
  [45, 45_000],
  [0.25, 250],
])('%j lasts %d ms', (text, ms) => {
  expect(parseDuration(text)).toEqual({ ok: true, value: ms });
});

it.each([
  ['256MB', 256 * 1024 ** 2],
  ['1MiB', 1024 ** 2],
  ['1 GiB', 1024 ** 3],
  ['512k', 512 * 1024],
  ['1.5Mi', 1.5 * 1024 ** 2],
  ['100', 100],
  ['7b', 7],
  [4096, 4096],
])('%j is %d bytes', (text, bytes) => {
  expect(parseSize(text)).toEqual({ ok: true, value: bytes });
});

it.each(['', ' ', '0', '0s', '-1s', 's', '1x', '1s1', '1 s x', '1sm', 'Infinity', '1e3s', '٣s', `${'9'.repeat(400)}h`])(
  '%j is not a duration',
  (text) => {
    expect(parseDuration(text)).toMatchObject({ ok: false, remedy: expect.stringContaining('"30s"') });
  },
);

it.each(['', '0', '-1', 'MB', '1XB', '1 MB MB', 'constructor', '1constructor', `${'9'.repeat(400)}`, '0.2'])(
  '%j is not a size',
  (text) => {
    expect(parseSize(text)).toMatchObject({ ok: false, remedy: expect.stringContaining('"256MB"') });
  },
);

it.each([null, undefined, true, [], {}, Number.NaN, Number.POSITIVE_INFINITY, -1, 0])(
  '%j is not a quantity',
  (value) => {
    for (const parse of [parseDuration, parseSize, parseCount]) expect(parse(value).ok).toBe(false);
  },
);

it('a value that cannot be converted to text is not a quantity', () => {
  // A table parsed from TOML has no prototype, and so nothing that a number could be made of.
  const table = Object.create(null) as unknown;
  for (const value of [table, [table]])
    for (const parse of [parseDuration, parseSize, parseCount]) expect(parse(value).ok).toBe(false);
});

it('counts are whole numbers', () => {
  expect(parseCount(64)).toEqual({ ok: true, value: 64 });
  for (const value of [1.5, '64', 2 ** 60]) expect(parseCount(value).ok).toBe(false);
});

it('a quantity in words is read back as nearly the same value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 45 }), (amount) => {
      for (const [said, parse] of [
        [durationInWords(amount), parseDuration],
        [sizeInWords(amount).replace(/bytes?/, 'b'), parseSize],
      ] as const) {
        const back = parse(said);
        expect(back.ok && Math.abs(back.value - amount) / amount).toBeLessThan(0.01);
      }
    }),
  );
});

it.each([
  [0, '0 ms'],
  [0.4, '0.4 ms'],
  [500, '500 ms'],
  [999.6, '1 s'],
  [1000, '1 s'],
  [1234, '1.23 s'],
  [59_960, '1 min'],
  [60_000, '1 min'],
  [90_000, '1 min 30 s'],
  [3_599_600, '1 h'],
  [5_400_000, '1 h 30 min'],
])('%d ms are %s', (ms, words) => {
  expect(durationInWords(ms)).toBe(words);
});

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 kB'],
  [1536, '1.5 kB'],
  [1024 ** 2 - 1, '1 MB'],
  [33_554_432, '32 MB'],
  [768 * 1024 ** 2, '768 MB'],
  [8 * 1024 ** 3, '8 GB'],
  [5000 * 1024 ** 4, '5000 TB'],
])('%d bytes are %s', (bytes, words) => {
  expect(sizeInWords(bytes)).toBe(words);
});

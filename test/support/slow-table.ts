/** What a table of word vectors says, read as slowly and plainly as can be: to compare the real reader with. */
export interface SlowTable {
  readonly header: Readonly<Record<'sign' | 'version' | 'words' | 'buckets' | 'dimensions' | 'bits', number>>;
  readonly vocabulary: ReadonlyMap<string, number>;
  /** What a token adds to a sum. */
  readonly rowOf: (token: string) => number[];
  /** The embedding of a text, of length 1. */
  readonly embeddingOf: (text: string) => number[];
}

/**
 * Eight whole numbers: sign, version, words, buckets, dimensions, bits, bytes of text, nothing. The words, a line each,
 * filled up with line ends to sixteen bytes. A scale for every row. The rows, two components in a byte, the first in
 * its lower half, 8 for zero.
 */
export function slowTable(bytes: Buffer): SlowTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const number = (at: number) => view.getUint32(at * 4, true);
  const header = {
    sign: number(0),
    version: number(1),
    words: number(2),
    buckets: number(3),
    dimensions: number(4),
    bits: number(5),
  };
  const { words, buckets, dimensions } = header;
  const textBytes = number(6);
  const lines = bytes.toString('utf8', 32, 32 + textBytes).split('\n');
  const vocabulary = new Map(lines.slice(0, words).map((word, row) => [word, row]));
  const scalesAt = 32 + textBytes + ((16 - (textBytes % 16)) % 16);
  const places = Array.from({ length: dimensions }, (_, at) => at);

  function read(row: number): number[] {
    const scale = view.getFloat32(scalesAt + row * 4, true);
    const start = scalesAt + (words + buckets) * 4 + (row * dimensions) / 2;
    return places.map((at) => {
      const pair = view.getUint8(start + Math.floor(at / 2));
      return ((at % 2 === 0 ? pair % 16 : Math.floor(pair / 16)) - 8) * scale;
    });
  }

  const sumOf = (rows: readonly number[][]) => places.map((at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0));

  function rowOf(token: string): number[] {
    const known = vocabulary.get(token);
    if (known !== undefined) return read(known);
    if (sign.test(token)) return sumOf([]);
    const grams = gramsOf(`<${token}>`);
    return sumOf(grams.map((gram) => read(words + (fnv(gram) % buckets)))).map((value) => value / grams.length);
  }

  function embeddingOf(text: string): number[] {
    const sum = sumOf(tokensOf(text).slice(0, 256).map(rowOf));
    const length = Math.hypot(...sum);
    return length === 0 ? sum : sum.map((value) => value / length);
  }

  return { header, vocabulary, rowOf, embeddingOf };
}

const signs = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー';
const sign = new RegExp(`^[${signs}]`, 'u');
/** Signs in a row, or letters and digits that are none. */
const runs = new RegExp(`[${signs}]+|(?:(?![${signs}])[\\p{L}\\p{N}])+(?:\\+\\+|#)?`, 'gu');

function tokensOf(text: string): string[] {
  const spaced = text.normalize('NFKC').replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ');
  return (spaced.toLowerCase().match(runs) ?? []).flatMap((run) => {
    if (!sign.test(run)) return [run.normalize('NFD').replace(/[\u0300-\u036f]/g, '')];
    const each = Array.from(run);
    return each.flatMap((one, at) => (at + 1 < each.length ? [one, `${one}${each[at + 1]}`] : [one]));
  });
}

function gramsOf(framed: string): string[] {
  return [3, 4, 5].flatMap((size) =>
    Array.from({ length: Math.max(0, framed.length - size + 1) }, (_, at) => framed.slice(at, at + size)),
  );
}

/** FNV-1a, by the book. */
function fnv(text: string): number {
  let hash = 2_166_136_261n;
  for (let at = 0; at < text.length; at++) hash = ((hash ^ BigInt(text.charCodeAt(at))) * 16_777_619n) % 2n ** 32n;
  return Number(hash);
}

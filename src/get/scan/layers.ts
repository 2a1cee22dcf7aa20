import { replaceHidden } from '../../core/text/hidden.ts';
import { looksOf } from '../../skill/confusables.ts';
import { fromBase32, fromBase64, fromHex, fromPercent, isReadable, unescaped, unpacked } from './code/decode.ts';

/** A text that was hidden in another one, with the encodings that had to be undone. */
export interface Layer {
  readonly text: string;
  readonly layers: readonly string[];
  readonly offset: number;
}

interface Encoding {
  readonly name: string;
  readonly form: RegExp;
  readonly decode: (text: string) => string | null;
  /** The signs of which a text must have one to be searched as a whole. */
  readonly signs: readonly string[];
  /** Whether it also stands in runs of characters without any sign: only those are searched otherwise. */
  readonly inRuns?: boolean;
}

const encodings: readonly Encoding[] = [
  {
    name: 'base64',
    form: /(?:[A-Za-z0-9+/]{24,}={0,2}(?:\r?\n(?=[A-Za-z0-9+/]))?)+|[A-Za-z0-9_-]{40,}={0,2}/g,
    decode: fromBase64,
    signs: [],
    inRuns: true,
  },
  {
    name: 'hex',
    form: /(?:\b|\\x|0x)[\da-fA-F]{32,}\b|(?:(?:\\x|0x)[\da-fA-F]{2}[,\s]{0,2}){8,}/g,
    decode: fromHex,
    signs: ['\\x', '0x'],
    inRuns: true,
  },
  { name: 'percent', form: /(?:%[\da-fA-F]{2}[\w./:~-]{0,3}){8,}/g, decode: fromPercent, signs: ['%'] },
  {
    name: 'escapes',
    form: /(?:\\u\{?[\da-fA-F]{4}\}?){6,}|(?:\\[0-7]{3}){8,}/g,
    decode: (text) => unescaped(text),
    signs: ['\\'],
  },
  {
    name: 'entities',
    form: /(?:&#x?[\da-fA-F]{2,4};){6,}/g,
    decode: (text) =>
      text.replace(/&#(x?)([\da-f]+);/gi, (_, x: string, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, x === '' ? 10 : 16)),
      ),
    signs: ['&#'],
  },
  { name: 'base32', form: /\b[A-Z2-7]{40,}={0,6}/g, decode: fromBase32, signs: [], inRuns: true },
];

const most = { layers: 60, depth: 4, bytes: 200_000 };

/** Every text that is hidden in a text, layer by layer. */
export function layersIn(text: string, layers: readonly string[] = [], offset = 0): Layer[] {
  if (layers.length >= most.depth) return [];
  const found: Layer[] = [];
  for (const { name, decode, blob, index } of blobsIn(text)) {
    if (found.length >= most.layers) return found;
    const layer = layerOf(blob, name, decode, layers);
    if (layer === null) continue;
    const at = layers.length === 0 ? index : offset;
    found.push({ ...layer, offset: at }, ...layersIn(layer.text, layer.layers, at));
  }
  return found;
}

interface Blob extends Pick<Encoding, 'name' | 'decode'> {
  readonly blob: string;
  readonly index: number;
}

/** Everything in a text that has the form of an encoding. */
function* blobsIn(text: string): Generator<Blob> {
  const runs = longRuns(text);
  for (const { name, form, decode, signs, inRuns = false } of encodings) {
    const isSigned = signs.some((sign) => text.includes(sign));
    for (const [from, to] of isSigned ? [[0, text.length] as const] : inRuns ? runs : [])
      for (const { 0: blob, index } of text.slice(from, to).matchAll(form))
        yield { name, decode, blob, index: from + index };
  }
}

/** The shortest run of characters in which something is looked for. */
const shortestRun = 24;
/** The characters of base64, of both kinds: those of base32 and hexadecimal numbers are among them. */
const dense = new Uint8Array(128);
for (const one of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-') dense[one.charCodeAt(0)] = 1;

/**
 * The parts of a text that have enough of these characters in a row, with the characters around them; rows that go on
 * after padding or in the next line are one part. Only every so many characters are looked at: expressions would look at each many times.
 */
function longRuns(text: string): (readonly [from: number, to: number])[] {
  const runs: [number, number][] = [];
  const isDense = (at: number): boolean => dense[text.charCodeAt(at)] === 1;
  for (let at = shortestRun - 1; at < text.length; at += shortestRun) {
    if (!isDense(at)) continue;
    let [from, to] = [at, at + 1];
    while (from > 0 && isDense(from - 1)) from--;
    while (to < text.length && isDense(to)) to++;
    at = to;
    if (to - from < shortestRun) continue;
    const last = runs.at(-1);
    const goesOn = last !== undefined && /^={0,2}(?:\r?\n)?$/.test(text.slice(last[1], from));
    if (goesOn) last[1] = to;
    else runs.push([from, to]);
  }
  return runs.map(([from, to]) => [Math.max(0, from - 1), to + 6]);
}

function layerOf(
  blob: string,
  name: string,
  decode: Encoding['decode'],
  layers: readonly string[],
): Omit<Layer, 'offset'> | null {
  const plain = blob.length > most.bytes ? null : decode(blob);
  if (plain === null || plain === blob) return null;
  const [text, via] = isReadable(plain) ? [plain, [name]] : packedIn(plain, name);
  return text === null ? null : { text, layers: [...layers, ...via] };
}

function packedIn(plain: string, name: string): [string | null, readonly string[]] {
  if (!/^(?:\u001f\u008b|\u0078[\u0001\u005e\u009c\u00da])/.test(plain)) return [null, []];
  const text = unpacked(plain);
  return text !== null && isReadable(text) ? [text, [name, 'gzip']] : [null, []];
}

const digits: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' };
/** Digits beside letters. */
const mingled = /[a-z][013457@$]|[013457@$][a-z]/i;
/** The shape without which a line has no letters that stand apart: letters of all scripts are slow to look for. */
const seemsSpaced = /(?:[^\s._*|-]{1,2}[ ._*|-]){4}\S/;
const spaced = /(?<![\p{L}\d])(?:\p{L}([ ._*|-]))(?:\p{L}\1){3,}\p{L}(?![\p{L}\d])/gu;

/** A line whose letters stand apart, or have digits in their places; null for one that is written as usual. */
export function respelled(line: string): string | null {
  const whole = seemsSpaced.test(line)
    ? line.replace(spaced, (letters, sign: string) => letters.replaceAll(sign, ''))
    : line;
  if (!mingled.test(whole)) return whole === line ? null : whole;
  const plain = whole.replace(/[\w@$]+/g, (word) =>
    word.length < 40 && mingled.test(word) ? word.replace(/[013457@$]/g, (sign) => digits[sign] ?? sign) : word,
  );
  return plain === line ? null : plain;
}

/** Letters of two alphabets in a row, and letters that only look like others. */
const mixed = /[A-Za-z][\u0370-\u058f\uff00-\uffef]|[\u0370-\u058f][A-Za-z]|[\uff21-\uff5a]|[\u{1d400}-\u{1d7ff}]/u;

/** A line as a model reads it: without what cannot be seen, and with plain letters for those that look like them. */
export function plainly(line: string): string {
  const seen = replaceHidden(line, () => '');
  if (!mixed.test(seen)) return seen; // no word of it is: letters of all scripts are slow to look for
  // Only words that mix alphabets are misleading; a text in Russian is a text in Russian.
  return seen.replace(/[\p{L}\d\u{1d400}-\u{1d7ff}]+/gu, (word) => (mixed.test(word) ? looksOf(word) : word));
}

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
}

const encodings: readonly Encoding[] = [
  {
    name: 'base64',
    form: /(?:[A-Za-z0-9+/]{24,}={0,2}(?:\r?\n(?=[A-Za-z0-9+/]))?)+|[A-Za-z0-9_-]{40,}={0,2}/g,
    decode: fromBase64,
  },
  { name: 'hex', form: /(?:\b|\\x|0x)[\da-fA-F]{32,}\b|(?:(?:\\x|0x)[\da-fA-F]{2}[,\s]{0,2}){8,}/g, decode: fromHex },
  { name: 'percent', form: /(?:%[\da-fA-F]{2}[\w./:~-]{0,3}){8,}/g, decode: fromPercent },
  { name: 'escapes', form: /(?:\\u\{?[\da-fA-F]{4}\}?){6,}|(?:\\[0-7]{3}){8,}/g, decode: (text) => unescaped(text) },
  {
    name: 'entities',
    form: /(?:&#x?[\da-fA-F]{2,4};){6,}/g,
    decode: (text) =>
      text.replace(/&#(x?)([\da-f]+);/gi, (_, x: string, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, x === '' ? 10 : 16)),
      ),
  },
  { name: 'base32', form: /\b[A-Z2-7]{40,}={0,6}/g, decode: fromBase32 },
];

const most = { layers: 60, depth: 4, bytes: 200_000 };

/** Every text that is hidden in a text, layer by layer. */
export function layersIn(text: string, layers: readonly string[] = [], offset = 0): Layer[] {
  if (layers.length >= most.depth) return [];
  const found: Layer[] = [];
  for (const { name, form, decode } of encodings) {
    for (const { 0: blob, index } of text.matchAll(form)) {
      if (found.length >= most.layers) return found;
      const layer = layerOf(blob, name, decode, layers);
      if (layer === null) continue;
      const at = layers.length === 0 ? index : offset;
      found.push({ ...layer, offset: at }, ...layersIn(layer.text, layer.layers, at));
    }
  }
  return found;
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
const spaced = /(?<![\p{L}\d])(?:\p{L} ){4,}\p{L}(?![\p{L}\d])/gu;

/** A line whose letters stand apart, or have digits in their places; null for one that is written as usual. */
export function respelled(line: string): string | null {
  const plain = line
    .replace(spaced, (letters) => letters.replaceAll(' ', ''))
    .replace(/[\w@$]+/g, (word) =>
      word.length < 40 && /[a-z][013457@$]|[013457@$][a-z]/i.test(word)
        ? word.replace(/[013457@$]/g, (sign) => digits[sign] ?? sign)
        : word,
    );
  return plain === line ? null : plain;
}

/** Letters of two alphabets in a row, and letters that only look like others. */
const mixed = /[A-Za-z][\u0370-\u058f\uff00-\uffef]|[\u0370-\u058f][A-Za-z]|[\uff21-\uff5a]|[\u{1d400}-\u{1d7ff}]/u;

/** A line as a model reads it: without what cannot be seen, and with plain letters for those that look like them. */
export function plainly(line: string): string {
  const seen = replaceHidden(line, () => '');
  // Only words that mix alphabets are misleading; a text in Russian is a text in Russian.
  return seen.replace(/[\p{L}\d\u{1d400}-\u{1d7ff}]+/gu, (word) => (mixed.test(word) ? looksOf(word) : word));
}

import { reversed } from './decode.ts';

/** A text in quotes, without escapes and others inside. */
const quoted = String.raw`(?:'([^'\\\n]{0,2000})'|"([^"\\\n$]{0,2000})")`;
/** Numbers of characters, one after the other. */
const codes = String.raw`((?:(?:0x[\da-f]{2}|\d{1,3})\s*,\s*){2,2000}(?:0x[\da-f]{2}|\d{1,3}))`;
/** Several texts in quotes. */
const texts = String.raw`((?:['"][^'"\\\n]{0,200}['"]\s*,\s*){1,400}['"][^'"\\\n]{0,200}['"])`;

type Fold = (...groups: (string | undefined)[]) => string | null;

const literal = (text: string): string | null => (/['\n]/.test(text) ? null : `'${text}'`);
const spelled: Fold = (numbers = '') =>
  literal(
    numbers
      .split(',')
      .map((one) => String.fromCharCode(Number(one)))
      .join(''),
  );
const listed = (list = ''): string[] => Array.from(list.matchAll(/(['"])(.*?)\1/g), ([, , text = '']) => text);

/** Ways in which languages put texts together, and the text that comes of each. */
const folds: readonly (readonly [RegExp, Fold])[] = [
  [
    /\b(?:chr|chrw|char)\$?\s*\(\s*(0x[\da-f]{2}|\d{2,3})\s*\)|\[char\]\s*\(?\s*(0x[\da-f]{2}|\d{2,3})\b\s*\)?/gi,
    (a, b) => spelled(a ?? b),
  ],
  [new RegExp(String.raw`\[\s*${codes}\s*\]\s*\.pack\s*\(?\s*['"][cCU]\*['"]\s*\)?`, 'gi'), spelled],
  [new RegExp(String.raw`\bpack\s*\(?\s*['"][cCUW]\*['"]\s*,\s*\(?${codes}\)?\s*\)?`, 'gi'), spelled],
  [new RegExp(String.raw`-join\s*\(*\s*\[char\[\]\]\s*\(?\s*${codes}\s*\)*`, 'gi'), spelled],
  [
    new RegExp(String.raw`\[\s*${texts}\s*\]\.join(?:\s*\(\s*(?:''|"")?\s*\))?`, 'g'),
    (list) => literal(listed(list).join('')),
  ],
  [
    new RegExp(String.raw`\bimplode\s*\(\s*(?:''|"")\s*,\s*(?:\[|array\()\s*${texts}\s*[\])]\s*\)`, 'gi'),
    (list) => literal(listed(list).join('')),
  ],
  [new RegExp(String.raw`-join\s*\(\s*${texts}\s*\)`, 'gi'), (list) => literal(listed(list).join(''))],
  [
    /%w[[({]((?:\S{1,20} ){1,200}\S{1,20})[\])}]\.join(?:\(\s*(?:''|"")?\s*\))?/g,
    (list = '') => literal(list.replaceAll(' ', '')),
  ],
  [
    new RegExp(
      String.raw`\(?\s*['"]((?:[^'"\n]{0,40}\{\d\}){1,20}[^'"\n]{0,40})['"]\s*-f\s*\(?\s*(?:${texts}|${quoted})\s*\)?\s*\)?`,
      'gi',
    ),
    (format = '', list, one, other) => {
      const parts = list === undefined ? [one ?? other ?? ''] : listed(list);
      return literal(format.replace(/\{(\d)\}/g, (_, index: string) => parts[Number(index)] ?? ''));
    },
  ],
  [
    new RegExp(
      String.raw`\bstrrev\s*\(\s*${quoted}\s*\)|\b(?:scalar\s+)?reverse\s*\(?\s*${quoted}\s*\)?|${quoted}\.reverse\b(?:\(\))?`,
      'g',
    ),
    (...found) => literal(reversed(found.slice(0, 6).find((one) => one !== undefined) ?? '')),
  ],
  [
    new RegExp(String.raw`${quoted}[ \t]*(?:\+|\.\.?|&|~)[ \t]*${quoted}`, 'g'),
    (a, b, c, d) => literal(`${a ?? b ?? ''}${c ?? d ?? ''}`),
  ],
  // A name that is looked up by its text.
  [/(?<=[\w)]\s*)\.\s*\(\s*'(\w+)'\s*\)(?:\.Invoke)?/g, (name = '') => `.${name}`],
  [/&\s*\(?\s*'([\w-]+)'\s*\)?/g, (name = '') => name],
  [/'(\w+)'(?=\s*\()/g, (name = '') => name],
  [
    /\b(?:Kernel\.|Object\.|self\.)?(?:send|public_send|__send__|call_user_func|call_user_func_array)\s*\(?\s*:?['"](\w+)['"]\s*,\s*/g,
    (name = '') => `${name} `,
  ],
];

const ticks = /\b[\w-]+(?:`[\w-]+)+\b/g;
const constant =
  /^[ \t]*(?:(?:const|let|var|my|local|our|dim|set)\s+)?([$@]?\w+)\s*:?=\s*(?:'([^'\n]{1,400})'|"([^"\n$\\]{1,400})")\s*;?[ \t]*$/gim;
/** Signs without which nothing is put together. */
const signs =
  /['"]\s*(?:[+&~]|\.{1,2})\s*['"]|\bchr\w?\$?\s*\(|\[char|strrev|reverse|pack\s*\(?|join|implode|-f\s*\(?['"]|\w`\w|&\s*\(?\s*['"$]|\$\w+\s*\(|send|call_user_func/i;

/** A program in which texts that are put together of parts stand as a whole, line by line as before. */
export function folded(text: string): string {
  if (text.length > 100_000 || !signs.test(text)) return text;
  let now = text.replace(ticks, (word) => (/^`|`$/.test(word) ? word : word.replaceAll('`', '')));
  for (let round = 0; round < 6; round++) {
    const before = now;
    for (const [form, fold] of folds)
      now = now.replace(form, (...found: unknown[]) => {
        // What was found, its groups, the place and the whole.
        const [whole = '', ...groups] = found.slice(0, -2) as (string | undefined)[];
        return fold(...groups) ?? whole;
      });
    now = withConstants(now);
    if (now === before || now.length > 200_000) break;
  }
  return now;
}

/** Puts texts in the place of the names that are given them once. */
function withConstants(text: string): string {
  const values = new Map<string, string | null>();
  for (const [, name = '', single, double] of text.matchAll(constant))
    values.set(name, values.has(name) ? null : (single ?? double ?? ''));
  const names = [...values]
    .filter(([, value]) => value !== null && !value?.includes("'"))
    .slice(0, 40)
    .map(([name]) => name);
  if (names.length === 0) return text;
  const uses = new RegExp(
    `(?<![\\w$@.'"])(?:${names.map((name) => name.replace(/[$@]/g, '\\$&')).join('|')})(?![\\w'"])(?!\\s*:?=(?!=))`,
    'g',
  );
  return text.replace(uses, (name) => `'${values.get(name) ?? ''}'`);
}

import { reversed } from './decode.ts';

// Blanks are not repeated without end: an expression is tried at every place, and a stranger's file may be one long blank.

/** A text in quotes, without escapes and others inside. */
const quoted = String.raw`(?:'([^'\\\n]{0,2000})'|"([^"\\\n$]{0,2000})")`;
/** Numbers of characters, one after the other. */
const codes = String.raw`((?:(?:0x[\da-f]{2}|\d{1,3})\s{0,40},\s{0,40}){2,2000}(?:0x[\da-f]{2}|\d{1,3}))`;
/** Several texts in quotes. */
const texts = String.raw`((?:['"][^'"\\\n]{0,200}['"]\s{0,40},\s{0,40}){1,400}['"][^'"\\\n]{0,200}['"])`;

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
    /\b(?:chr|chrw|char)\$?\s{0,40}\(\s{0,40}(0x[\da-f]{2}|\d{2,3})\s{0,40}\)|\[char\]\s{0,40}\(?\s{0,40}(0x[\da-f]{2}|\d{2,3})\b\s{0,40}\)?/gi,
    (a, b) => spelled(a ?? b),
  ],
  [
    new RegExp(
      String.raw`\[\s{0,40}${codes}\s{0,40}\]\s{0,40}\.pack\s{0,40}\(?\s{0,40}['"][cCU]\*['"]\s{0,40}\)?`,
      'gi',
    ),
    spelled,
  ],
  [
    new RegExp(String.raw`\bpack\s{0,40}\(?\s{0,40}['"][cCUW]\*['"]\s{0,40},\s{0,40}\(?${codes}\)?\s{0,40}\)?`, 'gi'),
    spelled,
  ],
  [new RegExp(String.raw`-join\s{0,40}\(*\s{0,40}\[char\[\]\]\s{0,40}\(?\s{0,40}${codes}\s{0,40}\)*`, 'gi'), spelled],
  [
    new RegExp(String.raw`\[\s{0,40}${texts}\s{0,40}\]\.join(?:\s{0,40}\(\s{0,40}(?:''|"")?\s{0,40}\))?`, 'g'),
    (list) => literal(listed(list).join('')),
  ],
  [
    new RegExp(
      String.raw`\bimplode\s{0,40}\(\s{0,40}(?:''|"")\s{0,40},\s{0,40}(?:\[|array\()\s{0,40}${texts}\s{0,40}[\])]\s{0,40}\)`,
      'gi',
    ),
    (list) => literal(listed(list).join('')),
  ],
  [new RegExp(String.raw`-join\s{0,40}\(\s{0,40}${texts}\s{0,40}\)`, 'gi'), (list) => literal(listed(list).join(''))],
  [
    /%w[[({]((?:\S{1,20} ){1,200}\S{1,20})[\])}]\.join(?:\(\s{0,40}(?:''|"")?\s{0,40}\))?/g,
    (list = '') => literal(list.replaceAll(' ', '')),
  ],
  [
    new RegExp(
      String.raw`\(?\s{0,40}['"]((?:[^'"\n]{0,40}\{\d\}){1,20}[^'"\n]{0,40})['"]\s{0,40}-f\s{0,40}\(?\s{0,40}(?:${texts}|${quoted})\s{0,40}\)?\s{0,40}\)?`,
      'gi',
    ),
    (format = '', list, one, other) => {
      const parts = list === undefined ? [one ?? other ?? ''] : listed(list);
      return literal(format.replace(/\{(\d)\}/g, (_, index: string) => parts[Number(index)] ?? ''));
    },
  ],
  [
    new RegExp(
      String.raw`\bstrrev\s{0,40}\(\s{0,40}${quoted}\s{0,40}\)|\b(?:scalar\s{1,40})?reverse\s{0,40}\(?\s{0,40}${quoted}\s{0,40}\)?|${quoted}\.reverse\b(?:\(\))?`,
      'g',
    ),
    (...found) => literal(reversed(found.slice(0, 6).find((one) => one !== undefined) ?? '')),
  ],
  [
    new RegExp(String.raw`${quoted}[ \t]{0,40}(?:\+|\.\.?|&|~)[ \t]{0,40}${quoted}`, 'g'),
    (a, b, c, d) => literal(`${a ?? b ?? ''}${c ?? d ?? ''}`),
  ],
  // A name that is looked up by its text.
  [/(?<=[\w)]\s{0,40})\.\s{0,40}\(\s{0,40}'(\w+)'\s{0,40}\)(?:\.Invoke)?/g, (name = '') => `.${name}`],
  [/&\s{0,40}\(?\s{0,40}'([\w-]+)'\s{0,40}\)?/g, (name = '') => name],
  [/'(\w+)'(?=\s{0,40}\()/g, (name = '') => name],
  [
    /\b(?:Kernel\.|Object\.|self\.)?(?:send|public_send|__send__|call_user_func|call_user_func_array)\s{0,40}\(?\s{0,40}:?['"](\w+)['"]\s{0,40},\s{0,40}/g,
    (name = '') => `${name} `,
  ],
];

const ticks = /\b[\w-]+(?:`[\w-]+)+\b/g;
const constant =
  /^[ \t]{0,40}(?:(?:const|let|var|my|local|our|dim|set)\s{1,40})?([$@]?\w+)\s{0,40}:?=\s{0,40}(?:'([^'\n]{1,400})'|"([^"\n$\\]{1,400})")\s{0,40};?[ \t]{0,40}$/gim;
/** Signs without which nothing is put together. */
const signs =
  /['"]\s{0,40}(?:[+&~]|\.{1,2})\s{0,40}['"]|\bchr\w?\$?\s{0,40}\(|\[char|strrev|reverse|pack\s{0,40}\(?|join|implode|-f\s{0,40}\(?['"]|\w`\w|&\s{0,40}\(?\s{0,40}['"$]|\$\w+\s{0,40}\(|send|call_user_func/i;

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
    `(?<![\\w$@.'"])(?:${names.map((name) => name.replace(/[$@]/g, '\\$&')).join('|')})(?![\\w'"])(?!\\s{0,40}:?=(?!=))`,
    'g',
  );
  return text.replace(uses, (name) => `'${values.get(name) ?? ''}'`);
}

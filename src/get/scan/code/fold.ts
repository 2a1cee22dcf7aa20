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

/** Ways in which languages name the home folder. */
const home =
  /\$ENV\{['"]?HOME['"]?\}|(?:#\{)?(?:ENV(?:\.fetch\(|\[)['"]HOME['"][\])]|Dir\.home|File\.expand_path\(['"]~['"]\))\}?|\$_(?:SERVER|ENV)\[['"]HOME['"]\]|(?:os\.)?[Gg]et[Ee]nv\(\s{0,8}['"](?:HOME|USERPROFILE)['"]\s{0,8}\)|(?:System\.getProperty\("user\.home"\)|(?:std::)?env::var\("HOME"\)(?:\.unwrap\(\)|\?)?|(?:dirs|home)::home_dir\(\)(?:\.unwrap\(\)|\?)?|os\.environ\.get\(['"]HOME['"]\)|NSHomeDirectory\(\)|\(?POSIX path of \(path to home folder\)\)?|\[Environment\]::GetFolderPath\(['"]UserProfile['"]\))/g;
/** Names that programs give to it, where a call finds it. */
const homeName =
  /^[ \t]{0,40}(?:(?:let|var|const|my|local)\s{1,8})?([$@]?\w{1,40})(?:\s{0,8},\s{0,8}\w{1,20})?\s{0,8}:?=\s{0,8}(?:os\.UserHomeDir\(\)|homedir\.Dir\(\)|user\.Current\(\))/gm;

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
  // Folders and names that become a path.
  [
    /\b(?:filepath\.Join|path\.join|Path\.Combine|File\.join|Paths\.get|Path\.of|Join-Path|path\.Join)\s{0,8}\(?\s{0,8}((?:['"][^'"\\\n]{0,200}['"]\s{0,8},?\s{0,8}){2,12})\s{0,8}\)?/g,
    (list) => literal(listed(list).join('/')),
  ],
  [
    new RegExp(String.raw`${quoted}\.(?:join|push)\s{0,8}\(\s{0,8}${quoted}\s{0,8}\)`, 'g'),
    (a, b, c, d) => literal(`${a ?? b ?? ''}/${c ?? d ?? ''}`),
  ],
  // A list of words: each on its own.
  [
    /%w[[({]((?:\S{1,60} ){0,40}\S{1,60})[\])}](?!\.join)/g,
    (list = '') =>
      `[${list
        .split(' ')
        .map((one) => `'~/${one}'`.replace('~/~', '~').replace('~//', '/'))
        .join(',')}]`,
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
  /['"]\s{0,40}(?:[+&~]|\.{1,2})\s{0,40}['"]|\bchr\w?\$?\s{0,40}\(|\[char|strrev|reverse|pack\s{0,40}\(?|[Jj]oin|implode|Combine|Paths\.get|%w|-f\s{0,40}\(?['"]|\w`\w|&\s{0,40}\(?\s{0,40}['"$]|\$\w+\s{0,40}\(|send|call_user_func/i;

/** A program in which texts that are put together of parts stand as a whole, line by line as before. */
export function folded(text: string): string {
  if (text.length > 100_000) return text;
  const plain = withHome(expanded(text));
  if (!signs.test(plain)) return withConstants(plain);
  let now = plain.replace(ticks, (word) => (/^`|`$/.test(word) ? word : word.replaceAll('`', '')));
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

/** A program in which the home folder has one name. */
function withHome(text: string): string {
  if (!/home/i.test(text) && !text.includes('USERPROFILE')) return text;
  let now = text.replace(home, (found, at: number) => {
    // Inside a text it becomes a part of it.
    const quote = /["'][^"'\n]{0,200}$/.exec(text.slice(Math.max(0, at - 200), at)) !== null && /^[$#]/.test(found);
    return quote ? '~' : "'~'";
  });
  for (const [, name = ''] of now.matchAll(homeName))
    if (/^\w+$/.test(name))
      now = now.replace(
        new RegExp(`(?<![\\w.'"])${name}(?=\\s{0,8}[,+)])(?!\\s{0,8},\\s{0,8}\\w{1,20}\\s{0,8}:?=)`, 'g'),
        "'~'",
      );
  return now;
}

/** A batch file with its variables written out: `set a=pow` and `%a%ershell`, and the carets that mean nothing. */
function expanded(text: string): string {
  if (!/^\s{0,40}@?set\s+"?\w+=/im.test(text) && !/\w\^\w/.test(text)) return text;
  if (!/^\s{0,40}@?(?:echo\s+off|set\s+"?\w+=|rem\b|::)/im.test(text)) return text;
  const values = new Map<string, string>();
  return text
    .split('\n')
    .map((line) => {
      const now = line
        .replace(/(\w)\^(?=\w)/g, '$1')
        .replace(
          /%(\w{1,40})(?::~(-?\d{1,3})(?:,(-?\d{1,3}))?)?%/g,
          (whole, name: string, from = '0', length?: string) => {
            const value = values.get(name.toLowerCase());
            if (value === undefined) return /^[A-Z_]{3,}$/i.test(name) ? whole : '';
            return value.slice(Number(from)).slice(0, length === undefined ? undefined : Number(length));
          },
        );
      const [, name, value = ''] = /^\s{0,40}@?set\s+"?(\w{1,40})=([^"\r\n]{0,400})/i.exec(now) ?? [];
      if (name !== undefined && values.size < 200) values.set(name.toLowerCase(), value.trim());
      return now;
    })
    .join('\n');
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
  const put = text.replace(uses, (name) => `'${values.get(name) ?? ''}'`);
  // Inside texts in double quotes: "$name/…", "${name}/…", "#{name}/…".
  return put.replace(/(?:\$\{?|#\{)(\w{1,40})\}?(?=[^"\n]{0,200}")/g, (whole, name: string) => {
    const value = values.get(`$${name}`) ?? values.get(name);
    return typeof value === 'string' && names.some((one) => one === name || one === `$${name}`) ? value : whole;
  });
}

/** Kinds of things that have a colour. */
export type Kind = 'comment' | 'string' | 'number' | 'keyword' | 'name' | 'heading' | 'mark';

export interface Token {
  readonly kind: Kind | null;
  readonly text: string;
}

/**
 * A language: one expression whose named groups are kinds, and its keywords. What may span lines matches to the end of
 * the text if it has no end of its own, so that it is never looked for again.
 */
interface Language {
  readonly rules: RegExp;
  readonly keywords: ReadonlySet<string>;
  /** The language of a piece that is in another one; null for any other piece. */
  readonly inner?: (piece: string) => string | null;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const [number, word] = [String.raw`(?<number>\b\d[\w.]*)`, String.raw`(?<word>[\p{L}_$][\p{L}\p{N}_$]*)`];
const quoted = (mark: string): string => `${mark}(?:[^${mark}\\\\\\n]|\\\\[^])*${mark}?`;
const strings = `(?<string>${quoted('"')}|${quoted("'")})`;
const rule = (...parts: readonly string[]): RegExp => new RegExp(parts.join('|'), 'gu');

const cRules = rule(
  String.raw`(?<comment>//[^\n]*|/\*[^]*?(?:\*/|$))`,
  `(?<string>${quoted('"')}|${quoted("'")}|\`(?:[^\`\\\\]|\\\\[^])*\`?)`,
  number,
  word,
);
const cLike = (keywords: string): Language => ({ rules: cRules, keywords: words(keywords) });

const hashComment = String.raw`(?<comment>#[^\n]*)`;
const javascript = cLike(
  'abstract any as async await boolean break case catch class const continue debugger default delete do else enum ' +
    'export extends false finally for from function get if implements import in instanceof interface keyof let new ' +
    'null number of private protected public readonly return satisfies set static string super switch this throw ' +
    'true try type typeof undefined unknown var void while with yield',
);
const python: Language = {
  rules: rule(
    hashComment,
    `(?<string>"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|${quoted('"')}|${quoted("'")})`,
    String.raw`(?<mark>@[\w.]+)`,
    number,
    word,
  ),
  keywords: words(
    'and as assert async await break case class continue def del elif else except False finally for from global if ' +
      'import in is lambda match None nonlocal not or pass raise return self True try while with yield',
  ),
};
const shell: Language = {
  rules: rule(
    String.raw`(?<comment>(?<=^|[\s;])#[^\n]*)`,
    String.raw`(?<name>\$(?:\{[^}\n]*\}?|\w+|[@*#?$!-]))`,
    String.raw`(?<string>"(?:[^"\\]|\\[^])*"?|'[^']*'?)`,
    String.raw`(?<mark>(?<=\s)--?[A-Za-z][\w-]*)`,
    number,
    word,
  ),
  keywords: words(
    'alias break case cd continue do done echo elif else esac eval exec exit export fi for function if in local ' +
      'printf read readonly return set shift source then trap unset until while',
  ),
};
const yamlRules = [
  String.raw`(?<comment>(?<=^|\s)#[^\n]*)`,
  String.raw`(?<name>(?<=^|\n)[ \t]*(?:- +)*[\w.$/-]+(?=[ \t]*:(?:\s|$)))`,
  strings,
  String.raw`(?<mark>(?<=^|\n)(?:---|\.\.\.)(?=\s|$)|[&*!][\w-]+|[|>][+-]?(?=[ \t]*\r?\n))`,
  number,
  word,
];
const yaml: Language = { rules: rule(...yamlRules), keywords: words('true false null yes no on off True False') };
const toml: Language = {
  rules: rule(
    hashComment,
    String.raw`(?<heading>(?<=^|\n)[ \t]*\[\[?[^\]\n]*\]?\]?)`,
    String.raw`(?<name>(?<=^|\n|[{,])[ \t]*(?:[\w-]+|"[^"\n]*")(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"))*(?=[ \t]*=))`,
    String.raw`(?<string>"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|${quoted('"')}|'[^'\n]*'?)`,
    number,
    word,
  ),
  keywords: words('true false inf nan'),
};
const json: Language = {
  rules: rule(
    String.raw`(?<comment>//[^\n]*|/\*[^]*?(?:\*/|$))`,
    String.raw`(?<name>"(?:[^"\\\n]|\\[^])*"(?=\s*:))`,
    `(?<string>${quoted('"')})`,
    String.raw`(?<number>-?\b\d[\w.+-]*)`,
    word,
  ),
  keywords: words('true false null'),
};
const markdown: Language = {
  rules: rule(
    String.raw`(?<comment>^---[ \t]*\r?\n[^]*?\n---[ \t]*(?=\r?\n|$)|<!--[^]*?(?:-->|$))`,
    '(?<string>(?<=^|\\n)[ \\t]*```[^]*?(?:\\n[ \\t]*```|$)|`[^`\\n]+`?)',
    String.raw`(?<heading>(?<=^|\n)#{1,6}[ \t][^\n]*)`,
    String.raw`(?<keyword>\*\*[^*\n]{1,300}\*\*)`,
    String.raw`(?<mark>(?<=^|\n)[ \t]*(?:[-*+]|\d+[.)])(?=[ \t])|(?<=^|\n)[ \t]*>[^\n]*)`,
    String.raw`(?<name>!?\[[^\]\n]{0,300}\](?:\([^)\n]{0,300}\))?)`,
  ),
  keywords: words(''),
  inner: (piece) =>
    piece.startsWith('---') ? 'yaml' : (/^[ \t]*```[ \t]*(\w+)/.exec(piece)?.[1]?.toLowerCase() ?? null),
};
const html: Language = {
  rules: rule(
    '(?<comment><!--[^]*?(?:-->|$))',
    String.raw`(?<keyword></?[A-Za-z][\w:-]*|/?>)`,
    String.raw`(?<name>[\w:@-]{1,100}(?==))`,
    strings,
  ),
  keywords: words(''),
};
const css: Language = {
  rules: rule(
    String.raw`(?<comment>/\*[^]*?(?:\*/|$))`,
    strings,
    String.raw`(?<keyword>@[\w-]+)`,
    String.raw`(?<name>[\w-]{1,100}(?=[ \t]*:))`,
    String.raw`(?<number>#[\da-fA-F]{3,8}\b|-?\b\d[\w.%]*)`,
  ),
  keywords: words(''),
};
const sql: Language = {
  rules: rule(String.raw`(?<comment>--[^\n]*|/\*[^]*?(?:\*/|$))`, strings, number, word),
  keywords: words(
    'select from where and or not in is null insert into values update set delete create table index view join left ' +
      'right inner outer on group by order having limit offset union all distinct as case when then else end primary ' +
      'key foreign references',
  ),
};
const diff: Language = {
  rules: rule(
    String.raw`(?<heading>(?<=^|\n)(?:@@|---|\+\+\+|diff )[^\n]*)`,
    String.raw`(?<string>(?<=^|\n)\+[^\n]*)`,
    String.raw`(?<keyword>(?<=^|\n)-[^\n]*)`,
  ),
  keywords: words(''),
};
const ruby: Language = {
  rules: rule(hashComment, strings, String.raw`(?<name>[@:$]\w+)`, number, word),
  keywords: words(
    'alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo rescue ' +
      'return self super then true undef unless until when while yield require',
  ),
};

/** Languages by the names that fences and file names use. */
const languages: Readonly<Record<string, Language>> = {
  ...Object.fromEntries(
    ['js', 'jsx', 'mjs', 'cjs', 'ts', 'tsx', 'mts', 'javascript', 'typescript'].map((id) => [id, javascript]),
  ),
  ...Object.fromEntries(['py', 'python', 'python3', 'pyi'].map((id) => [id, python])),
  ...Object.fromEntries(['sh', 'bash', 'zsh', 'shell', 'console', 'dockerfile', 'makefile'].map((id) => [id, shell])),
  ...Object.fromEntries(['yaml', 'yml'].map((id) => [id, yaml])),
  ...Object.fromEntries(['toml', 'ini', 'cfg'].map((id) => [id, toml])),
  ...Object.fromEntries(['json', 'jsonc', 'json5', 'jsonl'].map((id) => [id, json])),
  ...Object.fromEntries(['md', 'markdown', 'mdx'].map((id) => [id, markdown])),
  ...Object.fromEntries(['html', 'xml', 'svg', 'htm', 'vue', 'svelte', 'xsd'].map((id) => [id, html])),
  ...Object.fromEntries(['css', 'scss', 'less'].map((id) => [id, css])),
  ...Object.fromEntries(['diff', 'patch'].map((id) => [id, diff])),
  ...Object.fromEntries(['rb', 'ruby'].map((id) => [id, ruby])),
  sql,
  go: cLike(
    'break case chan const continue default defer else fallthrough false for func go goto if import interface map nil ' +
      'package range return select struct switch true type var',
  ),
  ...Object.fromEntries(
    ['rs', 'rust'].map((id) => [
      id,
      cLike(
        'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move ' +
          'mut pub ref return self Self static struct super trait true type unsafe use where while',
      ),
    ]),
  ),
  ...Object.fromEntries(
    ['c', 'h', 'cc', 'cpp', 'hpp', 'cs', 'csharp', 'java', 'kt', 'kotlin', 'swift', 'php', 'scala'].map((id) => [
      id,
      cLike(
        'abstract auto bool boolean break byte case catch char class const continue def default do double else enum ' +
          'extends false final finally float for fun func function if implements import in int interface internal let ' +
          'long namespace new null nullptr override package private protected public return short static string struct ' +
          'super switch template this throw throws true try typedef union unsigned using val var virtual void while',
      ),
    ]),
  ),
};

/**
 * Characters and tokens up to which a text is coloured, and the length of its longest line; more is for programs, and
 * is shown plain. An expression that fails goes back to where it began, but never beyond the line.
 */
const [mostCharacters, mostTokens] = [300_000, 60_000];
const longestLine = 1000;

/** The language of a file or a fence, by its name or extension. */
export function languageOf(name: string): string {
  const last = name.toLowerCase().split('/').at(-1) ?? '';
  return last.slice(last.lastIndexOf('.') + 1);
}

/** A text in pieces with their kinds, line by line. A language that is not known has no kinds. */
export function tokenLines(text: string, language: string): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]];
  for (const { kind, text: piece } of tokensIn(text, language)) {
    for (const [place, part] of piece.split('\n').entries()) {
      if (place > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ kind, text: part });
    }
  }
  return lines;
}

function tokensIn(text: string, language: string): readonly Token[] {
  const known = Object.hasOwn(languages, language) ? languages[language] : undefined;
  if (known === undefined || text.length > mostCharacters || hasLongLine(text)) return [{ kind: null, text }];
  const tokens: Token[] = [];
  let at = 0;
  for (const match of text.matchAll(known.rules)) {
    const kind = kindOf(match.groups ?? {}, known.keywords);
    if (kind === null) continue;
    if (match.index > at) tokens.push({ kind: null, text: text.slice(at, match.index) });
    tokens.push(...pieceOf(match[0], kind, known));
    at = match.index + match[0].length;
    if (tokens.length > mostTokens) break;
  }
  if (at < text.length) tokens.push({ kind: null, text: text.slice(at) });
  return tokens;
}

/** A piece of a text; in its own language where that is another one. */
function pieceOf(text: string, kind: Kind, known: Language): readonly Token[] {
  const inner = known.inner?.(text) ?? null;
  return inner === null || languages[inner] === known ? [{ kind, text }] : tokensIn(text, inner);
}

function hasLongLine(text: string): boolean {
  for (let start = 0; text.length - start > longestLine; ) {
    const end = text.indexOf('\n', start);
    if (end === -1 || end - start > longestLine) return true;
    start = end + 1;
  }
  return false;
}

function kindOf(groups: Readonly<Record<string, string | undefined>>, keywords: ReadonlySet<string>): Kind | null {
  for (const [name, value] of Object.entries(groups)) {
    if (value === undefined) continue;
    if (name !== 'word') return name as Kind;
    return keywords.has(value) || keywords.has(value.toLowerCase()) ? 'keyword' : null;
  }
  return null;
}

/** Scripts in which a joiner or a non-joiner between letters changes how a word is written. */
const joining = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');

/** Scripts that are written from right to left. */
const rightToLeft = ['Hebrew', 'Arabic', 'Syriac', 'Thaana', 'Nko', 'Samaritan', 'Mandaic', 'Adlam', 'Hanifi_Rohingya']
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');

/** Uses of characters without a shape that people rely on; everywhere else such a character is hidden. */
const wanted = [
  String.raw`^\ufeff`, // a byte order mark
  String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`, // an emoji in colour or in black
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`, // a keycap
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`, // a family
  String.raw`(?<=\u{1f3f4})\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`, // the flags of England, Scotland and Wales
  String.raw`(?<=[${joining}])[\u200c\u200d]`,
  String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180f]`,
  String.raw`(?<=[\p{Script=Khmer}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Tibetan}])\u200b`, // between words
  String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`, // another form of a character
];

/** Further uses of such characters in running text. In a name they would make two names look the same. */
const wantedInText = [
  String.raw`(?<=\p{L}\p{L})\u00ad(?=\p{L}\p{L})`, // where a word may be broken
  // A single mark of direction beside right-to-left text, with a few signs or words of another direction between them.
  String.raw`[\u200e\u200f](?<![\u200e\u200f]{2})(?![\u200e\u200f])(?:(?<=[${rightToLeft}][^\n]{0,16}.)|(?=[^\n]{0,16}[${rightToLeft}]))`,
];

const shapeless = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;
const patterns = new Map<readonly string[], RegExp>();

function patternWith(uses: readonly string[]): RegExp {
  let pattern = patterns.get(uses);
  if (pattern === undefined) {
    pattern = new RegExp(`(?:${[...wanted, ...uses].join('|')})|(${shapeless.source})`, 'gu');
    patterns.set(uses, pattern);
  }
  return pattern;
}

const noMore: readonly string[] = [];

/**
 * Replaces characters that a person does not see and a model reads: tags, bidirectional controls, zero-width and other
 * ignorable characters. Characters that an emoji or a script needs stay.
 */
export function replaceHidden(
  text: string,
  form: (character: string, offset: number) => string,
  uses: readonly string[] = noMore,
): string {
  if (!shapeless.test(text)) return text;
  return text.replace(patternWith(uses), (match: string, hidden: string | undefined, offset: number) =>
    hidden === undefined ? match : form(hidden, offset),
  );
}

/** The code point of a character, as in `U+200B`. */
export function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A text in which everything can be seen, and the characters that were hidden in it. */
export interface Shown {
  /** The text with `<U+200B>` in place of each hidden character. */
  readonly text: string;
  readonly count: number;
  /** The distinct hidden characters, by code point. */
  readonly kinds: readonly string[];
  /** The offset of the first hidden character, in UTF-16 units; −1 where there is none. */
  readonly first: number;
}

/** The text before and after a part of a text, as far as it decides which characters of the part are hidden. */
export interface Around {
  readonly before: string;
  readonly after: string;
}

export function showHidden(text: string, { before, after }: Around = { before: '', after: '' }): Shown {
  const kinds = new Set<string>();
  let [count, first] = [0, -1];
  const show = (character: string, at: number): string => {
    const offset = at - before.length;
    if (offset < 0 || offset >= text.length) return character;
    if (count === 0) first = offset;
    count++;
    const name = codePointOf(character);
    kinds.add(name);
    return `<${name}>`;
  };
  const shown = replaceHidden(before + text + after, show, wantedInText);
  return { text: shown.slice(before.length, shown.length - after.length), count, kinds: [...kinds], first };
}

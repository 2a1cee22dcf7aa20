/**
 * A reader of text as if it had neither line ends, blanks nor colours, and with `\n`, `\/`, `\u00e9`, `\x2f`, `%2F` and `&#x2F;` undone:
 * so that text that was wrapped, indented or escaped on its way is the same as text that was not. Each byte that is left has
 * the place of what it was made from.
 */
interface Unwrapping {
  /** Reads more text. Calls back with each byte that is left, and the beginning and end of what it stands for. */
  push(bytes: Uint8Array, each: OnByte): void;
  /** Ends the text: nothing more comes. */
  end(each: OnByte): void;
  /** Offset of the text not yet read: an escape that may go on. */
  readonly readTo: number;
}

type OnByte = (byte: number, from: number, to: number) => void;

const [backslash, percent, ampersand, escapeByte] = [0x5c, 0x25, 0x26, 0x1b];
/** Blanks, and what stands between the letters of UTF-16. */
const isGap = flags(' \t\r\n\0');
/** Letters that stand for a blank after a backslash. */
const isBlankLetter = flags('nrtbf');

function flags(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) table[byte] = 1;
  return table;
}

const hexDigits = new Int8Array(256).fill(-1);
for (const [value, digit] of Array.from('0123456789abcdef').entries()) {
  hexDigits[digit.charCodeAt(0)] = value;
  hexDigits[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Kinds of bytes: reported, a blank, reported unless nobody waits for it, the beginning of an escape. */
const kinds = { reported: 0, gap: 1, idle: 2, escape: 3 } as const;

/** Makes an unwrapping. `passes` are the bytes that need not be reported while `isIdle`. */
function createUnwrapping(passes: Uint8Array, isIdle: () => boolean): Unwrapping {
  let tail: Uint8Array = new Uint8Array(0);
  /** Offset at which the tail begins. */
  let base = 0;
  const kindOf = Uint8Array.from(passes, (passed, byte) =>
    isGap[byte] === 1 ? kinds.gap : passed === 1 ? kinds.idle : kinds.reported,
  );
  for (const byte of [percent, backslash, ampersand, escapeByte]) kindOf[byte] = kinds.escape;

  /** Reports all bytes up to the next escape; returns its place. */
  function readPlain(all: Uint8Array, from: number, each: OnByte): number {
    let at = from;
    for (; at < all.length; at++) {
      const byte = all[at] as number;
      const kind = kindOf[byte] as number;
      if (kind === kinds.escape) return at;
      if (kind === kinds.reported || (kind === kinds.idle && !isIdle())) each(byte, base + at, base + at + 1);
    }
    return at;
  }

  function read(bytes: Uint8Array, isLast: boolean, each: OnByte): void {
    const all = tail.length === 0 ? bytes : Buffer.concat([tail, bytes]);
    let at = readPlain(all, 0, each);
    while (at < all.length) {
      const found = escapeAt(all, at) ?? (isLast ? asItIs(all[at] as number) : null);
      if (found === null) break;
      tell(found, base + at, each);
      at = readPlain(all, at + found.length, each);
    }
    tail = Uint8Array.from(all.subarray(at));
    base += at;
  }

  return {
    push: (bytes, each) => read(bytes, false, each),
    end: (each) => read(new Uint8Array(0), true, each),
    get readTo() {
      return base;
    },
  };
}

/** The length of an escape, and the bytes it stands for. */
interface Escape {
  readonly length: number;
  readonly bytes: Iterable<number>;
}

function tell({ length, bytes }: Escape, from: number, each: OnByte): void {
  // A backslash that is spelled by number goes as one that stands there does.
  for (const byte of bytes) if (isGap[byte] === 0 && byte !== backslash) each(byte, from, from + length);
}

/** The escape at a place; null where it may go on. */
function escapeAt(all: Uint8Array, at: number): Escape | null {
  if (all[at] === escapeByte) return colourAt(all, at);
  if (all[at] === ampersand) return referenceAt(all, at);
  return all[at] === percent ? percentAt(all, at) : backslashAt(all, at);
}

const plainPercent: Escape = { length: 1, bytes: [percent] };
const blank: Escape = { length: 2, bytes: [] };
/** A backslash before any other character, which stands for nothing. */
const alone: Escape = { length: 1, bytes: [] };

function asItIs(byte: number): Escape {
  return { length: 1, bytes: [byte] };
}

/** Maximum length of a sequence. */
const longestSequence = 32;

/** The sequence that sets the colour of a terminal: `ESC [ 1 ; 31 m`. It stands for no text. */
function colourAt(all: Uint8Array, at: number): Escape | null {
  const first = all[at + 1];
  if (first === undefined) return null;
  let end = at + 2;
  while (end < all.length && (all[end] as number) < 0x40 && end - at < longestSequence) end++;
  if (first !== 0x5b || end - at >= longestSequence) return alone;
  return end === all.length ? null : { length: end + 1 - at, bytes: [] };
}

function percentAt(all: Uint8Array, at: number): Escape | null {
  const value = hexAt(all, at + 1, 2);
  if (value === 'cut off') return null;
  return value === null ? plainPercent : { length: 3, bytes: [value] };
}

function backslashAt(all: Uint8Array, at: number): Escape | null {
  const next = all[at + 1];
  if (next === undefined) return null;
  if (isBlankLetter[next] === 1) return blank;
  if (next === 0x78) return byteAt(all, at);
  return next === 0x75 ? unicodeAt(all, at) : alone;
}

/** The escape `\x2f`. */
function byteAt(all: Uint8Array, at: number): Escape | null {
  const value = hexAt(all, at + 2, 2);
  if (value === 'cut off') return null;
  return value === null ? alone : { length: 4, bytes: [value] };
}

const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Length of the longest reference that counts, such as `&#x1f511;`. */
const longestReference = 10;

/** A character by its number or its name in HTML: `&#43;`, `&#x2B;`, `&amp;`. */
function referenceAt(all: Uint8Array, at: number): Escape | null {
  const begin = Buffer.from(all.subarray(at + 1, at + longestReference)).toString('latin1');
  const [whole, name = ''] = /^(#\d+|#[xX][\da-fA-F]+|[a-z]+);/.exec(begin) ?? [];
  if (whole === undefined) {
    const mayGoOn = begin.length < longestReference - 1 && /^(?:#?|#\d+|#[xX][\da-fA-F]*|[a-z]+)$/.test(begin);
    return mayGoOn ? null : asItIs(ampersand);
  }
  const code = /^#[xX]/.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const text = name.startsWith('#') ? (code <= 0x10ffff ? String.fromCodePoint(code) : undefined) : names[name];
  return text === undefined ? asItIs(ampersand) : { length: whole.length + 1, bytes: Buffer.from(text) };
}

/** The escape `\u00e9`, or two such escapes for one character. */
function unicodeAt(all: Uint8Array, at: number): Escape | null {
  const unit = hexAt(all, at + 2, 4);
  if (unit === 'cut off') return null;
  if (unit === null) return alone;
  const isHigh = unit >= 0xd800 && unit < 0xdc00;
  const low = isHigh ? lowAt(all, at + 6) : null;
  if (low === 'cut off') return null;
  if (low === null) return { length: 6, bytes: Buffer.from(String.fromCharCode(unit)) };
  return { length: 12, bytes: Buffer.from(String.fromCharCode(unit, low)) };
}

function lowAt(all: Uint8Array, at: number): number | null | 'cut off' {
  const isCutOff = all.length < at + 2;
  const begins = all.subarray(at, at + 2).every((byte, offset) => byte === (offset === 0 ? backslash : 0x75));
  if (!begins) return null;
  const unit = isCutOff ? 'cut off' : hexAt(all, at + 2, 4);
  return typeof unit !== 'number' || (unit >= 0xdc00 && unit < 0xe000) ? unit : null;
}

function hexAt(all: Uint8Array, at: number, digits: number): number | null | 'cut off' {
  let value = 0;
  for (let place = at; place < at + digits; place++) {
    if (place >= all.length) return 'cut off';
    const digit = hexDigits[all[place] as number] as number;
    if (digit < 0) return null;
    value = value * 16 + digit;
  }
  return value;
}

/** Unwraps a whole text. */
export function unwrapped(text: string): Uint8Array {
  const out: number[] = [];
  const reading = createUnwrapping(new Uint8Array(256), () => false);
  const each: OnByte = (byte) => void out.push(byte);
  reading.push(Buffer.from(text), each);
  reading.end(each);
  return Uint8Array.from(out);
}

/** A search for patterns in unwrapped text, in whatever pieces it comes. */
interface UnwrappedSearch {
  push(bytes: Uint8Array, onMatch: (from: number, to: number) => void): void;
  end(onMatch: (from: number, to: number) => void): void;
  /** Offset at which what may be a match begins. */
  readonly pendingFrom: number;
}

/**
 * Bytes held for each byte of a possible match, beside the blanks below. More blanks than this end it, so that what is
 * held is never much longer than the pattern.
 */
const mostPerByte = 8;
const mostBlanks = 1024;

export function createUnwrappedSearch(matcher: Matcher): UnwrappedSearch {
  let state = 0;
  let count = 0;
  const mask = 2 ** Math.ceil(Math.log2(matcher.longest + 1)) - 1;
  /** Offsets at which the last bytes began. */
  const starts = new Float64Array(mask + 1);
  const reading = createUnwrapping(matcher.passes, () => state === 0);

  function finding(onMatch: (from: number, to: number) => void): OnByte {
    return (byte, from, to) => {
      starts[count++ & mask] = from;
      state = matcher.step(state, byte);
      const length = matcher.matchAt(state);
      if (length !== 0) onMatch(starts[(count - length) & mask] as number, to);
    };
  }

  function pendingFrom(): number {
    const depth = matcher.pending(state);
    return depth === 0 ? reading.readTo : (starts[(count - depth) & mask] as number);
  }

  return {
    push(bytes, onMatch) {
      reading.push(bytes, finding(onMatch));
      if (reading.readTo - pendingFrom() > mostPerByte * matcher.pending(state) + mostBlanks) state = 0;
    },
    end(onMatch) {
      reading.end(finding(onMatch));
      state = 0;
    },
    get pendingFrom() {
      return pendingFrom();
    },
  };
}

/** A matcher that finds many byte strings in one pass, however they overlap (Aho and Corasick). */
export interface Matcher {
  /**
   * Goes on from a state, byte by byte, and reports each match: its end, and the length of the longest one there.
   * Returns the state after the last byte.
   */
  scan(state: number, bytes: Uint8Array, onMatch: (end: number, length: number) => void): number;
  /** Number of the last bytes that may be the beginning of a match. */
  pending(state: number): number;
  /** The state after one more byte. */
  step(state: number, byte: number): number;
  /** Length of the longest match that ends here; 0 for none. */
  matchAt(state: number): number;
  /** Length of the longest pattern. */
  readonly longest: number;
  /** Bytes that begin no pattern. */
  readonly passes: Uint8Array;
}

const root = 0;

/** Builds a matcher. No pattern may be shorter than two bytes. */
export function createMatcher(patterns: readonly Uint8Array[]): Matcher {
  const most = 1 + patterns.reduce((sum, { length }) => sum + length, 0);
  // A tree of states: the first child of each, and its next sibling. Most states have one child.
  const [child, sibling, fail] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
  const [depth, longest] = [new Int32Array(most), new Int32Array(most)];
  const label = new Uint8Array(most);
  /** The first two bytes of every pattern, which dismiss nearly everything that is read. */
  const beginnings = new Uint8Array(1 << 16);
  const first = new Int32Array(256);
  let states = 1;

  function childOf(state: number, byte: number): number {
    if (state === root) return first[byte] as number;
    let found = child[state] as number;
    while (found !== 0 && label[found] !== byte) found = sibling[found] as number;
    return found;
  }

  function addChild(state: number, byte: number): number {
    const made = states++;
    label[made] = byte;
    depth[made] = (depth[state] as number) + 1;
    sibling[made] = child[state] as number;
    child[state] = made;
    if (state === root) first[byte] = made;
    return made;
  }

  function add(pattern: Uint8Array): void {
    let state = root;
    for (const byte of pattern) state = childOf(state, byte) || addChild(state, byte);
    longest[state] = pattern.length;
    beginnings[((pattern[0] as number) << 8) | (pattern[1] as number)] = 1;
  }

  function next(state: number, byte: number): number {
    for (let from = state; ; from = fail[from] as number) {
      const found = childOf(from, byte);
      if (found !== 0 || from === root) return found;
    }
  }

  /** Links each state to where to go on if the next byte leads nowhere: the longest suffix that begins a pattern. */
  function linkFailures(): void {
    const queue = [root];
    for (const state of queue) {
      for (let made = child[state] as number; made !== 0; made = sibling[made] as number) {
        queue.push(made);
        if (state === root) continue;
        fail[made] = next(fail[state] as number, label[made] as number);
        longest[made] = Math.max(longest[made] as number, longest[fail[made] as number] as number);
      }
    }
  }

  for (const pattern of patterns) add(pattern);
  linkFailures();

  return {
    pending: (state) => depth[state] as number,
    step: next,
    matchAt: (state) => longest[state] as number,
    longest: Math.max(0, ...patterns.map(({ length }) => length)),
    passes: Uint8Array.from(first, (state) => (state === 0 ? 1 : 0)),
    scan(from, bytes, onMatch) {
      let state = from;
      const last = bytes.length - 1;
      for (let at = 0; at <= last; at++) {
        if (state === root) {
          while (at < last && beginnings[((bytes[at] as number) << 8) | (bytes[at + 1] as number)] === 0) at++;
        }
        state = next(state, bytes[at] as number);
        if (longest[state] !== 0) onMatch(at + 1, longest[state] as number);
      }
      return state;
    },
  };
}

import { redacted } from '../../core/text/secret-names.ts';
import { createMatcher, createUnwrappedSearch, type Matcher, unwrapped } from './unwrapped.ts';

const mark = Buffer.from(redacted);

/** A redactor of secrets in bytes that come in pieces. A possible beginning of one is held back until it is known. */
interface Redactor {
  push(bytes: Uint8Array): Uint8Array;
  /** Returns the rest, when nothing more comes. */
  end(): Uint8Array;
}

const nothing = new Uint8Array(0);

/** Matchers for secrets: as they are written, and in text that was wrapped or escaped. */
interface Matchers {
  readonly exact: Matcher;
  readonly unwrapped: Matcher;
}

/** Makes a redactor. It works on bytes and takes out whole secrets, so that no character is ever cut. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const matchers = matchersFor(secrets);
  return matchers === null ? { push: (bytes) => bytes, end: () => nothing } : redactorWith(matchers);
}

function matchersFor(secrets: readonly string[]): Matchers | null {
  const forms = new Set(secrets.flatMap(formsOf));
  if (forms.size === 0) return null;
  return {
    exact: createMatcher([...forms].map((form) => Buffer.from(form))),
    unwrapped: createMatcher(secrets.flatMap(unwrappedFormsOf)),
  };
}

function redactorWith({ exact, unwrapped }: Matchers): Redactor {
  let state = 0;
  let held: Uint8Array = nothing;
  /** Offset of the held bytes, from the beginning of everything. */
  let base = 0;
  const search = createUnwrappedSearch(unwrapped);
  /** Secrets within the held bytes: they may turn out to be part of a longer one. */
  let spans: Span[] = [];
  /** Bytes of a secret that is marked already, and goes on into the held bytes. */
  let covered = 0;

  /** Releases everything up to an end, with its secrets taken out. Those that overlap are one. The rest is held. */
  function release(bytes: Uint8Array, end: number): Uint8Array {
    const parts: Uint8Array[] = [];
    const later: Span[] = [];
    let until = covered;
    let at = Math.min(until, end);
    for (const [from, to] of spans) {
      if (from >= until && from >= end) later.push([from - end, to - end]);
      else {
        if (from >= until) parts.push(bytes.subarray(at, from), mark);
        until = Math.max(until, to);
        at = Math.min(until, end);
      }
    }
    parts.push(bytes.subarray(at, end));
    covered = Math.max(0, until - end);
    spans = later;
    held = Uint8Array.from(bytes.subarray(end)); // a copy: the caller may use its memory again
    base += end;
    return Buffer.concat(parts);
  }

  /** Merges the spans found in text that was wrapped with those known. */
  function merge(found: readonly Span[]): void {
    if (found.length > 0) spans = [...spans, ...found].sort(([a, aEnd], [b, bEnd]) => a - b || bEnd - aEnd);
  }

  return {
    push(bytes) {
      const offset = held.length;
      const found: Span[] = [];
      search.push(bytes, (from, to) => addSpan(found, from - base, to - base));
      state = exact.scan(state, bytes, (end, length) => addSpan(spans, offset + end - length, offset + end));
      merge(found);
      const end = Math.min(offset + bytes.length - exact.pending(state), search.pendingFrom - base);
      if (spans.length === 0 && offset === 0 && end === bytes.length && covered === 0) {
        base += end;
        return bytes;
      }
      const all = offset === 0 ? bytes : Buffer.concat([held, bytes]);
      return release(all, end);
    },
    end() {
      const found: Span[] = [];
      search.end((from, to) => addSpan(found, from - base, to - base));
      merge(found);
      const out = release(held, held.length);
      state = 0;
      return out;
    },
  };
}

/** The first byte and one past the last. */
type Span = [from: number, to: number];

/**
 * Adds a span so that all are in order, and none inside another: matches come by their ends, and a longer one may begin
 * before those known.
 */
function addSpan(spans: Span[], from: number, to: number): void {
  while (spans.length > 0 && (spans.at(-1) as Span)[0] >= from) spans.pop();
  spans.push([from, to]);
}

/** Makes a function that takes secrets out of a text. */
export function createTextRedactor(secrets: readonly string[]): (text: string) => string {
  const matchers = matchersFor(secrets);
  if (matchers === null) return (text) => text;
  return (text) => {
    const redactor = redactorWith(matchers);
    const bytes = Buffer.from(text);
    const parts = [redactor.push(bytes), redactor.end()];
    return parts[0] === bytes ? text : Buffer.concat(parts).toString('utf8');
  };
}

/**
 * The ways in which a secret is written down by programs that do not know it is one: as it is, inside JSON or HTML, in an
 * address, in base64 at any place of a longer text, in hex.
 */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const forms = [
    secret,
    ...jsonForms(secret),
    ...addressForms(secret),
    ...markupForms(secret),
    ...base64Forms(bytes),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ];
  return [...new Set(forms)].filter((form) => form.length >= shortest);
}

/**
 * The forms of a secret without line ends and escapes, for text that has lost them too: `base64` breaks lines, JSON and
 * addresses escape what they like. Shorter ones would be found in any list of short words.
 */
function unwrappedFormsOf(secret: string): readonly Uint8Array[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const spaced = hex.replace(/..(?!$)/g, '$&:');
  const inHex = [hex, spaced].flatMap((form) => [form, form.toUpperCase()]);
  const forms = [secret, secret.replaceAll(' ', '+'), ...base64Forms(bytes), ...inHex];
  return forms.map(unwrapped).filter(({ length }) => length >= shortestPiece);
}

/** Length of the shortest form looked for; anything shorter would be found everywhere. */
const shortest = 4;
/** Length at which a piece of base64 that has lost its ends, or wrapped text, is distinguishable from chance. */
const shortestPiece = 8;

function jsonForms(secret: string): string[] {
  const plain = JSON.stringify(secret).slice(1, -1);
  // Some writers spell everything beyond ASCII by number, and some the slash with a backslash before it.
  const ascii = plain.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [plain, ascii, plain.replaceAll('/', '\\/')];
}

function addressForms(secret: string): string[] {
  const plain = encodeURIComponent(secret.toWellFormed());
  const strict = plain.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const field = new URLSearchParams({ '': secret }).toString().slice(1);
  // An address in an address, as after `redirect_uri=`, is encoded twice.
  const twice = [plain, strict].map(encodeURIComponent);
  return [plain, strict, strict.replaceAll('%2F', '/'), field, ...twice].flatMap((form) => {
    const spaced = form.replaceAll('%20', '+');
    return [form, spaced, lowerEscapes(form), lowerEscapes(spaced)];
  });
}

function markupForms(secret: string): string[] {
  const text = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = text.replaceAll('"', '&quot;');
  return [text, quoted, ...['&#39;', '&#x27;', '&apos;'].map((mark) => quoted.replaceAll("'", mark))];
}

function lowerEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/**
 * The spellings of a secret in base64. Three bytes are four characters, so that a secret in a longer text is spelled in
 * one of three ways, by how many bytes stand before it. The characters at its ends hold bits of its neighbours, and are
 * left out.
 */
function base64Forms(bytes: Buffer): string[] {
  const whole = bytes.toString('base64').replace(/=+$/, '');
  const pieces = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(first, last);
  });
  const all = [whole, ...pieces.filter((piece) => piece.length >= shortestPiece)];
  return all.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}

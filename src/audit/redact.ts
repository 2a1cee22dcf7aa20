import { redacted } from '../kernel/secret-names.ts';
import { formsOf, unwrappedFormsOf } from './forms.ts';
import { createMatcher, type Matcher } from './matcher.ts';
import { createUnwrappedSearch } from './unwrapped.ts';

const mark = Buffer.from(redacted);

/** Takes secrets out of bytes that come in pieces. What may be the beginning of one is held back until it is known. */
export interface Redactor {
  push(bytes: Uint8Array): Uint8Array;
  /** The rest, when nothing more comes. */
  end(): Uint8Array;
}

const nothing = new Uint8Array(0);

/** What secrets are found by: as they are written, and in text that was wrapped or escaped. */
interface Matchers {
  readonly exact: Matcher;
  readonly unwrapped: Matcher;
}

/** Works on bytes and takes out whole secrets, so that no character is ever cut. */
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
  /** Where what is held begins, from the beginning of everything. */
  let base = 0;
  const search = createUnwrappedSearch(unwrapped);
  /** Secrets within what is held: they may turn out to be part of a longer one. */
  let spans: Span[] = [];
  /** Bytes of a secret that is marked already, and goes on into what is held. */
  let covered = 0;

  /** Everything up to an end, with its secrets taken out. Those that overlap are one. The rest is held. */
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

  /** Notes what was found in text that was wrapped, beside what is known. */
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

/** First and one past the last byte. */
type Span = [from: number, to: number];

/** In order, and none inside another: matches come by their ends, and a longer one may begin before those known. */
function addSpan(spans: Span[], from: number, to: number): void {
  while (spans.length > 0 && (spans.at(-1) as Span)[0] >= from) spans.pop();
  spans.push([from, to]);
}

/** A text without secrets. */
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

import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redacted } from '../../core/text/secret-names.ts';
import { createRedactor, createTextRedactor, formsOf } from './redact.ts';

/** Redacts bytes in pieces that end at the given cuts. */
function inPieces(secrets: readonly string[], bytes: Uint8Array, cuts: readonly number[]): Buffer {
  const redactor = createRedactor(secrets);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const out: Uint8Array[] = [];
  let at = 0;
  for (const end of [...ends, bytes.length]) {
    const piece = Uint8Array.from(bytes.subarray(at, end));
    out.push(Uint8Array.from(redactor.push(piece)));
    piece.fill(0x21); // the caller uses its memory again
    at = end;
  }
  return Buffer.concat([...out, redactor.end()]);
}

/** The expected result, found the slow and simple way: all places of all forms; those that overlap are one. */
function simply(forms: readonly string[], text: string): string {
  const spans = forms
    .flatMap((form) => {
      const found: [number, number][] = [];
      for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) found.push([at, at + form.length]);
      return found;
    })
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  let out = '';
  let until = 0;
  for (const [from, to] of spans) {
    if (from >= until) out += text.slice(until, from) + redacted;
    until = Math.max(until, to);
  }
  return out + text.slice(until);
}

/** Secrets of few letters, so that they overlap with themselves and each other. */
const secret = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀'), minLength: 4, maxLength: 9 });
const secrets = fc.array(secret, { minLength: 1, maxLength: 4 });
const noise = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀', '.'), maxLength: 12 });
const cuts = fc.array(fc.nat(), { maxLength: 12 });

describe('a redactor', () => {
  it('finds the same as a simple search, wherever the pieces end', () => {
    fc.assert(
      fc.property(secrets, fc.array(fc.oneof(noise, fc.nat(3)), { maxLength: 12 }), cuts, (all, parts, ends) => {
        const text = parts.map((part) => (typeof part === 'number' ? (all[part % all.length] ?? '') : part)).join('');
        const expected = simply([...new Set(all.flatMap(formsOf))], text);
        expect(inPieces(all, Buffer.from(text), ends).toString()).toBe(expected);
        expect(createTextRedactor(all)(text)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves no form of a secret, in whatever surroundings, and breaks no character', () => {
    const encoded = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => JSON.stringify({ text }),
      (text) => encodeURIComponent(text),
      (text) => encodeURIComponent(encodeURIComponent(text)),
      (text) => new URLSearchParams({ text }).toString(),
      (text) => Buffer.from(text).toString('base64'),
      (text) => Buffer.from(text).toString('base64url'),
      (text) => Buffer.from(text).toString('hex'),
    );
    const long = fc.string({ unit: 'grapheme', minLength: 12, maxLength: 40 }).filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(long, encoded, noise, noise, cuts, (hidden, encode, before, after, ends) => {
        const whole = encode(`${before}${hidden}${after}`);
        const out = inPieces([hidden], Buffer.from(whole), ends);
        expect(out.toString()).toContain(redacted);
        for (const form of formsOf(hidden)) expect(out.includes(Buffer.from(form))).toBe(false);
        expect(isUtf8(out)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('finds a secret that was wrapped at any width, and indented', () => {
    const long = fc.string({ unit: 'grapheme', minLength: 12, maxLength: 80 }).filter((text) => text.isWellFormed());
    const encoded = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => Buffer.from(text).toString('base64'),
      (text) => Buffer.from(text).toString('base64url'),
      (text) => Buffer.from(text).toString('hex'),
      (text) => Buffer.from(text).toString('hex').toUpperCase(),
    );
    const ends = fc.constantFrom('\n', '\r\n', '\n    ', '\\n', '\\r\\n', ' ');
    fc.assert(
      fc.property(
        long.filter((text) => !/[\s\\%]/.test(text)),
        encoded,
        fc.nat(3),
        fc.integer({ min: 1, max: 80 }),
        ends,
        cuts,
        (hidden, encode, before, width, end, pieces) => {
          const lines = encode('.'.repeat(before) + hidden).match(new RegExp(`[\\s\\S]{1,${width}}`, 'gu')) ?? [];
          const out = inPieces([hidden], Buffer.from(lines.join(end)), pieces);
          expect(out.toString()).toContain(redacted);
          // Characters at the ends of base64 hold bits of their neighbours too.
          const left = out.toString().replace(redacted, '').replaceAll(end, '');
          expect(left.length).toBeLessThanOrEqual(2 * before + 8);
          expect(isUtf8(out)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('finds a secret of which any characters are escaped', () => {
    const hidden = 'p4ss/w&rd <é😀> "x" 100% y';
    const every = [...Buffer.from(hidden)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    const unicode = hidden
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    const ways = [
      every,
      every.toUpperCase(),
      hidden.replaceAll('%', '%25').replaceAll('&', '%26'),
      unicode,
      unicode.replace(/[a-f]/g, (digit) => digit.toUpperCase()),
      JSON.stringify(JSON.stringify(hidden)),
      JSON.stringify(hidden).replaceAll('/', '\\/').replaceAll('<', '\\u003C').replaceAll('é', '\\u00E9'),
      encodeURIComponent(hidden).replaceAll('%20', '+').toLowerCase(),
      encodeURIComponent(Buffer.from(hidden).toString('base64')),
      Array.from(hidden, (character) => `&#${character.codePointAt(0)};`).join(''),
      hidden.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('/', '&#x2F;').replaceAll('4', '&#X34;'),
      [...Buffer.from(hidden)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
      Buffer.from(hidden)
        .toString('hex')
        .replace(/..(?=.)/g, '$&:'),
    ];
    for (const way of ways) {
      for (let cut = 0; cut <= way.length; cut++) {
        const out = inPieces([hidden], Buffer.from(`"${way}"`), [cut]).toString();
        expect(out.replace(redacted, ''), way).toMatch(/^\W{0,6}\w{0,2}\W{0,4}$/);
      }
    }
  });

  it('finds a secret in UTF-16, and one with a backslash that is spelled by number', () => {
    const hidden = 'p4ss\\w&rd one';
    const ways = [Buffer.from(hidden, 'utf16le'), hidden.replaceAll('\\', '\\u005c'), hidden.replaceAll('\\', '%5C')];
    for (const way of ways) {
      const out = inPieces([hidden], Buffer.concat([Buffer.from('<'), Buffer.from(way), Buffer.from('>')]), [7]);
      expect(out.toString().replaceAll('\0', '')).toBe(`<${redacted}>`);
    }
  });

  it('changes nothing where there is no secret, and holds nothing back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), cuts, (bytes, ends) => {
        expect(inPieces(['no such thing'], bytes, ends)).toEqual(Buffer.from(bytes));
      }),
    );
    const redactor = createRedactor(['hunter22']);
    const bytes = Buffer.from('a line\n');
    expect(redactor.push(bytes)).toBe(bytes);
    expect(createRedactor([]).push(bytes)).toBe(bytes);
  });

  it('holds back only what may be the beginning of a secret', () => {
    const redactor = createRedactor(['hunter22']);
    expect(Buffer.from(redactor.push(Buffer.from('say hunt'))).toString()).toBe('say ');
    expect(Buffer.from(redactor.push(Buffer.from('er22 and hun'))).toString()).toBe(`${redacted} and `);
    expect(Buffer.from(redactor.end()).toString()).toBe('hun');
    expect(Buffer.from(redactor.push(Buffer.from('ter22'))).toString()).toBe('ter22');
  });

  it('finds a secret within the beginning of another that does not come', () => {
    const all = ['bcde', 'abcdefgh'];
    expect(inPieces(all, Buffer.from('abcdex'), [5]).toString()).toBe(`a${redacted}x`);
    expect(inPieces(all, Buffer.from('abcde'), [3]).toString()).toBe(`a${redacted}`);
    expect(inPieces(all, Buffer.from('abcdefgh'), [5]).toString()).toBe(redacted);
  });

  it('reads a mebibyte at once, with many secrets', () => {
    const many = Array.from({ length: 20 }, (_, number) => `s3cret-${number}-${'x'.repeat(number)}-value`);
    const text = 'The quick brown fox jumps over the lazy dog, and nothing here is a secret. '.repeat(14_000);
    const redactor = createRedactor(many);
    expect(Buffer.concat([redactor.push(Buffer.from(text)), redactor.end()]).toString()).toBe(text);
    const bulky = 'a'.repeat(60_000);
    expect(createTextRedactor([bulky])(`x${bulky}x`)).toBe(`x${redacted}x`);
  });
});

it('a redactor finds a secret with colours in it, or escaped for HTML, in whatever pieces it comes', () => {
  const plain = `sk-"a'b"<c>&0123456789`;
  const page = plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const forms = [page, page.replaceAll("'", '&#39;'), `${plain.slice(0, 5)}\x1b[1;31m${plain.slice(5)}`];
  for (const form of forms) {
    const bytes = Buffer.from(`before ${form} after`);
    for (const cut of bytes.keys()) expect(inPieces([plain], bytes, [cut]).toString()).toBe(`before ${redacted} after`);
  }
  const other = 'no \x1b[0m secret \x1b] here \x1b';
  expect(inPieces([plain], Buffer.from(other), [4, 5, 6]).toString()).toBe(other);
});

import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formsOf } from './forms.ts';
import { createRedactor, createTextRedactor } from './redact.ts';
import { redacted } from './secret-names.ts';

/** The same in pieces that end where they are told to. */
function inPieces(secrets: readonly string[], bytes: Uint8Array, cuts: readonly number[]): Buffer {
  const redactor = createRedactor(secrets);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const out: Uint8Array[] = [];
  let at = 0;
  for (const end of [...ends, bytes.length]) {
    const piece = Uint8Array.from(bytes.subarray(at, end));
    out.push(Uint8Array.from(redactor.push(piece)));
    piece.fill(0x21); // whoever pushed it uses its memory again
    at = end;
  }
  return Buffer.concat([...out, redactor.end()]);
}

/** What it should be, the slow and simple way: all places of all forms; those that overlap are one. */
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

/** Few letters, so that secrets overlap with themselves and each other. */
const secret = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀'), minLength: 4, maxLength: 9 });
const secrets = fc.array(secret, { minLength: 1, maxLength: 4 });
const noise = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀', ' '), maxLength: 12 });
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

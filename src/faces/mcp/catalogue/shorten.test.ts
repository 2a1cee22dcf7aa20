import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortenEvenly } from './fit.ts';
import { escapeXml, inCharacters, jsonBytes, onTheWire } from './weight.ts';

const weight = (text: string): number => jsonBytes(escapeXml(text));
/** Units that a cut can lose to a whole word, and to one character (a family is one) that goes or stays as a whole. */
const slack = 8 + 25;

const texts = fc.array(
  fc
    .array(fc.oneof(fc.stringMatching(/^[a-z"'&\\]{1,14}$/), fc.constantFrom('表計算', '😀', '👨‍👩‍👧‍👦', 'é')), {
      maxLength: 40,
    })
    .map((parts) => parts.join(' ')),
  { minLength: 1, maxLength: 20 },
);

describe('texts shortened evenly', () => {
  it('fit, are all cut to one weight, and use the room there is', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 3000 }), (all, room) => {
        const least = 24;
        const cut = shortenEvenly(all, { room, least, weigh: onTheWire });
        const wanted = all.reduce((sum, text) => sum + Math.min(weight(text), least), 0);
        if (cut === null) {
          expect(wanted).toBeGreaterThan(room);
          return;
        }
        const weights = cut.map(weight);
        const total = weights.reduce((sum, one) => sum + one, 0);
        expect(total).toBeLessThanOrEqual(room);
        const shortened = weights.filter((_, index) => cut[index] !== all[index]);
        if (shortened.length === 0) return;
        const cap = Math.max(...shortened);
        for (const [index, text] of cut.entries()) {
          const original = all[index] ?? '';
          if (text === original) expect(weight(text)).toBeLessThanOrEqual(cap + slack);
          else {
            expect(text).toMatch(/[^ ]…$|^…$/);
            expect(original.startsWith(text.slice(0, -1))).toBe(true);
            expect(weight(text)).toBeGreaterThanOrEqual(cap - slack);
          }
        }
        expect(room - total).toBeLessThanOrEqual(slack * all.length);
      }),
      { numRuns: 1000 },
    );
  });

  it('are cut between words where one ends near, else between characters', () => {
    const cut = (text: string, room: number) => shortenEvenly([text], { room, least: 5, weigh: inCharacters })?.[0];
    expect(cut('one two three', 13)).toBe('one two three');
    expect(cut('one two three', 12)).toBe('one two…');
    expect(cut('one two three', 8)).toBe('one two…');
    expect(cut('one incomprehensibilities', 20)).toBe('one incomprehensibi…');
    expect(cut('😀😀😀😀', 6)).toBe('😀😀…');
    expect(cut('cafe\u0301s and bars', 5)).toBe('caf…');
    expect(cut('👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 20)).toBe('👨‍👩‍👧‍👦…');
  });

  it('are given up where too little would be left of them', () => {
    const long = 'word '.repeat(20).trim();
    expect(shortenEvenly([long, long], { room: 39, least: 20, weigh: inCharacters })).toBeNull();
    expect(shortenEvenly([long, long], { room: 40, least: 20, weigh: inCharacters })).not.toBeNull();
    expect(shortenEvenly(['short', 'also'], { room: 9, least: 20, weigh: inCharacters })).toEqual(['short', 'also']);
  });

  it('weigh what they take on the wire', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const sum = text.split('').reduce((all, unit) => all + onTheWire(unit.charCodeAt(0)), 0);
        expect(sum).toBe(weight(text));
      }),
    );
  });
});

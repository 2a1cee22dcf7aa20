import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSync } from '../../core/time-slice.ts';
import { createAutomaton } from './automaton.ts';
import { type Window, windowInSteps } from './window.ts';

/** A word to show, and the weight of showing it. */
interface Needle {
  readonly text: string;
  readonly weight: number;
}

function bestWindow(text: string, needles: readonly Needle[], length: number): Window {
  const automaton = createAutomaton(needles.map((needle) => needle.text));
  const weights = needles.map(({ weight }) => weight);
  return runSync(windowInSteps(automaton, weights, text, length));
}

function weightOf(text: string, needles: readonly Needle[]): number {
  return needles.filter((needle) => text.includes(needle.text)).reduce((sum, { weight }) => sum + weight, 0);
}

/** Tries every stretch, one by one: the weight of the best, and where the first of those ends. */
function slowly(text: string, needles: readonly Needle[], length: number): { weight: number; to: number } {
  const ends = Array.from({ length: text.length + 1 }, (_, end) => end);
  const weights = ends.map((end) => weightOf(text.slice(Math.max(0, end - length), end), needles));
  const weight = Math.max(...weights);
  return { weight, to: weights.indexOf(weight) };
}

const alphabet = fc.constantFrom('a', 'b', 'c', ' ', 'é');
const needle = fc.record({
  text: fc.string({ unit: alphabet, minLength: 1, maxLength: 4 }),
  weight: fc.integer({ min: 1, max: 5 }),
});
const needles = fc.uniqueArray(needle, { minLength: 1, maxLength: 6, selector: ({ text }) => text });
const text = fc.string({ unit: alphabet, maxLength: 120 });
const length = fc.integer({ min: 4, max: 25 });

const all = (...texts: string[]): Needle[] => texts.map((one) => ({ text: one, weight: 1 }));

describe('the best window', () => {
  it('is the best of all stretches, and the first of the best', () => {
    fc.assert(
      fc.property(text, needles, length, (where, asked, most) => {
        const found = bestWindow(where, asked, most);
        const { weight, to } = slowly(where, asked, most);
        expect(found).toMatchObject({ weight, to: weight === 0 ? 0 : to });
        expect(found.to - found.from).toBeLessThanOrEqual(most);
        const shown = where.slice(found.from, found.to);
        expect(weightOf(shown, asked)).toBe(weight);
        if (weight > 0) expect(asked.some((one) => shown.startsWith(one.text))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is where most different needles stand, not where one stands often', () => {
    const where = `${'csv '.repeat(50)}${'x'.repeat(200)} csv with encoding`;
    const { from, to, weight } = bestWindow(where, all('csv', 'encoding'), 160);
    expect([where.slice(from, to), weight]).toEqual(['csv with encoding', 2]);
  });

  it('prefers what weighs more', () => {
    const where = `the and of ${'x'.repeat(200)} zebra`;
    const asked = [...all('the', 'and', 'of'), { text: 'zebra', weight: 3.5 }];
    const { from, to, weight } = bestWindow(where, asked, 160);
    expect([where.slice(from, to), weight]).toEqual(['zebra', 3.5]);
  });

  it('stays the first one where fractions add up in another order', () => {
    const asked = [0.1, 0.2, 0.3, 0.7].map((weight, index) => ({ text: `n${index}`, weight }));
    const orders = ['n0 n1 n2 n3', 'n3 n2 n1 n0', 'n2 n0 n3 n1'];
    const { from } = bestWindow(orders.join('x'.repeat(50)).repeat(20), asked, 20);
    expect(from).toBe(0);
  });

  it('shows the beginning of a needle that is longer than it', () => {
    const long = 'ab'.repeat(50);
    const where = `b ${long} ${'x'.repeat(99)}`;
    expect(bestWindow(where, all(long), 10)).toEqual({ from: 2, to: 12, weight: 1 });
    expect(bestWindow(where, [{ text: long, weight: 5 }, ...all('b')], 10)).toEqual({ from: 2, to: 12, weight: 5 });
  });

  it('is empty where no needle stands', () => {
    const nothing = { from: 0, to: 0, weight: 0 };
    expect(bestWindow('', all('a'), 160)).toEqual(nothing);
    expect(bestWindow('bcd', all('a'), 160)).toEqual(nothing);
    expect(bestWindow('bcd', [], 160)).toEqual(nothing);
  });

  it('is found soon in a long text full of needles', () => {
    const nested = Array.from({ length: 400 }, (_, index) => 'a'.repeat(index + 1));
    expect(bestWindow('a'.repeat(2_000_000), all(...nested), 160)).toEqual({ from: 0, to: 160, weight: 160 });
    const rare = `${'ab '.repeat(700_000)}zebra`;
    expect(bestWindow(rare, all('a', 'b', 'zebra'), 160)).toMatchObject({ to: rare.length, weight: 3 });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byText } from '../../../core/text/text.ts';
import { cursorAfter, keyIn, pageOf } from './paging.ts';

const same = (key: string): string => key;

describe('pages', () => {
  it('give what stayed once each and in order, whatever comes and goes between them', () => {
    const keys = fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 4 }), { maxLength: 40 });
    fc.assert(
      fc.property(keys, fc.array(keys, { maxLength: 12 }), fc.integer({ min: 1, max: 7 }), (always, others, size) => {
        const seen: string[] = [];
        let cursor: string | undefined;
        for (let turn = 0; ; turn++) {
          // Each page is of a different list; only `always` is in all of them.
          const list = [...new Set([...always, ...(others[turn % Math.max(others.length, 1)] ?? [])])].sort(byText);
          const page = pageOf('list', list, same, { cursor, size });
          expect(page.items.length).toBeLessThanOrEqual(size);
          seen.push(...page.items);
          cursor = page.nextCursor;
          if (cursor === undefined) break;
          expect(turn).toBeLessThan(2000);
        }
        expect(seen).toEqual([...new Set(seen)].sort(byText));
        expect(seen).toEqual(expect.arrayContaining(always));
      }),
    );
  });

  it('know their own cursors and no others', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (key) => {
        expect(keyIn('list', cursorAfter('list', key))).toBe(key);
        expect(() => keyIn('other', cursorAfter('list', key))).toThrow(/Invalid cursor/);
      }),
    );
    const good = cursorAfter('list', 'key');
    const bad = ['', ' ', 'x', `${good}=`, `${good} `, ` ${good}`, good.slice(1), `${good}\u0000`, '\ud800', '☃'];
    for (const cursor of bad) expect(() => keyIn('list', cursor), JSON.stringify(cursor)).toThrow(/Invalid cursor/);
    expect(() => keyIn('list', 7 as never)).toThrow(/Invalid cursor/);
    expect(() => keyIn('list', Buffer.from([0x6c, 0x69, 0x73, 0x74, 0x0a, 0xff]).toString('base64url'))).toThrow();
    expect(keyIn('list', undefined)).toBeUndefined();
  });
});

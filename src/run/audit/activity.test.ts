import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ActivityEvent, eventIn, lineOf, notedKinds } from './activity.ts';

const event: ActivityEvent = {
  time: '2026-11-15T08:30:00.000Z',
  what: 'searched',
  client: 'claude-code',
  skill: null,
  detail: 'merge PDF files',
  hits: 3,
  outcome: 'ok',
  durationMs: 12,
};

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 1200 }),
  fc.constantFrom('\ud800'.repeat(2000), '😀'.repeat(2000), '\u0001"\\\n'.repeat(900)),
);

describe('a line of the activity log', () => {
  it.each(notedKinds)('says what was done, and is read as it was written: %s', (what) => {
    expect(eventIn(Buffer.from(lineOf({ ...event, what }).trimEnd()))).toEqual({ ...event, what });
  });

  it('is one line below 4 KiB, whatever text it is given', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (client, skill, detail) => {
        const line = lineOf({ ...event, what: 'loaded', client, skill, detail, outcome: detail });
        expect(line.slice(0, -1)).not.toContain('\n');
        expect(Buffer.byteLength(line)).toBeLessThan(4096);
        expect(eventIn(Buffer.from(line.trimEnd()))).toMatchObject({ what: 'loaded', hits: 3 });
      }),
      { numRuns: 200 },
    );
  });

  it('holds the first 200 characters of a search, and no secret in them', () => {
    const { detail } = eventIn(Buffer.from(lineOf({ ...event, detail: 'a'.repeat(100_000) }))) as ActivityEvent;
    expect(detail).toBe(`${'a'.repeat(199)}…`);
    expect(lineOf({ ...event, detail: 'call it with --token hunter2hunter2' })).not.toContain('hunter2');
    // Also holds where the cut would have left a piece of it.
    expect(lineOf({ ...event, detail: `${'a'.repeat(180)} password=hunter2hunter2hunter2` })).not.toContain('hunter2');
  });

  it.each([
    '',
    '{"time":"2026-11-15T08:30:0',
    'null',
    '[]',
    '"text"',
    '{}',
    JSON.stringify({ ...event, what: 'ran' }),
    JSON.stringify({ ...event, time: 'yesterday' }),
    JSON.stringify({ ...event, client: 7 }),
    JSON.stringify({ ...event, skill: {} }),
    JSON.stringify({ ...event, hits: 'many' }),
    JSON.stringify({ ...event, durationMs: null }),
  ])('is ignored where it is not ours: %s', (line) => {
    expect(eventIn(Buffer.from(line))).toBeNull();
  });
});

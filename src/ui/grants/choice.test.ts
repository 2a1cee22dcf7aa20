import { describe, expect, it } from 'vitest';
import type { GrantRecord } from '../../engine/operations/running/grants.ts';
import type { InspectPermissions } from '../../engine/operations/skills/inspect.ts';
import { askedIn, grantWords, isHeld, tickedAtFirst } from './choice.ts';

const item = (key: string, more: { readonly granted?: boolean; readonly free?: boolean } = {}) => ({
  key,
  words: key,
  granted: false,
  free: false,
  tools: [],
  ...more,
});

const grantOf = (valid: boolean): InspectPermissions['grant'] => ({
  grantedAt: 'then',
  digest: 'd',
  valid,
  changes: [],
});

const record: GrantRecord = {
  skill: 's',
  folder: '/s',
  digest: 'd',
  grantedAt: 'then',
  may: [],
  items: [{ key: 'a', words: 'a' }],
  withheld: [{ key: 'b', words: 'b' }],
  valid: false,
  changes: [],
};

describe('what is ticked at first', () => {
  it('is everything where nothing was ever granted, without what is free', () => {
    const permissions = { items: [item('a'), item('b'), item('c', { free: true })], grant: null, impossible: null };
    const asked = askedIn(permissions, null);
    expect([...tickedAtFirst(asked, permissions, null)]).toEqual(['a', 'b']);
    expect(asked.some(({ isNew }) => isNew)).toBe(false);
  });

  it('is what is granted', () => {
    const permissions = { items: [item('a', { granted: true }), item('b')], grant: grantOf(true), impossible: null };
    const asked = askedIn(permissions, { ...record, valid: true });
    const ticked = tickedAtFirst(asked, permissions, record);
    expect([...ticked]).toEqual(['a']);
    expect(isHeld(asked, ticked, permissions)).toBe(true);
    expect(isHeld(asked, new Set(['a', 'b']), permissions)).toBe(false);
  });

  it('is what was granted before a change, and never what came with it', () => {
    const permissions = { items: [item('a'), item('b'), item('new')], grant: grantOf(false), impossible: null };
    const asked = askedIn(permissions, record);
    expect([...tickedAtFirst(asked, permissions, record)]).toEqual(['a']);
    expect(asked.filter(({ isNew }) => isNew).map(({ key }) => key)).toEqual(['new']);
    expect(isHeld(asked, new Set(), permissions)).toBe(false);
  });
});

it('the button says how much is granted', () => {
  expect([grantWords(0, 3), grantWords(2, 3), grantWords(3, 3), grantWords(1, 1)]).toEqual([
    'Grant nothing',
    'Grant 2 of 3',
    'Grant all 3',
    'Grant it',
  ]);
});

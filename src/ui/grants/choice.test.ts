import { describe, expect, it } from 'vitest';
import type { GrantRecord } from '../../engine/operations/running/grants.ts';
import type { InspectPermissions } from '../../engine/operations/skills/inspect.ts';
import { askedIn, byRisk, grantWords, hadBefore, isHeld, tickedAtFirst } from './choice.ts';

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
  it('is nothing where nothing was ever granted, and what is free is not asked about', () => {
    const permissions = { items: [item('a'), item('b'), item('c', { free: true })], grant: null, impossible: null };
    const asked = askedIn(permissions, null);
    expect(asked.map(({ key }) => key)).toEqual(['a', 'b']);
    expect([...tickedAtFirst(asked, permissions)]).toEqual([]);
    expect(asked.some(({ isNew }) => isNew)).toBe(false);
  });

  it('is what is granted', () => {
    const permissions = { items: [item('a', { granted: true }), item('b')], grant: grantOf(true), impossible: null };
    const asked = askedIn(permissions, { ...record, valid: true });
    const ticked = tickedAtFirst(asked, permissions);
    expect([...ticked]).toEqual(['a']);
    expect(isHeld(asked, ticked, permissions)).toBe(true);
    expect(isHeld(asked, new Set(['a', 'b']), permissions)).toBe(false);
  });

  it('is nothing after a change; what was granted before is known, and what came with it marked', () => {
    const permissions = { items: [item('a'), item('b'), item('new')], grant: grantOf(false), impossible: null };
    const asked = askedIn(permissions, record);
    expect([...tickedAtFirst(asked, permissions)]).toEqual([]);
    expect([...hadBefore(asked, record)]).toEqual(['a']);
    expect(asked.filter(({ isNew }) => isNew).map(({ key }) => key)).toEqual(['new']);
    expect(isHeld(asked, new Set(), permissions)).toBe(false);
  });
});

it('the button says how much is granted', () => {
  expect([grantWords(0, 3), grantWords(2, 3), grantWords(3, 3), grantWords(1, 1)]).toEqual([
    'Grant',
    'Grant 2 of 3',
    'Grant all 3',
    'Grant it',
  ]);
});

it('secrets and wildcards stand apart, and the rest is ordered by risk', () => {
  const keys = [
    'limits:memory',
    'env:A',
    'network:a.example',
    'secrets:K',
    'filesystem:read:/a',
    'filesystem:write:/b',
  ];
  const items = [...keys, 'network:*.b.example', 'commands:git'].map((key) => ({ ...item(key), isNew: false }));
  const { apart, rest } = byRisk(items);
  expect(apart.map(({ key }) => key)).toEqual(['secrets:K', 'network:*.b.example']);
  expect(rest.map(({ key }) => key)).toEqual([
    'filesystem:write:/b',
    'commands:git',
    'network:a.example',
    'filesystem:read:/a',
    'env:A',
    'limits:memory',
  ]);
});

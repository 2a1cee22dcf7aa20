import { describe, expect, it } from 'vitest';
import type { Engine } from './engine.ts';
import { defineOperation, invoke } from './operation.ts';

describe('invoke', () => {
  const engine = (): Engine & { checks: number } => {
    const made = { checks: 0, freshness: { check: async () => void made.checks++ } };
    return made as unknown as Engine & { checks: number };
  };

  it.each([
    [undefined, 1],
    [false, 0],
  ] as const)('brings the registry up to date unless the operation looks at no skill: %s', async (concerns, checks) => {
    const asked = engine();
    const operation = defineOperation({
      name: 'any',
      effect: 'reads',
      input: {},
      ...(concerns === false && { concernsSkills: concerns }),
      run: async () => 'done',
    });
    expect(await invoke(asked, operation, {}, { origin: 'library' })).toBe('done');
    expect(asked.checks).toBe(checks);
  });
});

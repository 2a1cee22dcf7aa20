import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkRequirements, citedIn, testSources } from './gate.ts';
import { readRequirements, requirements } from './manifest.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const sources = [...testSources(`${project}src`), ...testSources(`${project}test`)];
const wellFormed = /^(S[0-4]|C[1-5])-[A-Z]+-\d\d$/;

describe('the requirements', () => {
  it('are each proven by a test, and no test cites one that is not there', () => {
    expect(checkRequirements(requirements, sources)).toEqual({
      unproven: [],
      unknown: [],
      duplicates: [],
    });
  });

  it('have an id, a source and a sentence each', () => {
    expect(requirements.length).toBeGreaterThan(700);
    const poor = requirements.filter((one) => !wellFormed.test(one.id) || one.source === '' || one.text.length < 10);
    expect(poor).toEqual([]);
  });
});

describe('the gate', () => {
  const known = readRequirements('# The contract, names\nC1-A-01 A name is a name.\n\n# Other\nC1-B-01 So is this.\n');

  it('reads ids, sources and sentences', () => {
    expect(known).toEqual([
      { id: 'C1-A-01', source: 'The contract, names', text: 'A name is a name.' },
      { id: 'C1-B-01', source: 'Other', text: 'So is this.' },
    ]);
  });

  it('fails on a requirement that nothing proves', () => {
    expect(checkRequirements(known, ["it('x [C1-B-01]', () => {})"]).unproven).toEqual(['C1-A-01']);
  });

  it('fails on a citation of nothing', () => {
    const report = checkRequirements(known, ["it('x [C1-A-01 C1-B-01 C1-Z-99]', () => {})"]);
    expect(report).toEqual({ unproven: [], unknown: ['C1-Z-99'], duplicates: [] });
  });

  it('reads citations at the end of titles, and none from comments or other strings', () => {
    expect(citedIn("it('t [A-1]', f); it.each(rows)(\n  `t $1 [A-2 A-3]`,\n f)")).toEqual(['A-1', 'A-2', 'A-3']);
    expect(citedIn("// C1-A-01 is [C1-A-01]\nit('C1-A-01 [C1-A-01] is', f)")).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import { applyFilter, compileFilter } from '../../src/output/jq/filter.ts';
import { readValues } from '../../src/output/jq/values/read.ts';
import { writeJson } from '../../src/output/jq/values/write.ts';

/** What a filter makes of JSON, each result as compact JSON. */
export function jq(filter: string, input = 'null'): string[] {
  return applyFilter(compileFilter(filter), readValues(input), input.length).map((value) => writeJson(value));
}

/** A filter used on null, and all its results. */
export type JqCase = readonly [filter: string, ...results: string[]];

export function expectCases(cases: readonly JqCase[]): void {
  it.each(cases.map(([filter, ...results]) => ({ filter, results })))('$filter', ({ filter, results }) => {
    expect(jq(filter)).toEqual(results);
  });
}

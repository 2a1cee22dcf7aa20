import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Requirement } from './manifest.ts';

/** What is wrong between the manifest and the tests: nothing, when all is well. */
export interface GateReport {
  /** Not cited by any test. */
  readonly unproven: readonly string[];
  /** Cited, but not in the manifest. */
  readonly unknown: readonly string[];
  readonly duplicates: readonly string[];
}

/** The end of a title that cites requirements: their ids in brackets. */
const citation = / \[([A-Z]\w*-[^\]\n]+)\]['"`],/g;

/** The ids that the titles of a test file cite. */
export function citedIn(source: string): string[] {
  return [...source.matchAll(citation)].flatMap(([, ids = '']) => ids.split(' '));
}

/** Every test file below a folder, as text. */
export function testSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testSources(path);
    // The gate's own test speaks of ids that must not be there.
    const isTest = entry.name.endsWith('.test.ts') && entry.name !== 'requirements.test.ts';
    return isTest ? [readFileSync(path, 'utf8')] : [];
  });
}

export function checkRequirements(requirements: readonly Requirement[], sources: readonly string[]): GateReport {
  const cited = new Set(sources.flatMap(citedIn));
  const ids = requirements.map((one) => one.id);
  const known = new Set(ids);
  return {
    unproven: ids.filter((one) => !cited.has(one)),
    unknown: [...cited].filter((one) => !known.has(one)),
    duplicates: ids.filter((one, index) => ids.indexOf(one) !== index),
  };
}

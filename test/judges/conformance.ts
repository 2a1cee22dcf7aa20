import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../support/world.ts';
import { runJudge } from './node.ts';
import type { Count } from './table.ts';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

export interface Judgement {
  readonly code: number;
  readonly scenarios: number;
  readonly count: Count;
  /** Each check that did not pass, in words. */
  readonly complaints: readonly string[];
  readonly said: string;
}

/** Runs the official suite against a server. Scenarios that are left out run all the same, but are not counted. */
export async function judgeConformance(
  world: World,
  url: string,
  args: readonly string[],
  leftOut: readonly string[] = [],
): Promise<Judgement> {
  const folder = mkdtempSync(join(world.root, 'checks-'));
  const script = '@modelcontextprotocol/conformance/dist/index.js';
  const { code, stdout, stderr } = await runJudge(world, script, ['server', '--url', url, '-o', folder, ...args]);
  const results = readdirSync(folder)
    .map((name) => ({ name, scenario: name.replace(/^server-(.*?)-\d{4}-\d\d-\d\dT.*$/, '$1') }))
    .filter(({ scenario }) => !leftOut.some((start) => scenario.startsWith(start)))
    .map(({ name, scenario }) => ({ scenario, checks: checksIn(join(folder, name, 'checks.json')) }));
  return {
    code,
    scenarios: results.length,
    count: countOf(results.flatMap(({ checks }) => checks)),
    complaints: results.flatMap(({ scenario, checks }) =>
      checks.filter(isComplaint).map(({ id, status, errorMessage }) => `${scenario}:${id} ${status} ${errorMessage}`),
    ),
    said: (stdout + stderr).slice(-2000),
  };
}

function checksIn(file: string): Check[] {
  return JSON.parse(readFileSync(file, 'utf8')) as Check[];
}

function isComplaint({ status }: Check): boolean {
  return status === 'FAILURE' || status === 'WARNING';
}

function countOf(checks: readonly Check[]): Count {
  const judged = checks.filter((check) => check.status === 'SUCCESS' || isComplaint(check));
  return { passed: judged.filter(({ status }) => status === 'SUCCESS').length, total: judged.length };
}

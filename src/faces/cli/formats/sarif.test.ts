import { expect, it } from 'vitest';
import { type DiagnosticCode, diagnostic } from '../../../core/diagnostics.ts';
import { sarifLog } from './sarif.ts';

interface Log {
  version: string;
  runs: { tool: { driver: { name: string; rules: { id: string }[] } }; results: Result[] }[];
}

interface Result {
  ruleId: string;
  ruleIndex: number;
  level: string;
  locations: unknown[];
}

function runOf(...findings: [DiagnosticCode, string, ({ line: number; column: number } | undefined)?][]) {
  const all = findings.map(([code, file, at]) => diagnostic(code, file, 'm', 'r.', at));
  const log = JSON.parse(JSON.stringify(sarifLog(all, '/project'))) as Log;
  expect(log.version).toBe('2.1.0');
  return log.runs[0] as Log['runs'][number];
}

it('SARIF lists every rule, and each result points to its own', () => {
  const { tool, results } = runOf(['rule-name', '/project/a/SKILL.md'], ['shadowed', '/project/a/SKILL.md']);
  expect(tool.driver.name).toBe('repertoire');
  expect(tool.driver.rules).toContainEqual({
    id: 'rule-body',
    shortDescription: { text: 'The body should be short' },
    fullDescription: { text: 'The body should be short' },
    help: { text: 'The body should be short' },
    defaultConfiguration: { level: 'warning' },
  });
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  expect(results.map((one) => one.level)).toEqual(['error', 'note']);
});

it('SARIF encodes paths, relative to the working directory where they lie below it', () => {
  const { results } = runOf(
    ['rule-name', '/project/a b/ü#%/SKILL.md', { line: 3, column: 5 }],
    ['rule-encoding', '/other/a b.md'],
    ['rule-name', '/project/\ud800/SKILL.md'],
  );
  const places = results.flatMap((one) => one.locations);
  expect(places).toEqual([
    {
      physicalLocation: {
        artifactLocation: { uri: 'a%20b/%C3%BC%23%25/SKILL.md', uriBaseId: '%SRCROOT%' },
        region: { startLine: 3, startColumn: 5 },
      },
    },
    { physicalLocation: { artifactLocation: { uri: 'file:///other/a%20b.md' }, region: { startLine: 1 } } },
    {
      physicalLocation: {
        artifactLocation: { uri: '%EF%BF%BD/SKILL.md', uriBaseId: '%SRCROOT%' },
        region: { startLine: 1 },
      },
    },
  ]);
});

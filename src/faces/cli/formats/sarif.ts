import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCodes,
  type Severity,
  severityOf,
} from '../../../core/diagnostics.ts';
import { version } from '../../../core/version.ts';
import { pathFrom, titleOf, titles } from './github.ts';

const levelFor: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };
const schema = 'https://json.schemastore.org/sarif-2.1.0.json';

/** A rule as SARIF describes it. */
export interface SarifRule {
  readonly id: string;
  readonly title: string;
  readonly help: string;
  readonly level: string;
}

/** A place where a rule applies. */
export interface SarifResult {
  readonly rule: string;
  readonly level: string;
  readonly text: string;
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** Converts findings to a SARIF 2.1.0 log, the format in which code scanners exchange results. */
export function sarifLog(findings: readonly Diagnostic[], cwd: string): object {
  const codes = diagnosticCodes.filter(
    (code) => Object.hasOwn(titles, code) || findings.some((one) => one.code === code),
  );
  const results = findings.map(({ code, severity, message, remedy, ...place }) => ({
    rule: code,
    level: levelFor[severity],
    text: `${message}. ${remedy}`,
    ...place,
  }));
  return sarifOf(codes.map(ruleOf), results, cwd);
}

/** The log for rules and results of any kind. */
export function sarifOf(rules: readonly SarifRule[], results: readonly SarifResult[], cwd: string): object {
  const described = rules.map(({ id, title, help, level }) => ({
    id,
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: help },
    defaultConfiguration: { level },
  }));
  const index = new Map(rules.map(({ id }, at) => [id, at]));
  const rows = results.map((one) => ({
    ruleId: one.rule,
    ruleIndex: index.get(one.rule),
    level: one.level,
    message: { text: one.text },
    locations: [{ physicalLocation: { artifactLocation: locationOf(one.file, cwd), region: regionOf(one) } }],
  }));
  const driver = { name: 'repertoire', version: version(), rules: described };
  return {
    $schema: schema,
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results: rows }],
  };
}

function ruleOf(code: DiagnosticCode): SarifRule {
  const title = titleOf(code);
  return { id: code, title, help: title, level: levelFor[severityOf(code)] };
}

function locationOf(file: string, cwd: string): object {
  const path = pathFrom(cwd, file);
  if (isAbsolute(path)) return { uri: pathToFileURL(file).href };
  // Converted to bytes and back, since half a surrogate pair cannot be encoded.
  const parts = path.split('/').map((part) => encodeURIComponent(Buffer.from(part).toString()));
  return { uri: parts.join('/'), uriBaseId: '%SRCROOT%' };
}

/** The region of a result. Code scanning refuses results without one: a finding about the file gets its first line. */
function regionOf({ line, column }: Pick<SarifResult, 'line' | 'column'>): object {
  return { startLine: line ?? 1, ...(column === null ? {} : { startColumn: column }) };
}

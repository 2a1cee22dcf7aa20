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
import { pathFrom } from './github.ts';
import { titleOf, titles } from './titles.ts';

const levelFor: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };
const schema = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Converts findings to a SARIF 2.1.0 log, the format in which code scanners exchange results. */
export function sarifLog(findings: readonly Diagnostic[], cwd: string): object {
  const codes = diagnosticCodes.filter(
    (code) => Object.hasOwn(titles, code) || findings.some((one) => one.code === code),
  );
  const driver = { name: 'repertoire', version: version(), rules: codes.map(ruleOf) };
  const results = findings.map((one) => ({
    ruleId: one.code,
    ruleIndex: codes.indexOf(one.code),
    level: levelFor[one.severity],
    message: { text: `${one.message}. ${one.remedy}` },
    locations: [{ physicalLocation: { artifactLocation: locationOf(one.file, cwd), region: regionOf(one) } }],
  }));
  return { $schema: schema, version: '2.1.0', runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }] };
}

function ruleOf(code: DiagnosticCode): object {
  const text = titleOf(code);
  return {
    id: code,
    shortDescription: { text },
    fullDescription: { text },
    help: { text },
    defaultConfiguration: { level: levelFor[severityOf(code)] },
  };
}

function locationOf(file: string, cwd: string): object {
  const path = pathFrom(cwd, file);
  if (isAbsolute(path)) return { uri: pathToFileURL(file).href };
  // Converted to bytes and back, since half a surrogate pair cannot be encoded.
  const parts = path.split('/').map((part) => encodeURIComponent(Buffer.from(part).toString()));
  return { uri: parts.join('/'), uriBaseId: '%SRCROOT%' };
}

/** The region of a result. Code scanning refuses results without one: a finding about the file gets its first line. */
function regionOf({ line, column }: Diagnostic): object {
  return { startLine: line ?? 1, ...(column === null ? {} : { startColumn: column }) };
}

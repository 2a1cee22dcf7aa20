import { join } from 'node:path';
import { displayPath } from '../../../../core/disk/paths.ts';
import { count, oneLine } from '../../../../core/text/text.ts';
import { scan as operation, type ScannedSkill, type ScanOutput } from '../../../../engine/operations/skills/scan.ts';
import { type Rule, rules as table } from '../../../../get/scan/rules/table.ts';
import type { Finding, ScanSeverity } from '../../../../get/scan/types.ts';
import { defineCommand } from '../../command.ts';
import { workflowLine } from '../../formats/github.ts';
import { sarifOf } from '../../formats/sarif.ts';
import type { Style, Terminal } from '../../terminal/terminal.ts';
import { type Measure, measureFor, wrap } from '../../terminal/wrap.ts';

const rules: Readonly<Record<string, Rule>> = table;

export const scan = defineCommand({
  operation,
  spelling: {
    targets: { positional: true, value: 'SKILL|PATH', completes: 'skill' },
    failOn: { value: 'SEVERITY' },
  },
  about:
    'Looks for what a skill could do to you: code that is downloaded or decoded and run, credentials that are read or ' +
    'sent away, settings that are changed for good, hidden text, instructions against you. Nothing is executed, nothing ' +
    'is sent anywhere, and the same files always get the same answer. A skill with a finding of severity high or critical ' +
    'goes into quarantine: it stays in the list, and is loaded and run by nobody until you allow this version of it. Exit ' +
    'code 1: there is a finding as bad as --fail-on says.',
  examples: [
    { run: 'repertoire scan', what: 'every skill that can be seen from this folder' },
    { run: 'repertoire scan release-notes', what: 'one skill' },
    { run: 'repertoire scan ~/Downloads/some-skill', what: 'a folder, before it is installed' },
    { run: 'repertoire scan --format sarif skills > scan.sarif', what: 'for code scanning' },
    { run: 'repertoire scan --format github --fail-on medium skills', what: 'as annotations, in a workflow' },
  ],
  printOptions: {
    format: {
      kind: 'choice',
      choices: ['text', 'json', 'sarif', 'github'],
      default: 'text',
      value: 'FORMAT',
      description: 'How findings are printed.',
    },
  },
  async print(output, { terminal, engine, input }) {
    terminal.write(
      await formats[input.format](output, { terminal, cwd: engine.environment.cwd, home: engine.environment }),
    );
  },
  succeeded: ({ failed }) => !failed,
});

interface Surroundings {
  readonly terminal: Terminal;
  readonly cwd: string;
  readonly home: Parameters<typeof displayPath>[1];
}

type Format = (output: ScanOutput, surroundings: Surroundings) => string | Promise<string>;

const levels: Readonly<Record<ScanSeverity, string>> = {
  low: 'note',
  medium: 'warning',
  high: 'error',
  critical: 'error',
};
const commands: Readonly<Record<ScanSeverity, string>> = {
  low: 'notice',
  medium: 'warning',
  high: 'error',
  critical: 'error',
};

const formats: Readonly<Record<'text' | 'json' | 'sarif' | 'github', Format>> = {
  text: asText,
  json: (output) => `${JSON.stringify(output, null, 2)}\n`,
  github: (output, { cwd }) =>
    placed(output)
      .map(({ rule, severity, found, why, allow, file, line }) =>
        workflowLine(
          {
            command: commands[severity],
            file,
            line,
            column: null,
            title: rules[rule]?.title ?? rule,
            text: `${found}. ${why} ${allow} (${rule})`,
          },
          cwd,
        ),
      )
      .map((line) => `${line}\n`)
      .join(''),
  sarif: (output, { cwd }) => {
    const described = Object.entries(rules).map(([id, { title, why, remedy, severity }]) => ({
      id,
      title,
      help: `${why} ${remedy}.`,
      level: levels[severity],
    }));
    const results = placed(output).map(({ rule, severity, found, why, file, line }) => ({
      rule,
      level: levels[severity],
      text: `${found}. ${why}`,
      file,
      line,
      column: null,
    }));
    return `${JSON.stringify(sarifOf(described, results, cwd), null, 2)}\n`;
  },
};

/** All findings, each with the whole path of its file. */
function placed({ skills }: ScanOutput): Finding[] {
  return skills.flatMap(
    ({ folder, report }) => report?.findings.map((one) => ({ ...one, file: join(folder, one.file) })) ?? [],
  );
}

const styles: Readonly<Record<ScanSeverity, Style>> = { low: 'dim', medium: 'yellow', high: 'red', critical: 'red' };
const verdictStyles = { clean: 'green', warned: 'yellow', blocked: 'red', allowed: 'yellow', unknown: 'red' } as const;

async function asText({ skills, summary }: ScanOutput, { terminal, home }: Surroundings): Promise<string> {
  const reported = skills.filter(({ report, problem }) => problem !== null || (report?.findings.length ?? 0) > 0);
  const measure = await measureFor(reported.flatMap(({ report }) => report?.findings.map(({ found }) => found) ?? []));
  const lines = reported.flatMap((skill) => [
    ...headLines(skill, terminal, home),
    ...(skill.report?.findings ?? []).flatMap((finding) => findingLines(finding, terminal, measure)),
    ...allowLines(skill),
    '',
  ]);
  return [...lines, closing(summary), ''].join('\n');
}

function headLines(
  { name, folder, report, problem, allowed }: ScannedSkill,
  terminal: Terminal,
  home: Surroundings['home'],
): string[] {
  const verdict = allowed === null ? (report?.verdict ?? 'unknown') : 'allowed';
  const head = `${terminal.style('bold', oneLine(name))}  ${terminal.style(verdictStyles[verdict], verdict)}  ${terminal.style('dim', oneLine(displayPath(folder, home)))}`;
  return [
    head,
    ...(problem === null ? [] : [`  ${oneLine(problem)}`]),
    ...(allowed === null ? [] : [`  allowed: ${oneLine(allowed)}`]),
  ];
}

const indent = ' '.repeat(12);

function findingLines(
  { rule, severity, file, line, found, why }: Finding,
  terminal: Terminal,
  measure: Measure,
): string[] {
  const room = terminal.columns - indent.length;
  const place = `${oneLine(file)}${line === null ? '' : `:${line}`}`;
  const [first = '', ...rest] = wrap(`${place}  ${oneLine(found)} (${rule})`, room, measure);
  return [
    `  ${terminal.style(styles[severity], severity.padEnd(8))}  ${first}`,
    ...rest.map((one) => indent + one),
    ...wrap(why, room, measure).map((one) => indent + terminal.style('dim', one)),
  ];
}

/** The way to let a blocked skill out, once for all of its findings. */
function allowLines({ name, report, allowed }: ScannedSkill): string[] {
  if (report?.verdict !== 'blocked' || allowed !== null) return [];
  return [`  To let this version out: repertoire allow ${oneLine(name)} --digest ${report.digest} --reason TEXT`];
}

function closing({ skills, clean, warned, blocked, allowed }: ScanOutput['summary']): string {
  const parts = [
    `${clean} clean`,
    `${warned} warned`,
    `${blocked} blocked`,
    ...(allowed > 0 ? [`${allowed} allowed`] : []),
  ];
  return `${count(skills, 'skill')} scanned: ${parts.join(', ')}.`;
}

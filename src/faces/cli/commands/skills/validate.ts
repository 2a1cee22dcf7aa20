import type { Diagnostic, Severity } from '../../../../core/diagnostics.ts';
import { displayPath } from '../../../../core/disk/paths.ts';
import type { Environment } from '../../../../core/environment.ts';
import { addTo } from '../../../../core/maps.ts';
import { count, oneLine } from '../../../../core/text/text.ts';
import { validate as operation, type ValidateOutput } from '../../../../engine/operations/skills/validate.ts';
import { defineCommand } from '../../command.ts';
import { githubLines } from '../../formats/github.ts';
import { sarifLog } from '../../formats/sarif.ts';
import type { Style, Terminal } from '../../terminal/terminal.ts';
import { type Measure, measureFor, wrap } from '../../terminal/wrap.ts';

export const validate = defineCommand({
  operation,
  spelling: { paths: { positional: true, value: 'PATH', completes: 'path' } },
  about:
    'Checks SKILL.md files against the strict rules of the Agent Skills format, which are stricter than loading. With ' +
    '--fix, it also fixes what can be fixed without changing what a skill says; bodies are never changed. Exits with 1 ' +
    'when there are errors, and with 0 when there are only warnings.',
  examples: [
    { run: 'repertoire validate', what: 'every skill that can be seen from this folder' },
    { run: 'repertoire validate skills', what: 'every skill below one folder' },
    { run: 'repertoire validate --fix skills/pdf', what: 'fix one skill' },
    { run: 'repertoire validate --format github skills', what: 'as annotations, in a workflow' },
    { run: 'repertoire validate --format sarif skills > skills.sarif', what: 'for code scanning' },
  ],
  printOptions: {
    format: {
      kind: 'choice',
      choices: ['text', 'github', 'sarif'],
      default: 'text',
      value: 'FORMAT',
      description: 'How findings are printed.',
    },
  },
  async print(output, { terminal, engine, input }) {
    const { environment } = engine;
    terminal.write(await formats[input.format](output, { terminal, environment }));
  },
  succeeded: ({ summary }) => summary.errors === 0,
});

interface Surroundings {
  readonly terminal: Terminal;
  readonly environment: Environment;
}

type Format = (output: ValidateOutput, surroundings: Surroundings) => string | Promise<string>;

const formats: Readonly<Record<'text' | 'github' | 'sarif', Format>> = {
  text: asText,
  github: ({ findings }, { environment }) =>
    githubLines(findings, environment.cwd)
      .map((line) => `${line}\n`)
      .join(''),
  sarif: ({ findings }, { environment }) => `${JSON.stringify(sarifLog(findings, environment.cwd), null, 2)}\n`,
};

async function asText(output: ValidateOutput, { terminal, environment }: Surroundings): Promise<string> {
  const measure = await measureFor(output.findings.map((one) => one.message));
  const groups = new Map<string, Diagnostic[]>(output.fixed.map((one) => [one.file, []]));
  for (const one of output.findings) addTo(groups, one.file, one);
  const changes = new Map(output.fixed.map((one) => [one.file, one.changes]));
  const lines = [...groups].flatMap(([file, findings]) => [
    terminal.style('bold', oneLine(displayPath(file, environment))),
    ...(changes.get(file) ?? []).map((change) => `  ${terminal.style('green', 'fixed')}  ${oneLine(change)}`),
    ...findingLines(findings, terminal, measure),
    '',
  ]);
  return [...lines, closing(output), ''].join('\n');
}

const styles: Readonly<Record<Severity, Style>> = { error: 'red', warning: 'yellow', info: 'blue' };

function findingLines(findings: readonly Diagnostic[], terminal: Terminal, measure: Measure): string[] {
  const printed = new Set<string>();
  const places = findings.map(({ line, column }) => [line ?? '-', ...(column === null ? [] : [column])].join(':'));
  const width = Math.max(0, ...places.map((place) => place.length));
  const indent = ' '.repeat(width + 13);
  const room = terminal.columns - indent.length;
  return findings.flatMap((one, index) => {
    const isNews = !printed.has(one.remedy);
    printed.add(one.remedy);
    const [first = '', ...rest] = wrap(oneLine(`${one.message} (${one.code})`), room, measure);
    const remedy = isNews ? wrap(oneLine(one.remedy), room, measure) : [];
    const place = terminal.style('dim', (places[index] ?? '').padEnd(width));
    return [
      `  ${place}  ${terminal.style(styles[one.severity], one.severity.padEnd(7))}  ${first}`,
      ...rest.map((line) => indent + line),
      ...remedy.map((line) => indent + terminal.style('dim', line)),
    ];
  });
}

function closing({ files, findings, fixed, summary: { errors, warnings } }: ValidateOutput): string {
  const looked = count(files, 'file');
  const mended = fixed.length === 0 ? '' : `, ${fixed.length} fixed`;
  if (findings.length === 0) return `${looked}${mended}, no problems.`;
  return `${looked}${mended}, ${count(errors, 'error')}, ${count(warnings, 'warning')}.`;
}

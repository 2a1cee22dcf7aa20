import { displayPath } from '../../../../core/disk/paths.ts';
import { count, cut, oneLine } from '../../../../core/text/text.ts';
import {
  type AuditOutput,
  type AuditRow,
  type Chains,
  audit as operation,
} from '../../../../engine/operations/running/audit.ts';
import { defineCommand, exitCodes } from '../../command.ts';
import { briefDuration, briefTime } from '../../terminal/brief.ts';
import type { Style, Terminal } from '../../terminal/terminal.ts';

export const audit = defineCommand({
  operation,
  spelling: {
    action: { positional: true, value: 'verify' },
    skill: { value: 'NAME', completes: 'skill' },
    tool: { value: 'NAME' },
    result: { value: 'RESULT' },
    id: { value: 'ID' },
    since: { value: 'TIME' },
    until: { value: 'TIME' },
    limit: { value: 'N' },
    follow: { short: 'f' },
  },
  withoutProject: true,
  about:
    'Shows what was executed, the newest last: every run of a tool, whether it was allowed, denied or failed; and what ' +
    'skills were granted, and what was taken back, by whom. With verify, checks that the log is as it was written, and exits with 1 when it is not, naming the first record that ' +
    'was changed, removed or added. With verify and --cluster, the records that the cluster keeps of all its servers and ' +
    'workers are checked as well, and gaps, forks and broken links are named by node.',
  examples: [
    { run: 'repertoire audit', what: 'the last executions' },
    { run: 'repertoire audit --skill kubectl --result denied --since 7d', what: 'what was refused in a week' },
    { run: 'repertoire audit --result granted', what: 'who granted what to which skill' },
    { run: 'repertoire audit --follow --json', what: 'for another program, one JSON object per line' },
    { run: 'repertoire audit verify', what: 'whether anything was tampered with' },
    { run: 'repertoire audit verify --cluster nats://hub.example:4222', what: 'on any machine of a cluster' },
  ],
  rows: (output) => (output.what === 'following' ? output.following : null),
  async print(output, { terminal, engine }) {
    if (output.what === 'following') {
      for await (const row of output.following) terminal.write(rowLine(row, terminal));
    } else if (output.what === 'executions') {
      terminal.write(output.executions.map((row) => rowLine(row, terminal)).join('') || 'Nothing was executed.\n');
    } else {
      terminal.write(verdict(output, terminal, (path) => oneLine(displayPath(path, engine.environment))));
      if (output.chains !== undefined) terminal.write(chainsText(output.chains, terminal));
    }
  },
  exitCode(output) {
    const isBroken = output.what === 'verification' && !(output.ok && output.chains?.ok !== false);
    return isBroken ? exitCodes.negative : exitCodes.ok;
  },
});

const styles: Readonly<Record<string, Style>> = {
  running: 'blue',
  cancelled: 'yellow',
  granted: 'green',
  changed: 'green',
  narrowed: 'yellow',
  revoked: 'yellow',
};

function styleOf({ result, exitCode }: AuditRow): Style {
  if (result === 'exited') return exitCode === 0 ? 'green' : 'yellow';
  return styles[result] ?? 'red';
}

/** Formats one row: time, outcome, duration, tool and caller; and the reason of a failure, below. */
function rowLine(row: AuditRow, terminal: Terminal): string {
  const { timestamp, result, exitCode, durationMs, skill, tool, parameters, unsafe, message } = row;
  const what = {
    ...{ start: `${skill}:${tool}`, end: `${skill}:${tool}` },
    ...{ grant: skill, change: `${row.operation ?? ''} ${skill}`.trim() },
  }[row.event];
  const who = callerOf(row);
  const outcome = result === 'exited' && exitCode !== 0 ? `exited ${exitCode}` : result;
  const parts = [
    terminal.style('dim', briefTime(oneLine(timestamp))),
    terminal.style(styleOf(row), oneLine(outcome).padEnd(12)),
    terminal.style('dim', (durationMs === null ? '' : briefDuration(durationMs)).padStart(8)),
    terminal.style('cyan', oneLine(what)),
    terminal.style('dim', who),
    ...(unsafe ? [terminal.style('red', '[no sandbox]')] : []),
  ];
  const known = 20 + 1 + 12 + 1 + 8 + 1 + what.length + 1 + who.length + 1 + (unsafe ? 13 : 0);
  const room = terminal.columns - known;
  const given = JSON.stringify(parameters) ?? '';
  const shown = room < 10 || given === '{}' ? [] : [terminal.style('dim', cut(given, room))];
  const why = message === null ? '' : `${' '.repeat(21)}${cut(message, terminal.columns - 21)}\n`;
  return `${[...parts, ...shown].join(' ')}\n${why}`;
}

/** The caller as text, such as `mcp (claude-code)`: the entry point, and the name that the client gave itself. */
function callerOf({ by, client, subject, user = subject }: AuditRow): string {
  const through = client === undefined ? String(by) : `${by} (${client})`;
  return oneLine(user === undefined ? through : `${user}, ${through}`);
}

type Verification = Extract<AuditOutput, { what: 'verification' }>;

function verdict(output: Verification, terminal: Terminal, display: (path: string) => string): string {
  const { ok, broken, records, files, checkpoints, archived, tornBytes, key, last, folder } = output;
  const facts: [string, string][] = [
    ['records', `${records} in ${count(files, 'file')}, ${count(checkpoints, 'checkpoint')}`],
    ...archived.map(({ file, from, to }): [string, string] => ['archived', `records ${from} to ${to} (${file})`]),
    ...(tornBytes > 0 ? [['left over', `${tornBytes} bytes of a writer that was killed`] as [string, string]] : []),
    ...(last === null ? [] : [['last', `record ${last.seq}, ${last.hash}`] as [string, string]]),
    ...(key === null ? [] : [['key', key] as [string, string]]),
    ['folder', display(folder)],
  ];
  const title = ok
    ? `${terminal.style('green', 'intact')}  every record is as it was written`
    : `${terminal.style('red', 'broken')}  ${brokenText(broken)}`;
  return `${[title, ...facts.map(([name, text]) => `  ${terminal.style('dim', name.padEnd(9))} ${text}`)].join('\n')}\n`;
}

function brokenText(broken: Verification['broken']): string {
  if (broken === null) return '';
  const { file, line, seq, why, message } = broken;
  const place = [`${file}${line === null ? '' : `:${line}`}`, ...(seq === null ? [] : [`record ${seq}`])].join(', ');
  return oneLine(`${place}: ${message} (${why})`);
}

function chainsText(chains: Chains, terminal: Terminal): string {
  const { ok, cluster } = chains;
  const word = terminal.style(ok ? 'green' : 'red', ok ? 'intact' : 'broken');
  if ('failure' in chains) return `${word}  cluster ${cluster}: ${oneLine(chains.failure)}\n`;
  const { copies, nodes } = chains;
  const lines = nodes.flatMap(({ node, host, records, last, signedTo, faults, more }) => [
    `  ${terminal.style('cyan', node.slice(0, 16))} ${host}: ${count(records, 'record')}, the last is ${last?.seq ?? 0}, signed up to ${signedTo ?? 0}`,
    ...faults.map(({ why, seq, message }) => {
      const place = seq === null ? '' : `record ${seq}: `;
      return `    ${terminal.style('red', why)}  ${place}${message}`;
    }),
    ...(more === 0 ? [] : [`    and ${more} more`]),
  ]);
  const title = `${word}  cluster ${cluster}: ${count(nodes.length, 'node')}, ${count(copies, 'copy', 'copies')} of each record`;
  return `${[title, ...lines].join('\n')}\n`;
}

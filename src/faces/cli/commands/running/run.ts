import { fstatSync, readFileSync } from 'node:fs';
import { reasonOf, SkillError } from '../../../../core/errors.ts';
import { createPlainOutput } from '../../../../core/text/plain-output.ts';
import { oneLine, printable } from '../../../../core/text/text.ts';
import { isDryRun, run as operation, type RunOutput } from '../../../../engine/operations/running/run.ts';
import { permissionWords } from '../../../../engine/running/permissions/permission-words.ts';
import { shapingOf } from '../../../../engine/running/shaping.ts';
import type { DryRun, ExecutionResult } from '../../../../engine/running/types.ts';
import { type Common, defineCommand } from '../../command.ts';
import { exitCodes } from '../../exit.ts';
import { breakOff, brokenOffCode } from '../../terminal/signals.ts';
import type { Terminal } from '../../terminal/terminal.ts';

function readStdin(): string {
  try {
    return readFileSync(0, 'utf8');
  } catch (error) {
    throw new SkillError('unreadable', `standard input cannot be read (${reasonOf(error)})`);
  }
}

/** Whether a shell has piped something in, or a file: a tool that fails may have waited for that. Agents use sockets. */
function isPiped(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isFile();
  } catch {
    return false; // closed
  }
}

/** Exit code of a timed-out run, the same as that of `timeout` in coreutils. */
const timedOut = 124;

export const run = defineCommand({
  operation,
  spelling: {
    target: { positional: true, value: 'SKILL:TOOL', completes: 'skill', orPath: true },
    args: {
      positional: true,
      value: 'ARGS',
      description: 'Arguments for a script, after --; NAME=VALUE for other tools.',
    },
    param: { value: 'NAME=VALUE' },
    params: { value: 'JSON' },
    instance: { value: 'NAME' },
    grep: { value: 'REGEX' },
    head: { value: 'N' },
    tail: { value: 'N' },
    jq: { value: 'FILTER' },
    format: { value: 'FORM' },
    maxOutput: { value: 'CHARS' },
  },
  instead: { stdin: { kind: 'switch', description: 'Pass standard input to the tool.' } },
  input: ({ target, args, param, params, stdin, instance, dryRun, ...rest }) => ({
    ...{ target, args, param, params, instance, dryRun, ...shapingOf(rest) },
    stdin: (stdin as unknown) === true ? readStdin() : undefined,
  }),
  runsTools: true,
  about:
    'Runs a tool of a skill in its sandbox, prints its output as it comes, and exits with its exit code. Parameters ' +
    'are checked before anything runs; each value is one argument, and no shell reads it. A tool that asks for more ' +
    'than the default sandbox needs a grant first (repertoire grant). Exit code 124: timed out; 130: interrupted ' +
    'with Ctrl-C; 2: invalid parameters; 1: denied, or ended for another reason, which is printed.',
  examples: [
    { run: 'repertoire run kubernetes:get --param resource=pods', what: 'one tool, one parameter' },
    { run: 'repertoire run kubernetes get resource=pods', what: 'the same, shorter' },
    { run: 'repertoire run csv-profiler:profile_csv --stdin < data.csv', what: 'with what is piped in' },
    {
      run: `repertoire run kubernetes:get --params '{"resource":"pods"}' --jq '.items[].metadata.name'`,
      what: 'a part of it',
    },
    {
      run: 'repertoire run log-triage:cluster-logs --dry-run -- --help',
      what: 'what would run, and what it could access',
    },
  ],
  request({ terminal, input }) {
    const always = {
      signal: breakOff(),
      warn: (text: string) => terminal.note(`${terminal.style('red', 'warning:')} ${text}\n`),
    };
    if (!isStreamed(input)) return always;
    const write = (text: string | Uint8Array): void => terminal.write(text);
    const note = (text: string | Uint8Array): void => terminal.note(text);
    const show = {
      stdout: terminal.isInteractive ? asText(write) : write,
      stderr: terminal.notesAreRead ? asText(note) : note,
    };
    return { ...always, onOutput: (stream, bytes) => show[stream](bytes) };
  },
  print(output, { terminal, input }) {
    if (isDryRun(output)) {
      terminal.write(dryRunText(output, terminal));
      return;
    }
    printResult(output, terminal, isStreamed(input) ? 'shown' : 'kept');
    if ((output.exitCode ?? 0) !== 0 && (input.stdin as unknown) !== true && isPiped()) {
      terminal.note(`${terminal.style('dim', 'Standard input was not passed to the tool: that needs --stdin.')}\n`);
    }
  },
  exitCode: (output, { signal }) => exitCodeFor(output, brokenOffCode(signal)),
});

type Typed = Parameters<typeof operation.run>[1];

/** Whether output is shown as it comes; output that is to be shaped must be complete first. */
function isStreamed(input: Typed & Partial<Common>): boolean {
  return Object.keys(shapingOf(input)).length === 0 && input.json !== true && !input.dryRun;
}

/**
 * Decodes output for a terminal, which obeys escape sequences, and a tool is third-party code; a pipe gets the bytes.
 */
function asText(write: (text: string) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder(); // keeps an incomplete character until the rest of it comes
  const plain = createPlainOutput();
  return (bytes) => write(plain(decoder.decode(bytes, { stream: true })));
}

function printResult(result: ExecutionResult, terminal: Terminal, output: 'shown' | 'kept'): void {
  if (output === 'kept') {
    terminal.write(terminal.isInteractive ? printable(ended(result.stdout)) : ended(result.stdout));
    terminal.note(terminal.notesAreRead ? printable(ended(result.stderr)) : ended(result.stderr));
  }
  for (const note of result.notes) terminal.note(`${terminal.style('dim', oneLine(note))}\n`);
  for (const { what, detail } of result.denials) terminal.note(`denied: ${what}: ${oneLine(detail)}\n`);
  if (result.message === null) return;
  terminal.note(`${terminal.style('red', `${result.reason}:`)} ${printable(result.message)}\n`);
  if (result.hint !== null) terminal.note(`${printable(result.hint)}\n`);
}

/** The text with a newline at its end. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function dryRunText(plan: DryRun, terminal: Terminal): string {
  const { network, folders, limits } = permissionWords(plan.permissions);
  const title = (text: string): string => terminal.style('bold', text);
  const row = (name: string, text: string): string => `  ${name.padEnd(12)} ${oneLine(text)}`;
  const lines = [
    title(`${oneLine(plan.skill)}:${oneLine(plan.tool)}`),
    row('runtime', plan.runtime),
    row('skill', plan.digest),
    title('would run, each line one argument'),
    ...plan.argv.map((argument) => `  ${JSON.stringify(argument)}`),
    `  in ${oneLine(plan.folder)}${plan.stdinBytes > 0 ? `, with ${plan.stdinBytes} bytes on standard input` : ''}`,
    title('could access'),
    row('network', network.join(', ') || 'none'),
    row('files', ['its own folder (read)', 'a scratch folder of its own', ...folders].join(', ')),
    row('environment', environmentText(plan.env)),
    title('up to'),
    ...limits.map(([name, amount]) => row(name, amount)),
    title('enforced by'),
    ...plan.enforcement.map(({ what, by }) => row(what, by)),
  ];
  return `${lines.join('\n')}\n`;
}

function environmentText(env: DryRun['env']): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

function exitCodeFor(output: RunOutput, brokenOff: number | null): number {
  if (isDryRun(output)) return brokenOff ?? exitCodes.ok;
  if (output.reason === 'timeout') return timedOut;
  if (output.reason === 'exited') return output.exitCode ?? exitCodes.negative;
  if (output.reason === 'invalid_parameters') return exitCodes.usage;
  return brokenOff ?? exitCodes.negative;
}

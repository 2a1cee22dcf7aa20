import { splitTokens } from '../../core/config/layers.ts';
import { loadConfiguration } from '../../core/config/load.ts';
import { type SettingName, type Settings, settings } from '../../core/config/settings.ts';
import type { Diagnostic, DiagnosticCode } from '../../core/diagnostics.ts';
import { displayPath } from '../../core/disk/paths.ts';
import { type Environment, hostEnvironment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { optionName } from '../../core/schema/fields.ts';
import { oneLine, printable } from '../../core/text/text.ts';
import { version } from '../../core/version.ts';
import { createEngine, type Engine, type Request } from '../../engine/engine.ts';
import { invoke } from '../../engine/operation.ts';
import type { OwnOptions } from './aliases.ts';
import { beforeDashes, isStrange, parseArguments, positionalsOf, type Values } from './args.ts';
import {
  type AnyCommand,
  type Command,
  exitCodeOf,
  exitCodes,
  isServer,
  type Printed,
  type ServerCommand,
} from './command.ts';
import { type CommandName, commandMeant, commands, requireCommand } from './commands.ts';
import { allSettingOptions, fieldsOf, optionsFor } from './options.ts';
import { progressLine } from './terminal/progress.ts';
import { processTerminal, ReaderGone, type Terminal } from './terminal/terminal.ts';

/** Runs one command line. Never exits and never throws: the outcome is in the returned exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const terminal = processTerminal(process.env, colorIn(beforeDashes(argv)));
  return Promise.resolve()
    .then(() => dispatch(argv, hostEnvironment(), terminal))
    .catch((error: unknown) => (error instanceof ReaderGone ? exitCodes.ok : reportError(error, argv, terminal)))
    .catch(() => exitCodes.negative); // the reader of the error has gone away as well
}

async function dispatch(argv: readonly string[], environment: Environment, terminal: Terminal): Promise<number> {
  const [first, ...rest] = argv;
  const form = beforeDashes(rest).includes('--json') ? 'json' : 'text';
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    const { printHelp } = await import('./help.ts');
    return printHelp(terminal, first === 'help' ? rest.filter((word) => !word.startsWith('-')) : [], form);
  }
  if (first === '--version' || first === '-V' || first === 'version') {
    terminal.write(`${form === 'json' ? JSON.stringify({ version: version() }) : version()}\n`);
    return exitCodes.ok;
  }
  if (first === '__complete') {
    const { printCandidates } = await import('./complete.ts');
    await printCandidates(rest, environment, terminal);
    return exitCodes.ok;
  }
  const line = await requireCommand(argv);
  if (['--help', '-h'].some((option) => beforeDashes(rest).includes(option))) {
    const { printHelp } = await import('./help.ts');
    return printHelp(terminal, [line.name], form);
  }
  const command = await commands[line.name].load();
  const { argv: own, home } = await inOwnSpelling(line.name, line.rest, command);
  const seen = home === undefined ? environment : hostEnvironment({ home });
  return isServer(command) ? serve(command, own, seen) : run(command, own, seen, terminal);
}

/** The arguments with our own options in the place of those of other programs, if there are any that we do not know. */
async function inOwnSpelling(name: CommandName, argv: readonly string[], command: AnyCommand): Promise<OwnOptions> {
  const options = optionsFor(command);
  if (!beforeDashes(argv).some((word) => isStrange(word, options))) return { argv };
  const { ownOptions } = await import('./aliases.ts');
  return ownOptions(name, argv, options);
}

/** Whether the words ask for colours, or for none; undefined where they say nothing of it. */
function colorIn(words: readonly string[]): boolean | undefined {
  if (words.includes('--no-color')) return false;
  return words.includes('--color') ? true : undefined;
}

async function serve(command: ServerCommand, argv: readonly string[], environment: Environment): Promise<number> {
  const values = parseArguments(argv, optionsFor(command), command.fields);
  const given = { ...givenSettings(values), ...command.settings?.(values) };
  const lenient = await loadConfiguration(given, environment, { withoutProject: true });
  // A person who starts a server over HTTP reads why it cannot start; an agent in a checkout would just have no skills.
  const isAgents = lenient.problems.length === 0 || lenient.values.transport === 'stdio';
  const configuration = isAgents ? lenient : await loadConfiguration(given, environment);
  if (configuration.values.authTokenFile === undefined) return command.serve(configuration, environment, values);
  const { withToken } = await import('./token-file.ts');
  return command.serve(withToken(configuration, environment), environment, values);
}

async function run(
  command: Command,
  argv: readonly string[],
  environment: Environment,
  given: Terminal,
): Promise<number> {
  const { operation } = command;
  const values = parseArguments(argv, optionsFor(command), fieldsOf(command));
  const byPath = pathGiven(command, values);
  if (byPath !== undefined) {
    (await import('./by-path.ts')).requireFolder(byPath, environment);
    values['skillDirs'] = [...((values['skillDirs'] ?? []) as string[]), byPath.path];
  }
  const { withoutProject = false } = command;
  const configuration = await loadConfiguration(givenSettings(values), environment, { withoutProject });
  printNotes(configuration.problems, { verbose: true, environment, terminal: given });
  const progress = progressLine(given);
  const { terminal, onProgress } = progress;
  const input = values as never; // parseArguments has read them by these very fields
  const engine = createEngine(configuration, environment, { onProgress });
  const spell = (field: string): string => `--${optionName(field)}`;
  const request: Request = { origin: 'cli', onProgress, spell, ...command.request?.({ terminal, input }) };
  try {
    if (byPath !== undefined) values[byPath.key] = await (await import('./by-path.ts')).nameAt(engine, byPath);
    const given = command.input?.(input) ?? pick(values, operation.input);
    const output = await invoke(engine, operation, given, request).finally(() => progress.end());
    await print(output).catch((error: unknown) => {
      if (!(error instanceof ReaderGone)) throw error; // a reader that has read enough still wants the exit code
    });
    await command.finish?.({ engine, request, terminal, output }).finally(() => progress.end());
    const isYes = command.succeeded?.(output) ?? true;
    return command.exitCode?.(output, request) ?? (isYes ? exitCodes.ok : exitCodes.negative);
  } finally {
    const notes = engine.cluster === undefined ? [] : await leaveCluster(engine);
    const diagnostics = [...notes, ...(engine.registry.current?.diagnostics ?? [])];
    unlessGone(() => printNotes(diagnostics, { verbose: values['verbose'] === true, environment, terminal }));
  }

  async function print(output: unknown): Promise<void> {
    if (values['json'] !== true) return writeLines(await command.print(output, { terminal, engine, input }), terminal);
    const rows = command.rows?.(output) ?? null;
    if (rows === null) terminal.write(`${JSON.stringify(output, null, terminal.isInteractive ? 2 : undefined)}\n`);
    else for await (const row of rows) terminal.write(`${JSON.stringify(row)}\n`);
  }
}

function writeLines(lines: Printed, terminal: Terminal): void {
  if (lines !== undefined && lines.length > 0) terminal.write(`${lines.join('\n')}\n`);
}

/** Leaves the cluster. Where it could not be reached, that is told to whoever wonders at the output. */
async function leaveCluster(engine: Engine): Promise<readonly Diagnostic[]> {
  const isLost = engine.cluster?.status.state === 'lost';
  void engine.cluster?.close();
  if (!isLost) return [];
  return (await import('../../engine/cluster/catalogue.ts')).catalogueNotes(engine);
}

/** A folder that was typed where a skill's name belongs. */
export interface PathGiven {
  /** The field that it was typed for. */
  readonly key: string;
  readonly path: string;
  /** Whatever follows the path: a colon, and the name of a tool. */
  readonly rest: string;
}

/** Finds a folder in the place of a skill's name: no name begins like a path. */
function pathGiven(command: Command, values: Values): PathGiven | undefined {
  for (const [key, { orPath }] of positionalsOf(fieldsOf(command))) {
    const value = values[key];
    if (orPath !== true || typeof value !== 'string') continue;
    const [, path, rest = ''] = /^((?:\.{0,2}|~)\/[^:]*|\.{1,2}|~)(:.*)?$/s.exec(value) ?? [];
    if (path !== undefined) return { key, path, rest };
  }
  return undefined;
}

/** The typed values that the operation takes. */
function pick(values: Values, fields: object): Values {
  return Object.fromEntries(Object.keys(fields).map((key) => [key, values[key]]));
}

/** Writes notes; a reader of notes that has gone away must not change how a command ends. */
function unlessGone(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof ReaderGone)) throw error;
  }
}

function givenSettings(values: Values): Partial<Settings> {
  const given: Record<string, unknown> = {};
  for (const { name, key, field } of allSettingOptions) {
    const value = values[key];
    const { switchTo, isPath } = settings[key as SettingName];
    if (field.kind === 'switch') given[key] = value === true ? switchTo : undefined;
    else if (field.kind !== 'list') given[key] = value;
    else if (((value ?? []) as readonly string[]).length > 0) {
      given[key] = isPath ? value : (value as readonly string[]).flatMap((text) => splitTokens(text, `--${name}`));
    }
  }
  return given as Partial<Settings>;
}

/** Reports an error and what to do next. Returns the exit code. */
async function reportError(error: unknown, argv: readonly string[], terminal: Terminal): Promise<number> {
  if (!(error instanceof SkillError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    terminal.note(`repertoire: this is a bug, please report it\n${printable(text)}\n`);
    return exitCodes.bug;
  }
  const { code, message, candidates } = error;
  const isUsage = code === 'usage';
  const suggestions = isUsage ? await nearest(message, error.suggestions) : error.suggestions;
  const hint = error.hint ?? (isUsage ? await helpHint(argv) : null);
  if (beforeDashes(argv).includes('--json')) {
    const text = `${JSON.stringify({ error: { code, message, hint, suggestions, candidates } })}\n`;
    if (isWritten(text, terminal)) return exitCodeOf[code];
  }
  const lines = [
    `${terminal.style('red', 'error:')} ${printable(message)}`,
    ...(isUsage && suggestions.length > 0 ? [`Did you mean ${suggestions.join(' or ')}?`] : []),
    ...(hint === null ? [] : [printable(hint)]),
  ];
  terminal.note(`${lines.join('\n')}\n`);
  return exitCodeOf[code];
}

/** Whether the text could be written. Where stdout cannot be written, as on a full disk, people read it on stderr. */
function isWritten(text: string, terminal: Terminal): boolean {
  try {
    terminal.write(text);
    return true;
  } catch (error) {
    if (error instanceof SkillError) return false;
    throw error;
  }
}

async function helpHint(argv: readonly string[]): Promise<string> {
  const known = await commandMeant(argv).catch(() => undefined);
  return `Try repertoire ${known === undefined ? '' : `${known.name} `}--help.`;
}

/** Suggests options or commands that are close to the one that was typed. */
async function nearest(message: string, all: readonly string[]): Promise<readonly string[]> {
  const [, dashes = '', typed] = /(?:option|command) '?(-*)([^']+)'?$/.exec(message) ?? [];
  if (typed === undefined || all.length === 0) return [];
  const { suggest } = await import('../../core/text/near.ts');
  // Dashes are no letters that two options have in common.
  const words = all.map((one) => one.replace(/^-+/, ''));
  return suggest(typed, words, 3).map((word) => (dashes === '' ? word : `--${word}`));
}

interface NoteContext {
  /** Whether all notes are wanted. */
  readonly verbose: boolean;
  readonly environment: Environment;
  readonly terminal: Terminal;
}

/** Codes of diagnostics about something that the user has just typed. */
const typed: ReadonlySet<DiagnosticCode> = new Set(['filter-no-match', 'root-missing', 'cluster-lost']);

/**
 * Prints diagnostics: a filter that matches nothing, a missing folder and a cluster out of reach always; the rest with
 * `--verbose`.
 */
function printNotes(diagnostics: readonly Diagnostic[], { verbose, environment, terminal }: NoteContext): void {
  for (const { code, severity, file, line, message, remedy } of diagnostics) {
    const isTyped = typed.has(code);
    if (!verbose && !isTyped) continue;
    const place = isTyped ? '' : `${displayPath(file, environment)}${line === null ? '' : `:${line}`}: `;
    terminal.note(`${severity}: ${oneLine(`${place}${message}. ${remedy}`)}\n`);
  }
}

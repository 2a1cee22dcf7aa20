import { loadConfiguration, splitTokens } from '../config/load.ts';
import { type SettingName, type Settings, settings } from '../config/settings.ts';
import { createEngine } from '../engine/engine.ts';
import type { Diagnostic } from '../kernel/diagnostics.ts';
import { type Environment, hostEnvironment } from '../kernel/environment.ts';
import { SkillError } from '../kernel/errors.ts';
import { displayPath } from '../kernel/paths.ts';
import { parseArguments, type Values } from './args.ts';
import type { Command } from './command.ts';
import { commands, synonyms } from './commands.ts';
import { exitCodeOf, exitCodes } from './exit.ts';
import { optionsFor, settingOptions } from './options.ts';
import { progressLine } from './progress.ts';
import { processTerminal, ReaderGone, type Terminal } from './terminal.ts';

/** Runs one command line. Never exits and never throws: what happened is in the returned exit code. */
export async function main(argv: readonly string[], environment: Environment = hostEnvironment()): Promise<number> {
  const terminal = processTerminal(environment, !argv.includes('--no-color'));
  try {
    return await dispatch(argv, environment, terminal);
  } catch (error) {
    if (error instanceof ReaderGone) return exitCodes.ok;
    return report(error, argv, terminal);
  }
}

async function dispatch(argv: readonly string[], environment: Environment, terminal: Terminal): Promise<number> {
  const [first, ...rest] = argv;
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    const { printHelp } = await import('./help.ts');
    return printHelp(terminal, first === 'help' ? rest[0] : undefined);
  }
  if (first === '--version' || first === '-V' || first === 'version') {
    const { version } = await import('./version.ts');
    terminal.write(`${version()}\n`);
    return exitCodes.ok;
  }
  if (first === '__complete') {
    const { candidatesFor } = await import('./complete.ts');
    for (const { word, about } of await candidatesFor(rest, environment)) terminal.write(`${word}\t${about}\n`);
    return exitCodes.ok;
  }
  const entry = commands[synonyms[first] ?? first];
  if (entry === undefined) {
    const suggestions = Object.keys(commands);
    throw new SkillError(
      'usage',
      first.startsWith('-') ? `name a command before ${first}` : `unknown command '${first}'`,
      { suggestions },
    );
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    const { printHelp } = await import('./help.ts');
    return printHelp(terminal, first);
  }
  return run(await entry.load(), rest, environment, terminal);
}

async function run(
  command: Command,
  argv: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<number> {
  const { operation } = command;
  const options = optionsFor(command);
  const values = parseArguments(argv, options, operation.fields);
  const progress = progressLine(terminal);
  const engine = createEngine(await loadConfiguration(givenSettings(values), environment), environment, progress.show);
  const input = values as never; // parseArguments has read them by these very fields
  const output = await operation.run(engine, input).finally(progress.clear);
  if (values['json'] === true) {
    terminal.write(`${JSON.stringify(output, null, terminal.isInteractive ? 2 : undefined)}\n`);
  } else {
    await command.print(output, { terminal, engine, input });
  }
  const diagnostics = engine.registry.current?.diagnostics ?? [];
  printNotes(diagnostics, { values, environment, terminal });
  return command.exitCode?.(output) ?? exitCodes.ok;
}

function givenSettings(values: Values): Partial<Settings> {
  const given: Record<string, unknown> = {};
  for (const { key, field } of settingOptions) {
    const value = values[key];
    const { switchTo, isPath } = settings[key as SettingName];
    if (field.kind === 'switch') given[key] = value === true ? switchTo : undefined;
    else if (field.kind !== 'list') given[key] = value;
    else if ((value as readonly string[]).length > 0) {
      given[key] = isPath ? value : (value as readonly string[]).flatMap(splitTokens);
    }
  }
  return given as Partial<Settings>;
}

interface NoteContext {
  readonly values: Values;
  readonly environment: Environment;
  readonly terminal: Terminal;
}

/** A filter that matches nothing is told always, since the user has just typed it; the rest when asked for. */
function printNotes(diagnostics: readonly Diagnostic[], { values, environment, terminal }: NoteContext): void {
  for (const one of diagnostics) {
    if (values['verbose'] !== true && (one.code !== 'filter-no-match' || values['json'] === true)) continue;
    const place =
      one.code === 'filter-no-match'
        ? ''
        : `${displayPath(one.file, environment)}${one.line === null ? '' : `:${one.line}`}: `;
    terminal.note(`${one.severity}: ${place}${one.message}. ${one.remedy}\n`);
  }
}

async function report(error: unknown, argv: readonly string[], terminal: Terminal): Promise<number> {
  if (!(error instanceof SkillError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    terminal.note(`repertoire: this is a bug, please report it\n${text}\n`);
    return exitCodes.bug;
  }
  const { code, message, candidates } = error;
  const isUsage = code === 'usage';
  const suggestions = isUsage ? await nearest(message, error.suggestions) : error.suggestions;
  const hint = error.hint ?? (isUsage ? helpHint(argv[0]) : null);
  if (argv.includes('--json')) {
    terminal.write(`${JSON.stringify({ error: { code, message, hint, suggestions, candidates } })}\n`);
    return exitCodeOf[code];
  }
  const lines = [
    `${terminal.style('red', 'error:')} ${message}`,
    ...(isUsage && suggestions.length > 0 ? [`Did you mean ${suggestions.join(' or ')}?`] : []),
    ...(hint === null ? [] : [hint]),
  ];
  terminal.note(`${lines.join('\n')}\n`);
  return exitCodeOf[code];
}

function helpHint(command: string | undefined): string {
  return `Try repertoire ${command !== undefined && command in commands ? `${command} ` : ''}--help.`;
}

/** Of all that could have been typed, what is near to what was. */
async function nearest(message: string, all: readonly string[]): Promise<readonly string[]> {
  const typed = /(?:option|command) '?([^']+)'?$/.exec(message)?.[1];
  if (typed === undefined || all.length === 0) return [];
  const { suggest } = await import('../registry/suggest.ts');
  return suggest(typed, all, 3);
}

import { splitTokens } from '../../core/config/layers.ts';
import { loadConfiguration } from '../../core/config/load.ts';
import { type SettingName, type Settings, settings } from '../../core/config/settings.ts';
import { type Environment, hostEnvironment } from '../../core/environment.ts';
import { optionName } from '../../core/schema/fields.ts';
import { version } from '../../core/version.ts';
import { createEngine, type Request } from '../../engine/engine.ts';
import { invoke } from '../../engine/operation.ts';
import { beforeDashes, parseArguments, type Values } from './args.ts';
import { type Command, isServer, type ServerCommand } from './command.ts';
import { commands, requireCommand } from './commands.ts';
import { exitCodes } from './exit.ts';
import { allSettingOptions, fieldsOf, optionsFor } from './options.ts';
import { printNotes, reportError } from './report.ts';
import { progressLine } from './terminal/progress.ts';
import { processTerminal, ReaderGone, type Terminal } from './terminal/terminal.ts';

/** Runs one command line. Never exits and never throws: the outcome is in the returned exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const terminal = processTerminal(process.env, !beforeDashes(argv).includes('--no-color'));
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
    return printHelp(terminal, first === 'help' ? rest.find((word) => !word.startsWith('-')) : undefined, form);
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
  const name = requireCommand(first);
  if (['--help', '-h'].some((option) => beforeDashes(rest).includes(option))) {
    const { printHelp } = await import('./help.ts');
    return printHelp(terminal, name, form);
  }
  const command = await commands[name].load();
  return isServer(command) ? serve(command, rest, environment) : run(command, rest, environment, terminal);
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
    const given = command.input?.(input) ?? pick(values, operation.input);
    const output = await invoke(engine, operation, given, request).finally(() => progress.end());
    await print(output).catch((error: unknown) => {
      if (!(error instanceof ReaderGone)) throw error; // a reader that has read enough still wants the exit code
    });
    await command.finish?.({ engine, request, terminal, output }).finally(() => progress.end());
    return command.exitCode?.(output, request) ?? exitCodes.ok;
  } finally {
    const diagnostics = engine.registry.current?.diagnostics ?? [];
    unlessGone(() => printNotes(diagnostics, { verbose: values['verbose'] === true, environment, terminal }));
  }

  async function print(output: unknown): Promise<void> {
    if (values['json'] !== true) return command.print(output, { terminal, engine, input });
    const rows = command.rows?.(output) ?? null;
    if (rows === null) terminal.write(`${JSON.stringify(output, null, terminal.isInteractive ? 2 : undefined)}\n`);
    else for await (const row of rows) terminal.write(`${JSON.stringify(row)}\n`);
  }
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

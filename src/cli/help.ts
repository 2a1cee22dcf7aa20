import type { Field } from '../kernel/fields.ts';
import { type Option, positionalsOf } from './args.ts';
import { type AnyCommand, isServer } from './command.ts';
import { commands, requireCommand } from './commands.ts';
import { exitCodes } from './exit.ts';
import { noteOptions, ownOptionsOf, runOptions, searchOptions, serverOptions, settingOptions } from './options.ts';
import { summaries } from './summaries.ts';
import type { Terminal } from './terminal.ts';
import { wrap } from './wrap.ts';

/** Prints the help of one command, or of the whole program. */
export async function printHelp(terminal: Terminal, name: string | undefined): Promise<number> {
  if (name === undefined) {
    terminal.write(programHelp(terminal));
  } else {
    const known = requireCommand(name);
    terminal.write(commandHelp(known, await commands[known].load(), terminal));
  }
  return exitCodes.ok;
}

const measure = (text: string): number => text.length;

function programHelp(terminal: Terminal): string {
  const title = (text: string): string => terminal.style('bold', text);
  const width = Math.max(...Object.keys(summaries).map((name) => name.length));
  const rows = Object.entries(summaries).map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Repertoire finds every Agent Skill on this machine and makes it usable.

${title('Usage')}
  repertoire COMMAND [OPTIONS]

${title('Commands')}
${rows.join('\n')}

${title('Start here')}
  repertoire list                     what is there
  repertoire doctor                   what is wrong with it
  repertoire help COMMAND             options and examples of a command

Every command takes the options that choose which skills are seen (repertoire help list), and all but servers --json.
Exit codes: 0 as asked, 1 the answer is no, 2 wrong usage, 70 a bug in Repertoire.
`;
}

function commandHelp(name: string, command: AnyCommand, terminal: Terminal): string {
  const { about, examples } = command;
  const title = (text: string): string => terminal.style('bold', text);
  const places = positionalsOf(isServer(command) ? command.fields : command.operation.fields);
  const usage = places.map(([key, field]) => placeholder(key, field)).join(' ');
  const section = (heading: string, options: readonly Option[]): string[] =>
    options.length === 0
      ? []
      : ['', title(heading), ...options.flatMap((option) => optionLines(option, terminal.columns))];
  return `${[
    ...wrap(about, terminal.columns, measure),
    '',
    title('Usage'),
    `  repertoire ${name}${usage === '' ? '' : ` ${usage}`} [OPTIONS]`,
    ...(places.length === 0 ? [] : ['']),
    ...places.map(([key, field]) => `  ${placeholder(key, field)}  ${field.description}`),
    ...section('Options', ownOptionsOf(command)),
    ...section('How they are served', isServer(command) ? serverOptions : []),
    ...section('How tools are run', isServer(command) || command.runsTools === true ? runOptions : []),
    ...section('Which skills are seen', settingOptions),
    ...section('How they are searched', searchOptions),
    ...section('What is written down', noteOptions),
    '',
    title('Examples'),
    ...examples.flatMap(({ run, what }) => [`  ${run}`, `      ${what}`]),
  ].join('\n')}\n`;
}

function placeholder(key: string, field: Field): string {
  const word = `${field.value ?? key.toUpperCase()}${field.kind === 'list' ? '…' : ''}`;
  return field.required ? word : `[${word}]`;
}

const column = 30;

function optionLines({ name, field }: Option, columns: number): string[] {
  const short = field.short === undefined ? '' : `-${field.short}, `;
  const value = field.kind === 'switch' ? '' : ` ${field.value ?? 'VALUE'}`;
  const head = `  ${short}--${name}${value}`;
  const choices = field.choices === undefined ? '' : ` One of ${field.choices.join(', ')}.`;
  const fallback = field.default === undefined ? '' : ` (default: ${field.default})`;
  const lines = wrap(`${field.description}${choices}${fallback}`, Math.max(20, columns - column), measure);
  const [first = '', ...rest] = lines;
  const indent = ' '.repeat(column);
  const opening = head.length < column ? [head.padEnd(column) + first] : [head, indent + first];
  return [...opening, ...rest.map((line) => indent + line)];
}

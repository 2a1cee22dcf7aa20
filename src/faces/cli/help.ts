import { descriptions } from '../../core/config/descriptions.ts';
import type { SettingName } from '../../core/config/settings.ts';
import type { Field } from '../../core/schema/fields.ts';
import { type Option, positionalsOf } from './args.ts';
import { type AnyCommand, isServer } from './command.ts';
import { type CommandName, commands, requireCommand } from './commands.ts';
import { exitCodes } from './exit.ts';
import {
  fieldsOf,
  noteOptions,
  optionsFor,
  ownOptionsOf,
  runOptions,
  searchOptions,
  serverOptions,
  settingOptions,
} from './options.ts';
import { summaries } from './summaries.ts';
import type { Terminal } from './terminal/terminal.ts';
import { wrap } from './terminal/wrap.ts';

/** Prints the help of one command, or of the whole program. */
export async function printHelp(terminal: Terminal, words: readonly string[], form: 'text' | 'json'): Promise<number> {
  const known = words.length === 0 ? undefined : (await requireCommand(words)).name;
  const command = known === undefined ? undefined : await commands[known].load();
  if (known === undefined || command === undefined) {
    terminal.write(form === 'json' ? asLine({ commands: summaries }) : programHelp(terminal));
  } else {
    terminal.write(form === 'json' ? asLine(commandData(known, command)) : commandHelp(known, command, terminal));
  }
  return exitCodes.ok;
}

const asLine = (value: unknown): string => `${JSON.stringify(value)}\n`;
const measure = (text: string): number => text.length;

/** Describes a command as data, for programs. */
function commandData(name: CommandName, command: AnyCommand): object {
  const { about, examples } = command;
  const described = ({ kind, description, value, choices, default: fallback, short }: Field): object => {
    return { kind, description, value, choices, default: fallback, short };
  };
  const places = positionalsOf(fieldsOf(command));
  return {
    name,
    summary: summaries[name],
    about,
    arguments: places.map(([key, field]) => ({ name: key, required: field.required === true, ...described(field) })),
    options: optionsFor(command).map((option) => ({
      name: option.name,
      ...described(option.field),
      description: descriptionOf(option),
    })),
    examples,
  };
}

const firstSteps = [
  ['repertoire list', 'what is there'],
  ['repertoire doctor', 'what is wrong with it'],
  ['repertoire help COMMAND', 'options and examples of a command'],
] as const;

function programHelp(terminal: Terminal): string {
  const { columns } = terminal;
  const title = (text: string): string => terminal.style('bold', text);
  const width = Math.max(...Object.keys(summaries).map((name) => name.length));
  const paragraphs = [
    'Every command takes the options that choose which skills are seen (repertoire help list), and all but servers --json.',
    'Exit codes: 0 success, 1 negative result, 2 usage error, 70 a bug in Repertoire.',
  ];
  return `${[
    ...wrap('Repertoire finds every Agent Skill on this machine and makes it usable.', columns, measure),
    '',
    title('Usage'),
    '  repertoire COMMAND [OPTIONS]',
    '',
    title('Commands'),
    ...Object.entries(summaries).flatMap(([name, summary]) => row(`  ${name}`, summary, width + 4, columns)),
    '',
    title('Start here'),
    ...firstSteps.flatMap(([line, what]) => row(`  ${line}`, what, 38, columns)),
    '',
    ...paragraphs.flatMap((text) => wrap(text, columns, measure)),
  ].join('\n')}\n`;
}

function commandHelp(name: string, command: AnyCommand, terminal: Terminal): string {
  const { about, examples } = command;
  const title = (text: string): string => terminal.style('bold', text);
  const places = positionalsOf(fieldsOf(command));
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
    ...places.flatMap(([key, field]) => {
      const head = `  ${placeholder(key, field)}`;
      return row(head, field.description, head.length + 2, terminal.columns);
    }),
    ...section('Options', ownOptionsOf(command)),
    ...section('How they are served', isServer(command) ? serverOptions : []),
    ...section('How tools are run', isServer(command) || command.runsTools === true ? runOptions : []),
    ...section('Which skills are seen', settingOptions),
    ...section('How they are searched', searchOptions),
    ...section('Logs and downloads', noteOptions),
    '',
    title('Examples'),
    ...examples.flatMap(({ run, what }) => [`  ${run}`, ...indented(what, terminal.columns)]),
  ].join('\n')}\n`;
}

function placeholder(key: string, field: Field): string {
  const word = `${field.value ?? key.toUpperCase()}${field.kind === 'list' ? '…' : ''}`;
  return field.required ? word : `[${word}]`;
}

const column = 30;

/** The description of an option; those of settings are kept apart from them. */
export function descriptionOf({ key, field }: Option): string {
  return field.description || descriptions[key as SettingName];
}

function optionLines(option: Option, columns: number): string[] {
  const { name, field } = option;
  const short = field.short === undefined ? '' : `-${field.short}, `;
  const value = field.kind === 'switch' ? '' : ` ${field.value ?? 'VALUE'}`;
  const head = `  ${short}--${name}${value}`;
  const choices = field.choices === undefined ? '' : ` One of ${field.choices.join(', ')}.`;
  const fallback = field.default === undefined ? '' : ` (default: ${field.default})`;
  return row(head, `${descriptionOf(option)}${choices}${fallback}`, column, columns);
}

/** Columns below which a text goes under the term it explains. */
const narrowest = 20;

/** Formats a term and its explanation, with the text in a column of its own. */
function row(head: string, text: string, column: number, columns: number): string[] {
  if (columns - column < narrowest) return [head, ...indented(text, columns)];
  const indent = ' '.repeat(column);
  const [first = '', ...rest] = wrap(text, columns - column, measure);
  const opening = head.length < column ? [head.padEnd(column) + first] : [head, indent + first];
  return [...opening, ...rest.map((line) => indent + line)];
}

function indented(text: string, columns: number): string[] {
  return wrap(text, columns - 6, measure).map((line) => ' '.repeat(6) + line);
}

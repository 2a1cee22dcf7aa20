import { descriptions } from '../../core/config/descriptions.ts';
import type { SettingName } from '../../core/config/settings.ts';
import type { Field } from '../../core/schema/fields.ts';
import { type Option, positionalsOf } from './args.ts';
import { type AnyCommand, exitCodes, isServer } from './command.ts';
import { type CommandName, commands, requireCommand } from './commands.ts';
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

/** One-line summaries of the commands. Apart from the commands, since a start has no use for them. */
export const summaries: { readonly [N in CommandName]: string } = {
  list: 'Show every skill that any agent on this machine could use',
  show: 'Show one skill: where it comes from and what it says',
  search: 'Find skills by words and by meaning, or by every word exactly',
  eval: 'Measure how well the search finds your own skills, and test what triggers them',
  validate: 'Check skills against the strict rules of the format, and fix what can be fixed',
  enable: 'Have skills back that were disabled',
  disable: 'Put skills aside for all agents or for one, without removing them',
  scan: 'Look for what a skill could do to you, and keep what is dangerous from being loaded and run',
  allow: 'Let one version of a skill out of quarantine, for a reason that is recorded',
  tools: 'List the tools inside skills: what they take and what they ask for',
  run: 'Run a tool of a skill in its sandbox',
  grant: 'Grant a skill what it asks for beyond the default sandbox',
  grants: 'List what skills have been granted, and whether it is still valid',
  revoke: 'Revoke what a skill was granted',
  jobs: 'Show, read and cancel executions that continued after their caller left',
  new: 'Create a skill to start from, with a tool and a test',
  add: 'Get skills from a folder, a repository, a package or an address, and install them',
  remove: 'Remove installed skills, and whatever leads to them',
  update: 'Bring installed skills to the newest state of their sources, with your own changes kept',
  outdated: 'Show which installed skills have something newer at their source',
  install: 'Install what the lock file says: the same files on every machine',
  verify: 'Compare the files of installed skills with the lock file',
  prune: 'Remove copies of fetched skills that nothing installed needs',
  pack: 'Pack a skill into one file that others can add',
  publish: 'Publish skills, in a folder for a web server or to a cluster',
  'sync-back': 'Make a patch of what you have changed in an installed skill',
  mcp: 'Serve the skills to an MCP client through one tool, skill',
  'mcp-server': 'Serve the catalogue to an MCP client: skills.list and skills.search',
  serve: 'Serve everything to MCP clients: all tools, over stdio or HTTP',
  worker: 'Run tools for the servers of a cluster',
  'cluster status': 'Show the nodes and workers of a cluster',
  web: 'Open the web console: browse, run and grant in a browser',
  remote: 'Add other MCP servers, whose skills then appear beside your own',
  cluster: 'Look after the catalogue that the servers of a cluster share',
  setup: 'Connect agents to Repertoire: find them, write their files, check that it works',
  bundle: 'Create a plugin, an extension, a bundle or install links for a client',
  audit: 'Show what was executed, and check that the log was not tampered with',
  output: 'Show what a tool wrote when a server ran it',
  activity: 'Show what was searched for, loaded and run, and by which client',
  stats: 'Count runs, searches and loads: how often, how long, and what was denied',
  doctor: 'Show which folders were searched, what was found, and what is wrong with it',
  why: 'Explain how a name resolves and what it takes precedence over, or why it is not seen',
  config: 'Show the settings in effect and where each comes from',
  'config get': 'Print the values of settings and nothing else',
  'config set': 'Write a setting to your file, or to that of the project',
  alias: 'Call this program by the name skill as well',
  completion: 'Print the completion script for a shell',
};

import { SkillError } from '../../core/errors.ts';
import { type Option, optionNamed, splitOnce } from './args.ts';
import type { CommandName } from './commands.ts';

/**
 * Spellings that people bring along from other programs. This table is all that knows them, and it is loaded only where
 * a word means nothing in our own.
 */
interface CommandRow {
  /** The words that are typed. */
  readonly typed: string;
  /** The words that stand here for them; those that follow stay. */
  readonly means?: readonly [CommandName, ...string[]];
  /** Instructions, where nothing here means the same. */
  readonly instead?: string;
}

const commandRows: readonly CommandRow[] = [
  { typed: 'ls', means: ['list'] },
  { typed: 'info', means: ['show'] },
  { typed: 'read', means: ['show'] },
  { typed: 'where', means: ['show', '--path'] },
  { typed: 'find', means: ['search'] },
  { typed: 'evaluate', means: ['eval'] },
  { typed: 'check', means: ['validate'] },
  { typed: 'exec', means: ['run'] },
  { typed: 'history', means: ['audit'] },
  { typed: 'rm', means: ['remove'] },
  { typed: 'uninstall', means: ['remove'] },
  { typed: 'upgrade', means: ['update'] },
  { typed: 'ui', means: ['web'] },
  { typed: 'console', means: ['web'] },
  { typed: 'completions', means: ['completion'] },
  { typed: 'init-skill', means: ['new', 'skill'] },
  { typed: 'claude setup', means: ['setup', 'claude-code'] },
  { typed: 'claude status', means: ['setup', 'claude-code', '--check'] },
  { typed: 'claude remove', means: ['setup', 'claude-code', '--remove'] },
  {
    typed: 'claude generate',
    instead: 'Nothing has to be generated: repertoire setup claude-code serves every skill to Claude Code.',
  },
  { typed: 'template create', instead: 'Type repertoire new skill NAME, and write the description into its SKILL.md.' },
  {
    typed: 'auth',
    instead: 'A tool gets a token as a secret that you grant: repertoire grant SKILL; docs/permissions.md has more.',
  },
  {
    typed: 'enhance',
    instead: 'Nothing has to be prepared for the search. repertoire search finds skills by their meaning.',
  },
  {
    typed: 'init',
    instead:
      'Nothing has to be set up. repertoire new skill NAME begins a skill, repertoire setup connects your agents.',
  },
  {
    typed: 'repo',
    instead:
      'Sources need no list: repertoire add SOURCE gets skills from one, and repertoire outdated asks all that were used.',
  },
  {
    typed: 'cache',
    instead:
      'There is nothing to refresh: repertoire outdated asks the sources, repertoire update gets what is newer, and repertoire prune removes old copies.',
  },
  {
    typed: 'precommit',
    instead: 'Type repertoire validate PATH in the hook; its exit code is 1 where something is wrong.',
  },
];

/** An option of other programs. */
interface OptionRow {
  readonly typed: readonly string[];
  /** Commands that it is understood on; all by default. */
  readonly on?: readonly CommandName[];
  /** Whether a value follows it. */
  readonly takes?: true;
  /** The words that stand here for it, in which VALUE is its value; or those for each value, `*` being any other. */
  readonly means?: readonly string[] | Readonly<Record<string, readonly string[]>>;
  /** Whether its value is the home folder to look at. */
  readonly isHome?: true;
  readonly instead?: string;
}

const optionRows: readonly OptionRow[] = [
  { typed: ['--user-dir'], takes: true, isHome: true },
  { typed: ['--claude-plugins-file'], takes: true, means: ['--plugins-file', 'VALUE'] },
  { typed: ['--claude-plugins-root'], takes: true, means: ['--plugins-root', 'VALUE'] },
  { typed: ['--plugins'], means: { false: ['--no-plugins'], '*': [] } },
  { typed: ['--scan-default-dirs'], means: { false: ['--no-scan-default-dirs'], '*': [] } },
  { typed: ['-f', '--format'], takes: true, means: { json: ['--json'], '*': [] } },
  { typed: ['--full'], on: ['show'], means: [] },
  { typed: ['--content'], on: ['search'], means: [] },
  { typed: ['-n', '--top-k', '--top_k'], on: ['search'], takes: true, means: ['--limit', 'VALUE'] },
  { typed: ['-p'], on: ['serve', 'mcp', 'mcp-server', 'web'], takes: true, means: ['--port', 'VALUE'] },
  { typed: ['-o', '--open'], on: ['web'], means: [] },
  { typed: ['--with-web'], on: ['serve'], means: ['--http'] },
  { typed: ['-i'], on: ['run'], takes: true, means: ['--instance', 'VALUE'] },
  { typed: ['--shell'], on: ['completion'], takes: true, means: ['VALUE'] },
  {
    typed: ['-t', '--tools'],
    on: ['new'],
    takes: true,
    instead: 'Write the tools into the skill.toml that is created.',
  },
  { typed: ['--all'], on: ['show', 'search', 'why', 'mcp', 'mcp-server', 'serve'], means: ['--include', 'all'] },
  { typed: ['--all'], on: ['update', 'outdated'], means: [] },
  {
    typed: ['-c', '--check'],
    on: ['update'],
    instead: 'repertoire outdated says which skills are newer at their sources.',
  },
  { typed: ['--force'], on: ['remove'], means: [] },
  { typed: ['--branch'], on: ['add'], takes: true, means: ['--ref', 'VALUE'] },
  { typed: ['--user'], on: ['add', 'install'], means: ['--global'] },
  { typed: ['--scope'], on: ['add', 'install'], takes: true, means: { user: ['--global'], '*': ['--project'] } },
  {
    typed: ['--force', '--override'],
    on: ['add'],
    instead:
      'What was installed here is replaced, and your changes kept; anything else is never overwritten: move it away.',
  },
  {
    typed: ['-A', '--agent'],
    on: ['install'],
    takes: true,
    instead:
      'Type repertoire setup AGENT to connect an agent, and repertoire add SOURCE --agent AGENT to give it skills.',
  },
  {
    typed: ['--disabled'],
    on: ['show', 'search', 'mcp', 'mcp-server', 'serve'],
    instead: 'repertoire list --disabled shows what is disabled; nobody loads or serves it.',
  },
  {
    typed: ['-c', '--config'],
    on: ['run'],
    takes: true,
    instead: 'Put the setting into an instance of the skill (docs/manifest.md), and choose it with --instance NAME.',
  },
  {
    typed: ['-m', '--manifest'],
    takes: true,
    instead: 'The nearest .skill-engine.toml counts, from the working directory up to the root of the repository.',
  },
  {
    typed: ['--summary', '--status', '--diff'],
    on: ['doctor'],
    instead: 'Type repertoire doctor; repertoire outdated says what has changed since it was installed.',
  },
];

/** Settings of other programs, by what they are called here. */
const settingRows: Readonly<Record<string, string>> = { default_root: 'root' };

/** The key of a setting in our own spelling. */
export function ownSetting(key: string): string {
  return Object.hasOwn(settingRows, key) ? (settingRows[key] as string) : key;
}

/** The words of a command line in our own spelling; null where the first ones mean nothing anywhere. */
export function ownWords(words: readonly string[]): readonly string[] | null {
  const row = commandRows.find(({ typed }) => {
    const parts = typed.split(' ');
    return parts.every((part, index) => words[index] === part);
  });
  if (row === undefined) return null;
  if (row.means === undefined) throw elsewhere(`repertoire has no command '${row.typed}'`, row.instead);
  return [...row.means, ...words.slice(row.typed.split(' ').length)];
}

/** The arguments of a command in our own spelling, and the home folder that they name. */
export interface OwnOptions {
  readonly argv: readonly string[];
  readonly home?: string;
}

/** Puts our own options in the place of those that the command does not know, as far as any program does. */
export function ownOptions(name: CommandName, argv: readonly string[], options: readonly Option[]): OwnOptions {
  const made: string[] = [];
  const rest = [...argv];
  let home: string | undefined;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [typed, inline] = splitOnce(word);
    const own = optionNamed(typed, options);
    const row = own ?? rowFor(name, typed);
    if (name === 'run' && row === undefined && made.length > 0 && /^--[a-z]/i.test(typed)) {
      made.push('--param', `${typed.slice(2)}=${inline ?? valueBehind(rest)}`);
      continue;
    }
    if (row === undefined || 'field' in row) {
      made.push(word, ...rest.splice(0, takenBy(word, row)));
      continue;
    }
    const value = valueFor(row, typed, inline, rest);
    if (row.isHome) home = value;
    made.push(...meaning(row, value));
  }
  return { argv: made, ...(home !== undefined && { home }) };
}

/** The value of a tool's own option: the next word, unless that is an option too; then it is a switch. */
function valueBehind(rest: string[]): string {
  const [next] = rest;
  return next === undefined || next === '--' || /^--?[a-z]/i.test(next) ? 'true' : (rest.shift() ?? 'true');
}

/**
 * The number of words that belong to one of ours: its value, whatever that looks like, or everything after two dashes.
 */
function takenBy(word: string, own: Option | undefined): number {
  if (word === '--') return Number.POSITIVE_INFINITY;
  return own === undefined || own.field.kind === 'switch' || word.includes('=') ? 0 : 1;
}

/** The value of an option, which may be the next word; throws where the row has only instructions. */
function valueFor(row: OptionRow, typed: string, inline: string | undefined, rest: string[]): string {
  if (row.instead !== undefined) throw elsewhere(`unknown option ${typed}`, row.instead);
  const value = (row.takes ? (inline ?? rest.shift()) : inline) ?? '';
  if (row.takes && value === '') throw new SkillError('usage', `${typed} needs a value`);
  return value;
}

function rowFor(name: CommandName, typed: string): OptionRow | undefined {
  return optionRows.find((row) => row.typed.includes(typed) && (row.on?.includes(name) ?? true));
}

function meaning({ means = [] }: OptionRow, value: string): readonly string[] {
  const words = Array.isArray(means) ? (means as readonly string[]) : wordsFor(means as never, value);
  return words.map((word) => (word === 'VALUE' ? value : word));
}

function wordsFor(means: Readonly<Record<string, readonly string[]>>, value: string): readonly string[] {
  return (Object.hasOwn(means, value) ? means[value] : means['*']) ?? [];
}

function elsewhere(message: string, hint: string | undefined): SkillError {
  return new SkillError('usage', message, { ...(hint !== undefined && { hint }) });
}

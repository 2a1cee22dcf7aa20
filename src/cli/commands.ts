import { SkillError } from '../kernel/errors.ts';
import type { AnyCommand } from './command.ts';

/** A command that can be called. Its module is loaded only when it is. */
export interface Entry {
  readonly summary: string;
  load(): Promise<AnyCommand>;
}

export const commands = {
  list: {
    summary: 'Show every skill that any agent on this machine could use',
    load: async () => (await import('./commands/list.ts')).list,
  },
  show: {
    summary: 'Show one skill: where it comes from and what it says',
    load: async () => (await import('./commands/show.ts')).show,
  },
  search: {
    summary: 'Find skills by words and by meaning, or by every word exactly',
    load: async () => (await import('./commands/search.ts')).search,
  },
  eval: {
    summary: 'Measure how well the search finds your own skills, and test what calls them up',
    load: async () => (await import('./commands/eval.ts')).evaluate,
  },
  validate: {
    summary: 'Check skills against the strict rules of the format, and mend what can be mended',
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  mcp: {
    summary: 'Serve the skills to an MCP client through one tool, skill',
    load: async () => (await import('./commands/serve.ts')).mcp,
  },
  'mcp-server': {
    summary: 'Serve the catalogue to an MCP client: skills.list and skills.search',
    load: async () => (await import('./commands/serve.ts')).mcpServer,
  },
  serve: {
    summary: 'Serve everything to MCP clients: all tools, over stdio or HTTP',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  doctor: {
    summary: 'Show where was looked, what was found, and what is wrong with it',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  why: {
    summary: 'Tell how a name resolves and what it beat, or why it is not seen',
    load: async () => (await import('./commands/why.ts')).why,
  },
  config: {
    summary: 'Show the settings in effect and where each comes from',
    load: async () => (await import('./commands/config.ts')).config,
  },
  completion: {
    summary: 'Print the completion script for a shell',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
} as const satisfies Readonly<Record<string, Entry>>;

export type CommandName = keyof typeof commands;

/** Other words for the same thing, which people bring along from other tools. */
const synonyms = new Map<string, CommandName>([
  ['ls', 'list'],
  ['info', 'show'],
  ['find', 'search'],
  ['evaluate', 'eval'],
  ['check', 'validate'],
  ['completions', 'completion'],
]);

/** The command that a word means, if any. */
export function commandNamed(word: string): CommandName | undefined {
  return Object.hasOwn(commands, word) ? (word as CommandName) : synonyms.get(word);
}

/** The same, or an error that says what could have been meant. */
export function requireCommand(word: string): CommandName {
  const name = commandNamed(word);
  if (name !== undefined) return name;
  const message = word.startsWith('-') ? `name a command before ${word}` : `unknown command '${word}'`;
  throw new SkillError('usage', message, { suggestions: Object.keys(commands) });
}

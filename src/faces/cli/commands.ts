import { SkillError } from '../../core/errors.ts';
import type { AnyCommand } from './command.ts';

/** A command that can be called. Its module is loaded only when it is called; its purpose is in `summaries.ts`. */
export interface Entry {
  load(): Promise<AnyCommand>;
}

export const commands = {
  list: { load: async () => (await import('./commands/list.ts')).list },
  show: { load: async () => (await import('./commands/show.ts')).show },
  search: { load: async () => (await import('./commands/search.ts')).search },
  eval: { load: async () => (await import('./commands/eval.ts')).evaluate },
  validate: { load: async () => (await import('./commands/validate.ts')).validate },
  tools: { load: async () => (await import('./commands/tools.ts')).tools },
  run: { load: async () => (await import('./commands/run.ts')).run },
  grant: { load: async () => (await import('./commands/grant.ts')).grant },
  grants: { load: async () => (await import('./commands/grants.ts')).grants },
  revoke: { load: async () => (await import('./commands/revoke.ts')).revoke },
  jobs: { load: async () => (await import('./commands/jobs.ts')).jobs },
  new: { load: async () => (await import('./commands/new.ts')).create },
  mcp: { load: async () => (await import('./commands/serve.ts')).mcp },
  'mcp-server': { load: async () => (await import('./commands/serve.ts')).mcpServer },
  serve: { load: async () => (await import('./commands/serve.ts')).serve },
  web: { load: async () => (await import('./commands/web.ts')).web },
  setup: { load: async () => (await import('./commands/setup.ts')).setup },
  bundle: { load: async () => (await import('./commands/bundle.ts')).bundle },
  audit: { load: async () => (await import('./commands/audit.ts')).audit },
  activity: { load: async () => (await import('./commands/activity.ts')).activity },
  stats: { load: async () => (await import('./commands/stats.ts')).stats },
  doctor: { load: async () => (await import('./commands/doctor.ts')).doctor },
  why: { load: async () => (await import('./commands/why.ts')).why },
  config: { load: async () => (await import('./commands/config.ts')).config },
  alias: { load: async () => (await import('./commands/alias.ts')).alias },
  completion: { load: async () => (await import('./commands/completion.ts')).completion },
} as const satisfies Readonly<Record<string, Entry>>;

export type CommandName = keyof typeof commands;

/** Synonyms of commands, which people bring along from other tools. */
const synonyms = new Map<string, CommandName>([
  ['ls', 'list'],
  ['info', 'show'],
  ['find', 'search'],
  ['evaluate', 'eval'],
  ['check', 'validate'],
  ['completions', 'completion'],
  ['exec', 'run'],
  ['ui', 'web'],
  ['console', 'web'],
]);

/** The command that a word means, if any. */
export function commandNamed(word: string): CommandName | undefined {
  return Object.hasOwn(commands, word) ? (word as CommandName) : synonyms.get(word);
}

/** The command that a word means, or an error with suggestions. */
export function requireCommand(word: string): CommandName {
  const name = commandNamed(word);
  if (name !== undefined) return name;
  const message = word.startsWith('-') ? `no command given before ${word}` : `unknown command '${word}'`;
  throw new SkillError('usage', message, { suggestions: Object.keys(commands) });
}

import { SkillError } from '../../core/errors.ts';
import type { AnyCommand } from './command.ts';

/** A command that can be called. Its module is loaded only when it is called; its purpose is in `summaries.ts`. */
export interface Entry {
  load(): Promise<AnyCommand>;
}

export const commands = {
  list: { load: async () => (await import('./commands/skills/list.ts')).list },
  show: { load: async () => (await import('./commands/skills/show.ts')).show },
  search: { load: async () => (await import('./commands/skills/search.ts')).search },
  eval: { load: async () => (await import('./commands/machine/eval.ts')).evaluate },
  validate: { load: async () => (await import('./commands/skills/validate.ts')).validate },
  scan: { load: async () => (await import('./commands/skills/scan.ts')).scan },
  allow: { load: async () => (await import('./commands/running/allow.ts')).allow },
  tools: { load: async () => (await import('./commands/running/tools.ts')).tools },
  run: { load: async () => (await import('./commands/running/run.ts')).run },
  grant: { load: async () => (await import('./commands/running/grant.ts')).grant },
  grants: { load: async () => (await import('./commands/running/grants.ts')).grants },
  revoke: { load: async () => (await import('./commands/running/revoke.ts')).revoke },
  jobs: { load: async () => (await import('./commands/running/jobs.ts')).jobs },
  new: { load: async () => (await import('./commands/skills/new.ts')).create },
  mcp: { load: async () => (await import('./commands/serving/serve.ts')).mcp },
  'mcp-server': { load: async () => (await import('./commands/serving/serve.ts')).mcpServer },
  serve: { load: async () => (await import('./commands/serving/serve.ts')).serve },
  web: { load: async () => (await import('./commands/serving/web.ts')).web },
  setup: { load: async () => (await import('./commands/machine/setup.ts')).setup },
  bundle: { load: async () => (await import('./commands/machine/bundle.ts')).bundle },
  audit: { load: async () => (await import('./commands/running/audit.ts')).audit },
  activity: { load: async () => (await import('./commands/machine/activity.ts')).activity },
  stats: { load: async () => (await import('./commands/machine/stats.ts')).stats },
  doctor: { load: async () => (await import('./commands/machine/doctor.ts')).doctor },
  why: { load: async () => (await import('./commands/skills/why.ts')).why },
  config: { load: async () => (await import('./commands/machine/config.ts')).config },
  alias: { load: async () => (await import('./commands/machine/alias.ts')).alias },
  completion: { load: async () => (await import('./commands/machine/completion.ts')).completion },
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

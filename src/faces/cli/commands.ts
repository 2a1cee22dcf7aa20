import { SkillError } from '../../core/errors.ts';
import type { AnyCommand } from './command.ts';

/** A command that can be called. Its module is loaded only when it is called; its purpose is in `help.ts`. */
export interface Entry {
  load(): Promise<AnyCommand>;
}

export const commands = {
  list: { load: async () => (await import('./commands/skills/list.ts')).list },
  show: { load: async () => (await import('./commands/skills/show.ts')).show },
  search: { load: async () => (await import('./commands/skills/search.ts')).search },
  eval: { load: async () => (await import('./commands/machine/eval.ts')).evaluate },
  validate: { load: async () => (await import('./commands/skills/validate.ts')).validate },
  enable: { load: async () => (await import('./commands/skills/disable.ts')).enable },
  disable: { load: async () => (await import('./commands/skills/disable.ts')).disable },
  scan: { load: async () => (await import('./commands/skills/scan.ts')).scan },
  allow: { load: async () => (await import('./commands/running/allow.ts')).allow },
  tools: { load: async () => (await import('./commands/running/tools.ts')).tools },
  run: { load: async () => (await import('./commands/running/run.ts')).run },
  grant: { load: async () => (await import('./commands/running/grant.ts')).grant },
  grants: { load: async () => (await import('./commands/running/grants.ts')).grants },
  revoke: { load: async () => (await import('./commands/running/grants.ts')).revoke },
  jobs: { load: async () => (await import('./commands/running/jobs.ts')).jobs },
  new: { load: async () => (await import('./commands/skills/new.ts')).create },
  add: { load: async () => (await import('./commands/getting/add.ts')).add },
  remove: { load: async () => (await import('./commands/getting/remove.ts')).remove },
  update: { load: async () => (await import('./commands/getting/update.ts')).update },
  outdated: { load: async () => (await import('./commands/getting/outdated.ts')).outdated },
  install: { load: async () => (await import('./commands/getting/install.ts')).install },
  verify: { load: async () => (await import('./commands/getting/verify.ts')).verify },
  prune: { load: async () => (await import('./commands/getting/prune.ts')).prune },
  pack: { load: async () => (await import('./commands/getting/pack.ts')).pack },
  publish: { load: async () => (await import('./commands/getting/publish.ts')).publish },
  'sync-back': { load: async () => (await import('./commands/getting/sync-back.ts')).syncBack },
  mcp: { load: async () => (await import('./commands/serving/serve.ts')).mcp },
  'mcp-server': { load: async () => (await import('./commands/serving/serve.ts')).mcpServer },
  serve: { load: async () => (await import('./commands/serving/serve.ts')).serve },
  worker: { load: async () => (await import('./commands/serving/worker.ts')).worker },
  'cluster status': { load: async () => (await import('./commands/serving/cluster-status.ts')).clusterStatus },
  web: { load: async () => (await import('./commands/serving/web.ts')).web },
  remote: { load: async () => (await import('./commands/machine/remote.ts')).remote },
  cluster: { load: async () => (await import('./commands/machine/cluster.ts')).cluster },
  setup: { load: async () => (await import('./commands/machine/setup.ts')).setup },
  bundle: { load: async () => (await import('./commands/machine/bundle.ts')).bundle },
  audit: { load: async () => (await import('./commands/running/audit.ts')).audit },
  output: { load: async () => (await import('./commands/running/output.ts')).output },
  activity: { load: async () => (await import('./commands/machine/activity.ts')).activity },
  stats: { load: async () => (await import('./commands/machine/stats.ts')).stats },
  doctor: { load: async () => (await import('./commands/machine/doctor.ts')).doctor },
  why: { load: async () => (await import('./commands/skills/why.ts')).why },
  config: { load: async () => (await import('./commands/machine/config.ts')).config },
  'config get': { load: async () => (await import('./commands/machine/config.ts')).configGet },
  'config set': { load: async () => (await import('./commands/machine/config.ts')).configSet },
  alias: { load: async () => (await import('./commands/machine/alias.ts')).alias },
  completion: { load: async () => (await import('./commands/machine/completion.ts')).completion },
} as const satisfies Readonly<Record<string, Entry>>;

export type CommandName = keyof typeof commands;

/** A command line of which the command is known. */
export interface CommandLine {
  readonly name: CommandName;
  /** The words after it. */
  readonly rest: readonly string[];
}

/** The command that the first words name in our own spelling: one word, or two where both make its name. */
export function ownCommand(words: readonly string[]): CommandLine | undefined {
  const used = [2, 1].find((many) => Object.hasOwn(commands, words.slice(0, many).join(' ')));
  if (used === undefined) return undefined;
  return { name: words.slice(0, used).join(' ') as CommandName, rest: words.slice(used) };
}

/** The command that the first words mean, in our own spelling or in that of another program; undefined for none. */
export async function commandMeant(words: readonly string[]): Promise<CommandLine | undefined> {
  const own = ownCommand(words);
  if (own !== undefined) return own;
  const { ownWords } = await import('./aliases.ts');
  const other = ownWords(words);
  return other === null ? undefined : ownCommand(other);
}

/** The command that the first words mean, or an error with suggestions. */
export async function requireCommand(words: readonly string[]): Promise<CommandLine> {
  const meant = await commandMeant(words);
  if (meant !== undefined) return meant;
  const [word = ''] = words;
  const message = word.startsWith('-') ? `no command given before ${word}` : `unknown command '${word}'`;
  throw new SkillError('usage', message, { suggestions: Object.keys(commands) });
}

import { relative } from 'node:path';
import type { ListedSkill, World } from '../support/world.ts';

/** What `--json` prints when the answer is an error. */
export interface CliError {
  code: string;
  message: string;
  hint: string | null;
  suggestions: string[];
  candidates: string[];
}

/** Installs plugins for Claude Code: `plugin@marketplace` and the skills each brings. */
export function installPlugins(world: World, plugins: Readonly<Record<string, readonly string[]>>): void {
  const entries = Object.entries(plugins).map(([key, skills]) => {
    const folder = `home/.claude/plugins/cache/${key}`;
    for (const skill of skills) world.skill(`${folder}/skills/${skill}`);
    return [key, [{ scope: 'user', installPath: world.path(folder), version: '1.0.0' }]];
  });
  const file = { version: 2, plugins: Object.fromEntries(entries) };
  world.writeJson('home/.claude/plugins/installed_plugins.json', file);
}

/** The folder, from the world's, that a name leads to. Fails with the program's own words if it leads nowhere. */
export async function folderOf(world: World, name: string, args: readonly string[] = []): Promise<string> {
  const run = await world.run(['show', '--json', ...args, '--', name]);
  if (run.code !== 0) throw new Error(`'${name}' leads nowhere: ${run.stdout}${run.stderr}`);
  return relative(world.root, run.json<{ skill: ListedSkill }>().skill.dir);
}

/** The error that asking for a name gives, and the exit code. Fails if it gives none. */
export async function refusalOf(
  world: World,
  name: string,
  args: readonly string[] = [],
): Promise<CliError & { exit: number }> {
  const run = await world.run(['show', '--json', ...args, '--', name]);
  const { error } = run.json<{ error?: CliError }>();
  if (error === undefined) throw new Error(`'${name}' was loaded: ${run.stdout}`);
  return { ...error, exit: run.code };
}

/** The folders, from the world's, of every skill that the filters let through, in alphabetical order. */
export async function foldersListed(world: World, args: readonly string[] = []): Promise<string[]> {
  const { skills } = await world.list(args);
  return skills.map((skill) => relative(world.root, skill.dir)).sort();
}

/** The full names of every skill that the filters let through, in alphabetical order. */
export async function namesListed(world: World, args: readonly string[] = []): Promise<string[]> {
  const { skills } = await world.list(args);
  return skills.map((skill) => skill.fullName).sort();
}

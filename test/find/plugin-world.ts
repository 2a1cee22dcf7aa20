import type { ListedDiagnostic, ListedSkill, RunOptions, World } from '../support/world.ts';

export const pluginsFile = 'home/.claude/plugins/installed_plugins.json';

/** A plugin's folder below the world's, with one skill for each name in `skills/`. */
export function pluginFolder(world: World, folder: string, skills: readonly string[] = ['pdf']): string {
  for (const name of skills) world.skill(`${folder}/skills/${name}`);
  return world.folder(folder);
}

/** Writes the file in which Claude Code keeps what is installed, in its present shape. */
export function install(world: World, plugins: Readonly<Record<string, unknown>>): void {
  world.writeJson(pluginsFile, { version: 2, plugins });
}

/** A plugin `kit@shop` that is there for the user in every project. */
export function installKit(world: World, skills: readonly string[] = ['pdf']): string {
  const installPath = pluginFolder(world, 'kit', skills);
  install(world, { 'kit@shop': [{ scope: 'user', installPath }] });
  return installPath;
}

export interface Found {
  readonly names: string[];
  readonly skills: ListedSkill[];
  readonly diagnostics: ListedDiagnostic[];
  /** Code and file of each diagnostic. */
  readonly noted: [string, string][];
}

/** Lists; the names are full ones, in order. */
export async function find(world: World, options: RunOptions = {}, args: readonly string[] = []): Promise<Found> {
  const { skills, diagnostics } = await world.list(args, options);
  return {
    names: skills.map((one) => one.fullName).sort(),
    skills,
    diagnostics,
    noted: diagnostics.map((one) => [one.code, one.file]),
  };
}

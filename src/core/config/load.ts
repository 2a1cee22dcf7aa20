import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Diagnostic, diagnostic } from '../diagnostics.ts';
import { isAbsent } from '../disk/files.ts';
import { xdgDir } from '../disk/paths.ts';
import { nearestFile, projectFiles, projectFolders } from '../disk/project.ts';
import { type Environment, variable } from '../environment.ts';
import { reasonOf, SkillError } from '../errors.ts';
import { type Configuration, type Given, type Layer, settle } from './layers.ts';
import { settingNames, settings } from './settings.ts';

/** The reader of values, which is loaded only where some are set. */
const reader = () => import('./values.ts');

/**
 * Loads the configuration: options over environment over the project's file over the user's file over defaults. A
 * project's file that is wrong is an error, unless the caller can do without it: then it is left out, and reported.
 */
export async function loadConfiguration(
  given: Given,
  environment: Environment,
  { withoutProject = false }: { readonly withoutProject?: boolean } = {},
): Promise<Configuration> {
  const user = join(xdgDir(environment, 'CONFIG'), 'repertoire', 'config.toml');
  const isSet = settingNames.some((name) => variable(environment, settings[name].variable) !== undefined);
  const ofEnvironment = isSet ? (await reader()).fromEnvironment(environment) : {};
  const hasUser = mayBeThere(user);
  const ofUser = hasUser ? await (await reader()).fromFile(user, 'user') : {};
  const trustedProjects = [given, ofEnvironment, ofUser].find((one) => one.trustedProjects)?.trustedProjects ?? [];
  const seen = { ...environment, trustedProjects };
  const found = nearestFile(projectFiles.settings, seen);
  const project = found ?? join(environment.cwd, 'repertoire.toml');
  const problems: Diagnostic[] = [];
  const ofProject =
    found === null
      ? {}
      : await (await reader()).fromFile(found, 'project', projectFolders(seen).at(-1)).catch(leaveOut);
  const layers: Layer[] = [
    { from: 'option', values: given, where: (name) => `--${settings[name].option}` },
    { from: 'environment', values: ofEnvironment, where: (name) => settings[name].variable },
    { from: 'project file', values: ofProject, where: () => project },
    { from: 'user file', values: ofUser, where: () => user },
  ];
  const files = [
    { path: project, exists: found !== null },
    { path: user, exists: hasUser },
  ];
  return { ...settle(layers), files, problems };

  function leaveOut(error: unknown): Given {
    if (!withoutProject || !(error instanceof SkillError)) throw error;
    const remedy = `${error.hint ?? 'Fix the file, or move it away.'} Until then none of its settings count.`;
    const [, line, column, message = error.message] =
      /^(?::(\d+))?(?::(\d+))?:? (.*)$/s.exec(error.message.slice(project.length)) ?? [];
    const at = line === undefined ? undefined : { line: Number(line), column: Number(column ?? 1) };
    problems.push(diagnostic('config-invalid', project, message, remedy, at));
    return {};
  }
}

/** Tells whether a file is there, or cannot be reached: then its reader reports why. */
function mayBeThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return !isAbsent(reasonOf(error));
  }
}

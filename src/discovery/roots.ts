import { readdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { agentFolders } from '../agents/folders.ts';
import { pathOf, sharedProvider } from '../agents/places.ts';
import { pluginFolder, pluginFolders } from '../agents/providers.ts';
import { foldersIn, isThere, readRegularFile, realPathOf } from '../core/disk/files.ts';
import { channelFolder, isRemoteName, remotesFolder } from '../core/disk/own-folders.ts';
import { below, expandPath } from '../core/disk/paths.ts';
import { isTrusted, projectFolders } from '../core/disk/project.ts';
import { type Environment, variable } from '../core/environment.ts';
import { SkillError } from '../core/errors.ts';
import { byText } from '../core/text/text.ts';
import type { Location } from '../skill/types.ts';

/** A folder to search for skills, with the properties of the skills in it. The order of roots is their rank. */
export interface Root {
  readonly path: string;
  readonly provider: string;
  readonly location: Location;
  /** The plugin whose skills they are: its name, and `plugin@marketplace`. */
  readonly plugin: { readonly name: string; readonly key: string } | null;
  /** Levels below the root at which a skill may lie. */
  readonly depth: number;
  /** Whether the user named it, rather than us knowing it. */
  readonly named: boolean;
  /** Whether a folder holding a plugin manifest is a plugin here, as Claude Code has it. */
  readonly holdsPlugins: boolean;
  /** The real folder that links must not leave; null where they may lead anywhere. */
  readonly container: string | null;
  /** The option and its value by which the user requested it: if it is missing, that is reported. */
  readonly asked?: string;
  /** Whether a SKILL.md in the root itself does not count. */
  readonly belowOnly?: true;
  /** Whether a project's folder is in the working directory, and whether it is at the top of the repository. */
  readonly isStart?: boolean;
  readonly isTop?: boolean;
}

export interface DiscoveryOptions {
  readonly skillDirs: readonly string[];
  readonly root: string | undefined;
  readonly scanDefaultDirs: boolean;
  readonly skipPlugins: boolean;
  readonly pluginsFile: string | undefined;
  readonly pluginsRoot: string | undefined;
  /** Whether skills of remotes are among them. */
  readonly remotes: 'kept' | 'follow' | 'off';
  /** The cluster whose catalogue is followed, if any, its name and the channel. */
  readonly cluster: string | undefined;
  readonly clusterName: string;
  readonly clusterChannel: string;
}

/** Levels to which category folders are entered; deeper than any real layout, shallow enough to be quick. */
export const categoryDepth = 6;
/** Levels that stand for "any depth", with an end for trees that never stop. */
export const anyDepth = 64;

const plainRoot = { plugin: null, named: false, holdsPlugins: false, container: null, depth: categoryDepth } as const;

/** Tells whether a known folder is of interest: all of them, or only those that exist and may be read. */
type Wanted = (path: string, location: Location) => boolean;

/**
 * The roots other than those of plugins, highest rank first. There are well over a hundred, nearly all of them missing,
 * so that each unwanted one costs a check and nothing more.
 */
export function standardRoots(options: DiscoveryOptions, environment: Environment, wanted: Wanted): readonly Root[] {
  const roots = options.skillDirs.map((path) => namedRoot(path, environment));
  const folders = projectFolders(environment);
  if (options.scanDefaultDirs) addAgents(roots, folders, environment, wanted);
  if (options.scanDefaultDirs || options.root !== undefined) {
    const kind = { ...plainRoot, provider: sharedProvider, location: 'project', depth: anyDepth } as const;
    const asked = options.root === undefined ? {} : { asked: `--root ${options.root}` };
    const paths =
      options.root === undefined
        ? folders.map((folder) => below(folder, 'skills'))
        : projectPaths(options.root, environment);
    const isAsked = options.root !== undefined;
    // Folders of other users are not wanted, and are reported; a folder that does not exist yet is waited for.
    const present = paths.filter((path) => wanted(path, 'project') || (!isAsked && isTrusted(path, environment)));
    const found = present.length > 0 || !isAsked ? present : paths.slice(-1);
    roots.push(...found.map((path) => ({ ...kind, ...asked, path })));
  }
  return roots;
}

/**
 * The roots of skills from elsewhere: the catalogue of the cluster, and of each remote the skills that it had when it was
 * last asked. They come last, so that nothing from elsewhere ever stands before what is on this machine.
 */
export function remoteRoots(options: DiscoveryOptions, environment: Environment): readonly Root[] {
  return [...catalogueRoots(options, environment), ...rootsOfRemotes(options, environment)];
}

function catalogueRoots(
  { cluster, clusterName: provider, clusterChannel }: DiscoveryOptions,
  environment: Environment,
): readonly Root[] {
  if (cluster === undefined || !isRemoteName(provider) || !isRemoteName(clusterChannel)) return [];
  const path = channelFolder(environment, provider, clusterChannel);
  return isThere(path) ? [{ ...plainRoot, path, provider, location: 'remote', depth: 1, belowOnly: true }] : [];
}

function rootsOfRemotes({ remotes }: DiscoveryOptions, environment: Environment): readonly Root[] {
  const folder = remotesFolder(environment);
  const names = remotes === 'off' ? [] : foldersIn(folder).filter(isRemoteName);
  return names.flatMap((provider) => {
    const current = readRegularFile(below(folder, below(provider, 'current')), 256);
    const digest = current.ok ? current.value.bytes.toString('utf8').trim() : '';
    if (!/^[0-9a-f]{16}$/.test(digest)) return [];
    const path = below(folder, below(provider, below('snapshots', digest)));
    return [{ ...plainRoot, path, provider, location: 'remote', depth: 1, belowOnly: true } as const];
  });
}

/**
 * The possible paths of a project's folder, nearest first: below the working directory and each folder up to the
 * repository's root.
 */
export function projectPaths(path: string, environment: Environment): readonly string[] {
  if (isAbsolute(path) || path.startsWith('~')) return [expandPath(path, environment)];
  const folders = projectFolders(environment);
  return (folders.length > 0 ? folders : [environment.cwd]).map((folder) => resolve(folder, path));
}

function addAgents(roots: Root[], folders: readonly string[], environment: Environment, wanted: Wanted): void {
  // At home, `./.claude/skills` is `~/.claude/skills`: one folder, and it belongs to the user.
  const home = realPathOf(environment.home);
  const apart = folders.filter((folder) => folder !== environment.home && !(home.ok && folder === home.value));
  const add = (path: string, provider: string, location: Location, project?: Pick<Root, 'isStart' | 'isTop'>): void => {
    for (const one of path.endsWith('*') ? expandStar(path) : [path]) {
      if (!wanted(one, location)) continue;
      const holdsPlugins = provider === 'claude';
      roots.push({ ...plainRoot, path: one, provider, location, holdsPlugins, ...project });
    }
  };
  for (const { provider, project: paths, global } of agentFolders) {
    for (const folder of apart) {
      const project = { isStart: folder === folders[0], isTop: folder === folders.at(-1) };
      for (const path of paths) add(below(folder, path), provider, 'project', project);
    }
    const atHome = global?.flatMap((place) => pathOf(place, environment) ?? []);
    for (const path of atHome ?? paths.map((one) => below(environment.home, one))) add(path, provider, 'global');
  }
}

/** Parses `PATH?scope=NAME`, where the scope names the provider. */
function namedRoot(value: string, environment: Environment): Root {
  const [, path = value, scope] = /^(.*?)(?:\?scope=([^?]*))?$/s.exec(value) ?? [];
  if (scope !== undefined && /[:/\\\p{Cc}]|\.\./u.test(scope)) {
    throw new SkillError('usage', `--skill-dir: '${scope}' cannot name a provider`);
  }
  if (path.trim() === '') throw new SkillError('usage', `--skill-dir: no folder given: '${value}'`);
  return {
    ...plainRoot,
    path: expandPath(path, environment),
    provider: scope === undefined || scope === '' ? 'file' : scope,
    location: 'project',
    depth: anyDepth,
    named: true,
    asked: `--skill-dir ${path}`,
  };
}

/** Expands `skills-*` into one root for each folder with that prefix. */
function expandStar(path: string): readonly string[] {
  const [folder, start] = [dirname(path), basename(path).slice(0, -1)];
  try {
    const names = readdirSync(folder).filter((name) => name.startsWith(start));
    return names.sort(byText).map((name) => below(folder, name));
  } catch {
    return []; // A missing folder has no modes in it; an unreadable one shows up under its plain root.
  }
}

/** The folder of Claude Code, which can be moved, as can that of Codex. */
export function claudeFolder(environment: Environment): string {
  return dirname(pluginFolder('claude', environment));
}

export function codexFolder(environment: Environment): string {
  return dirname(pluginFolder('codex', environment));
}

/** The variable that moves Claude Code's plugins alone. */
export const cacheVariable = 'CLAUDE_CODE_PLUGIN_CACHE_DIR';

/** The folder that Claude Code's plugins were moved to, by the user or by that variable. */
export function movedPlugins({ pluginsRoot }: DiscoveryOptions, environment: Environment): string | undefined {
  return pluginsRoot ?? variable(environment, cacheVariable);
}

/** Tells whether any place for plugins exists. A few checks save loading all the code that reads them. */
export function mayHavePlugins(options: DiscoveryOptions, environment: Environment): boolean {
  if (options.pluginsFile !== undefined || movedPlugins(options, environment) !== undefined) return true;
  const shared = [...projectFolders(environment), environment.home].map((folder) => below(folder, '.agents/plugins'));
  return [...pluginFolders(environment), ...shared].some(isThere);
}

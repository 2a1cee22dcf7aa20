import { sep } from 'node:path';
import { type Environment, variable } from '../kernel/environment.ts';
import { foldersIn, isThere } from '../kernel/files.ts';
import { below, expandPath } from '../kernel/paths.ts';
import { projectFolders } from '../kernel/project.ts';
import { type Look, lookAt, looksTheSame } from '../kernel/signature.ts';
import { claudeFolder, codexFolder } from './plugin-places.ts';
import { type DiscoveryOptions, standardRoots } from './roots.ts';
import type { Scan } from './scan.ts';

/**
 * Where skills were found, and how those folders looked. While they look the same nothing has been added, removed or
 * renamed; what stands in a SKILL.md may have changed and, where there are very many, whether it is there at all. It
 * costs a few looks where a scan costs several per skill.
 */
export interface Places {
  /** Every root that was there. */
  readonly roots: readonly string[];
  /** Folders that hold skills, and files that switch plugins on and off. */
  readonly look: Look;
  /** Those of the latter that were not there. */
  readonly absent: readonly string[];
}

/** More folders than this are not looked at one by one. */
const most = 500;

/** The places of a scan; null where looking at them would tell too little, or cost too much. */
export function placesOf(scan: Scan, options: DiscoveryOptions, environment: Environment): Places | null {
  const holders = scan.skills.map(({ dir }) => dir.slice(0, dir.lastIndexOf(sep)));
  const roots = presentRoots(options, environment);
  const found = scan.roots.flatMap(({ root, status }) => (status === 'missing' ? [] : [root.path]));
  const [there, absent] = parted(switches(options, environment));
  const holding = [...holders, ...roots, ...found, ...there];
  const own = scan.skills.map(({ id }) => id);
  const files = scan.skills.map(({ file }) => file);
  const folders = [...holding, ...own, ...scan.folders.keys()];
  // Where there are few, all are looked at, so that a text changed in place, a skill switched off, or one put into an
  // empty folder, is noticed.
  const choices = [[...folders, ...files], folders, [...holding, ...own], holding];
  const paths = choices.map((choice) => [...new Set(choice)]).find((choice) => choice.length <= most);
  // What has changed since the scan began, the scan may or may not have seen.
  const look = paths === undefined ? null : lookAt(paths, scan.startedAt);
  return look === null ? null : { roots, look, absent };
}

/** Whether the places still look as they did. */
export function areUnchanged(
  { roots, look, absent }: Places,
  options: DiscoveryOptions,
  environment: Environment,
): boolean {
  return (
    presentRoots(options, environment).join('\n') === roots.join('\n') && looksTheSame(look) && !absent.some(isThere)
  );
}

function parted(paths: readonly string[]): [there: string[], absent: string[]] {
  return [paths.filter(isThere), paths.filter((path) => !isThere(path))];
}

function presentRoots(options: DiscoveryOptions, environment: Environment): string[] {
  const paths = standardRoots(options, environment, isThere).map(({ path }) => path);
  return paths.filter(isThere); // those that were named come whether they are there or not
}

/** The files and folders by which plugins come and go. */
function switches(options: DiscoveryOptions, environment: Environment): string[] {
  const { home } = environment;
  const moved = options.pluginsRoot ?? variable(environment, 'CLAUDE_CODE_PLUGIN_CACHE_DIR');
  const claude = claudeFolder(environment);
  const codex = codexFolder(environment);
  return [
    below(claude, 'settings.json'),
    below(environment.systemDir, 'claude-code/managed-settings.json'),
    ...[below(claude, 'plugins'), ...(moved === undefined ? [] : [expandPath(moved, environment)])].flatMap(
      (folder) => [
        folder,
        ...['installed_plugins.json', 'known_marketplaces.json', 'synced'].map((name) => below(folder, name)),
      ],
    ),
    ...(options.pluginsFile === undefined ? [] : [expandPath(options.pluginsFile, environment)]),
    ...['plugins', 'config.toml'].map((path) => below(codex, path)),
    ...withFolders(below(codex, 'plugins/cache'), 2),
    ...withFolders(below(home, '.gemini/extensions'), 1),
    ...withFolders(below(home, '.copilot/installed-plugins'), 1),
    ...[...projectFolders(environment), home].flatMap((folder) =>
      ['.agents/plugins', '.claude/settings.json', '.claude/settings.local.json'].map((path) => below(folder, path)),
    ),
  ];
}

/** A folder and those in it, so far down. */
function withFolders(folder: string, depth: number): string[] {
  const inside = depth === 0 ? [] : foldersIn(folder);
  return [folder, ...inside.flatMap((name) => withFolders(below(folder, name), depth - 1))];
}

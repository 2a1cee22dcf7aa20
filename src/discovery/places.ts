import { sep } from 'node:path';
import { pluginFolder } from '../agents/providers.ts';
import { foldersIn, isThere } from '../core/disk/files.ts';
import { below, expandPath } from '../core/disk/paths.ts';
import { isTrusted, projectFolders } from '../core/disk/project.ts';
import { areUnchanged, type Signatures, signaturesAt } from '../core/disk/signature.ts';
import type { Environment } from '../core/environment.ts';
import type { Location } from '../skill/types.ts';
import { claudeFolder, codexFolder, type DiscoveryOptions, movedPlugins, remoteRoots, standardRoots } from './roots.ts';
import type { Scan } from './scan.ts';

/**
 * The places where skills were found, with the signatures of those folders. While these are the same nothing has been
 * added, removed or renamed; where there are very many skills, their own folders and files are not checked. It costs a
 * few calls where a scan costs several per skill.
 */
export interface Places {
  /** Every root that existed. */
  readonly roots: readonly string[];
  /** Folders that hold skills, and files that switch plugins on and off. */
  readonly folders: Signatures;
  /** Each SKILL.md and its folder, where there are few: a text may be edited while the skill stays. */
  readonly texts: Signatures;
  /** Switches that did not exist. */
  readonly absent: readonly string[];
}

/** The change since the scan: none, a text edited in place, or a skill that came, went or moved. */
export type Since = 'nothing' | 'edited' | 'moved';

/** Number of folders up to which they are checked one by one. */
const most = 500;

/** The places of a scan; null where checking them would show too little, or cost too much. */
export function placesOf(scan: Scan, options: DiscoveryOptions, environment: Environment): Places | null {
  const holders = scan.skills.map(({ dir }) => dir.slice(0, dir.lastIndexOf(sep)));
  const roots = presentRoots(options, environment);
  const found = scan.roots.flatMap(({ root, status }) => (status === 'missing' ? [] : [root.path]));
  const [there, absent] = parted(switches(options, environment));
  const holding = [...holders, ...roots, ...found, ...there];
  const own = new Set(scan.skills.map(({ id }) => id));
  const files = scan.skills.map(({ file }) => file);
  const entered = [...scan.folders.keys()];
  // All folders are checked where there are few, so that a text changed in place, a skill switched off, or one put into
  // an empty folder, is noticed.
  const choices: readonly [held: readonly string[], texts: readonly string[]][] = [
    [
      [...holding, ...entered.filter((folder) => !own.has(folder))],
      [...files, ...own],
    ],
    [[...holding, ...own, ...entered], []],
    [[...holding, ...own], []],
    [holding, []],
  ];
  for (const [held, checked] of choices) {
    const paths = new Set(held);
    const others = new Set(checked.filter((path) => !paths.has(path)));
    if (paths.size + others.size > most) continue;
    // A change since the scan began may or may not have been seen by the scan.
    const [folders, texts] = [signaturesAt([...paths], scan.startedAt), signaturesAt([...others], scan.startedAt)];
    return folders === null || texts === null ? null : { roots, folders, texts, absent };
  }
  return null;
}

/** Tells what has changed at the places. A change in the folder of a skill that is still there counts as an edit. */
export function since(
  { roots, folders, texts, absent }: Places,
  options: DiscoveryOptions,
  environment: Environment,
): Since {
  const stay = presentRoots(options, environment).join('\n') === roots.join('\n') && areUnchanged(folders);
  if (!stay || absent.some(isThere)) return 'moved';
  if (areUnchanged(texts)) return 'nothing';
  return texts.every(([path]) => isThere(path)) ? 'edited' : 'moved';
}

function parted(paths: readonly string[]): [there: string[], absent: string[]] {
  return [paths.filter(isThere), paths.filter((path) => !isThere(path))];
}

function presentRoots(options: DiscoveryOptions, environment: Environment): string[] {
  const wanted = (path: string, location: Location): boolean =>
    isThere(path) && (location !== 'project' || isTrusted(path, environment));
  const roots = [...standardRoots(options, environment, wanted), ...remoteRoots(options, environment)];
  const paths = roots.map(({ path }) => path);
  return paths.filter(isThere); // named roots are included whether they exist or not
}

/** The files and folders by which plugins come and go. */
function switches(options: DiscoveryOptions, environment: Environment): string[] {
  const { home } = environment;
  const moved = movedPlugins(options, environment);
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
    ...withFolders(pluginFolder('gemini', environment), 1),
    ...withFolders(pluginFolder('copilot', environment), 1),
    ...[...projectFolders(environment), home].flatMap((folder) =>
      ['.agents/plugins', '.claude/settings.json', '.claude/settings.local.json'].map((path) => below(folder, path)),
    ),
  ];
}

/** A folder and the folders in it, down to this depth. */
function withFolders(folder: string, depth: number): string[] {
  const inside = depth === 0 ? [] : foldersIn(folder);
  return [folder, ...inside.flatMap((name) => withFolders(below(folder, name), depth - 1))];
}

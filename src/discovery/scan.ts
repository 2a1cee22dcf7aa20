import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import { isAbsent, statOf } from '../core/disk/files.ts';
import { expandPath } from '../core/disk/paths.ts';
import { foreignFiles, foreignFolders, isTrusted, nearestFile, projectFiles } from '../core/disk/project.ts';
import type { Environment } from '../core/environment.ts';
import type { OnProgress } from '../core/progress.ts';
import type { Location, Skill } from '../skill/types.ts';
import type { RootEntries } from './cache.ts';
import type { HiddenRoot, PluginFindings } from './plugins/manifest.ts';
import type { GivenNames, ProjectSkills } from './project-skills.ts';
import { type DiscoveryOptions, mayHavePlugins, type Root, remoteRoots, standardRoots } from './roots.ts';
import { isPlainName, renameDuplicates } from './same-name.ts';
import type { RootScanner } from './scan-root.ts';

/** The outcome of one scan. */
export interface Scan {
  /** All skills, in order of rank, then of path. */
  readonly skills: readonly Skill[];
  readonly diagnostics: readonly Diagnostic[];
  /** The known folders that exist, and all named ones. */
  readonly roots: readonly RootReport[];
  /** Roots left out on purpose, with the reason. */
  readonly hidden: readonly HiddenRoot[];
  /** Further paths that lead to a folder, by its real path. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** Number of SKILL.md files believed unchanged, and number of files opened. */
  readonly counts: { readonly reused: number; readonly read: number };
  /** The real path of every folder that was entered. */
  readonly folders: ReadonlyMap<string, unknown>;
  /** Roots that would have been searched, had they existed. */
  readonly missing: readonly string[];
  /** The start of the scan. Changes after this moment may or may not have been seen. */
  readonly startedAt: number;
  /** The time of the next scan if a SKILL.md seems to be half-written; until then it counts as it was before. */
  readonly lookAgainAt: number | null;
}

export interface RootReport {
  readonly root: Root;
  readonly status: 'found' | 'missing' | 'unreadable';
  readonly skills: number;
}

/**
 * The content of the cache files, remembered between scans of one process, so that a refresh reads neither the skills
 * nor the cache again.
 */
export type ScanMemory = Map<string, RootEntries>;

/** Callbacks during a scan. */
export interface ScanListener {
  readonly onProgress?: OnProgress | undefined;
  /**
   * Called with each skill as soon as it is read, and the folders entered by then: the end of the scan may yet rename
   * it.
   */
  readonly onSkill?: ((skill: Skill, folders: Scan['folders']) => void) | undefined;
}

/** Scans every root. One scan sees the disk once, and does not read what it may reuse. */
export async function scan(
  options: DiscoveryOptions,
  environment: Environment,
  memory: ScanMemory,
  listener: ScanListener = {},
): Promise<Scan> {
  const startedAt = Date.now();
  const missing: string[] = [];
  const foreign: string[] = [];
  const wanted = (path: string, location: Location): boolean => {
    const isThere = isPresent(path);
    if (!isThere) missing.push(path);
    const isForeign = isThere && location === 'project' && !isTrusted(path, environment);
    if (isForeign) foreign.push(path);
    return isThere && !isForeign;
  };
  const standard = standardRoots(options, environment, wanted);
  const project = await projectSkills(environment);
  const plain = [...standard, ...project.roots];
  const notOwned = [...(await notOwnedIn(foreign, environment)), ...project.diagnostics];
  const { names, images } = project;
  const remote = remoteRoots(options, environment);
  if (options.skipPlugins)
    return scanRoots([...plain, ...remote], environment, memory, {
      ...listener,
      startedAt,
      missing,
      names,
      images,
      diagnostics: notOwned,
    });
  const load = async (): Promise<typeof import('./plugins/plugins.ts')> => import('./plugins/plugins.ts');
  let adopter: ((dir: string) => PluginFindings) | undefined;
  // Most machines have no plugins, and then not even the code for them is loaded.
  const found = mayHavePlugins(options, environment) ? await (await load()).findPlugins(options, environment) : null;
  return scanRoots([...plain, ...(found?.roots ?? []), ...remote], environment, memory, {
    ...listener,
    ...found,
    diagnostics: [...notOwned, ...missingPlugins(options, environment), ...(found?.diagnostics ?? [])],
    startedAt,
    missing,
    names,
    images,
    async adopt(dir) {
      adopter ??= (await load()).pluginAdopter(environment);
      return adopter(dir);
    },
  });
}

/** The skills that the project's manifest names. Nearly no project has one, and then nothing is loaded. */
async function projectSkills(environment: Environment): Promise<ProjectSkills> {
  const file = nearestFile(projectFiles.manifest, environment);
  if (file === null) return { roots: [], names: new Map(), diagnostics: [], images: new Map() };
  return (await import('./project-skills.ts')).skillsNamedIn(file, environment);
}

/** Diagnostics for parts of the project that belong to other users: nearly always none. */
async function notOwnedIn(roots: readonly string[], environment: Environment): Promise<Diagnostic[]> {
  const folders = foreignFolders(environment);
  const paths = [...roots, ...foreignFiles(environment)];
  if (paths.length + folders.length === 0) return [];
  return (await import('./not-owned.ts')).notOwned(paths, folders);
}

/** Tells whether a root exists. Missing ones are left out silently; one that may not be accessed is not missing. */
function isPresent(path: string): boolean {
  const stats = statOf(path);
  return stats.ok || !isAbsent(stats.reason);
}

/** The diagnostic for a missing folder that a person named. */
function notThere(asked: string, path: string, kind: 'folder' | 'file' = 'folder'): Diagnostic {
  const place = asked.endsWith(path) ? '' : ` (${path})`;
  const remedy = 'Check its spelling; repertoire config shows where the setting comes from.';
  return diagnostic('root-missing', path, `${asked}: there is no such ${kind}${place}`, remedy);
}

function missingPlugins({ pluginsFile, pluginsRoot }: DiscoveryOptions, environment: Environment): Diagnostic[] {
  const asked = [
    ['--plugins-file', pluginsFile, 'file'],
    ['--plugins-root', pluginsRoot, 'folder'],
  ] as const;
  return asked.flatMap(([option, value, kind]) => {
    if (value === undefined) return [];
    const path = expandPath(value, environment);
    return isPresent(path) ? [] : [notThere(`${option} ${value}`, path, kind)];
  });
}

/** The facts known before the roots are scanned, and callbacks on the way. */
export interface ScanContext extends ScanListener, Partial<Pick<PluginFindings, 'hidden' | 'diagnostics'>> {
  readonly startedAt?: number;
  /** Roots known not to exist. */
  readonly missing?: readonly string[];
  /** Names for skills whose files have no front matter, by their real folders. */
  readonly names?: GivenNames;
  /** Diagnostics for names that no skill may turn out to have. */
  readonly images?: ProjectSkills['images'];
  /** Adopts a plugin met among plain skills; where missing, the plugin is passed over. */
  readonly adopt?: (dir: string) => Promise<PluginFindings>;
}

/** The results where no root exists. */
const nothing = {
  aliases: new Map(),
  counts: { reused: 0, read: 0 },
  folders: new Map(),
  lookAgainAt: null,
};

/** Scans the given roots only. */
export async function scanRoots(
  given: readonly Root[],
  environment: Environment,
  memory: ScanMemory,
  context: ScanContext = {},
): Promise<Scan> {
  const { startedAt = Date.now() } = context;
  const roots = [...given]; // grows during the loop: plugins may be met among plain skills
  const reports: RootReport[] = [];
  const diagnostics = [...(context.diagnostics ?? [])];
  const hidden = [...(context.hidden ?? [])];
  const missing = [...(context.missing ?? [])];
  let scanner: RootScanner | undefined;
  for (let rank = 0; rank < roots.length; rank++) {
    const root = roots[rank] as Root;
    if (!isPresent(root.path)) {
      reports.push({ root, status: 'missing', skills: 0 });
      missing.push(root.path);
      if (root.asked !== undefined) diagnostics.push(notThere(root.asked, root.path));
      continue;
    }
    // The scanner is loaded with the first root that exists: where there is none, a start ends sooner.
    scanner ??= (await import('./scan-root.ts')).createRootScanner(environment, memory, diagnostics, context);
    const before = scanner.skills.length;
    const { status, plugins } = await scanner.scan(root, rank);
    reports.push({ root, status, skills: scanner.skills.length - before });
    for (const dir of plugins) add(await context.adopt?.(dir), { roots, hidden, diagnostics });
  }
  const { aliases, counts, folders, lookAgainAt } = scanner ?? nothing;
  const found = scanner?.skills ?? [];
  const skills = renameDuplicates(await withLookAlikes(found, diagnostics), roots, diagnostics);
  diagnostics.push(...unanswered(context.images, skills));
  return { skills, diagnostics, roots: reports, hidden, aliases, counts, folders, missing, startedAt, lookAgainAt };
}

/** The diagnostics for images that no skill is there for. */
function unanswered(images: ScanContext['images'], skills: readonly Skill[]): Diagnostic[] {
  const isThere = (wanted: string) => skills.some(({ name, fullName }) => name === wanted || fullName === wanted);
  return [...(images ?? [])].flatMap(([name, problem]) => (isThere(name) ? [] : [problem]));
}

/** Marks look-alikes. Most names can be read in one way only: the table is loaded only where some name cannot. */
async function withLookAlikes(skills: readonly Skill[], diagnostics: Diagnostic[]): Promise<readonly Skill[]> {
  if (skills.every(({ fullName }) => isPlainName(fullName))) return skills;
  return (await import('./look-alikes.ts')).markLookAlikes(skills, diagnostics);
}

function add(found: PluginFindings | undefined, to: PluginFindings): void {
  if (found === undefined) return;
  to.roots.push(...found.roots);
  to.hidden.push(...found.hidden);
  to.diagnostics.push(...found.diagnostics.filter((one) => !isKnown(one, to.diagnostics)));
}

/**
 * Tells whether a diagnostic is there already: unreadable settings are reported once, however many plugins need them.
 */
function isKnown(one: Diagnostic, diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(
    (other) => other.code === one.code && other.file === one.file && other.message === one.message,
  );
}

import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import type { Environment } from '../core/environment.ts';
import { isAbsent, statOf } from '../core/files.ts';
import { expandPath } from '../core/paths.ts';
import type { OnProgress } from '../core/progress.ts';
import { foreignFiles, foreignFolders, isTrusted } from '../core/project.ts';
import type { Location, Skill } from '../skill/types.ts';
import type { RootEntries } from './cache.ts';
import type { HiddenRoot, PluginFindings } from './plugins/manifest.ts';
import { type DiscoveryOptions, mayHavePlugins, type Root, standardRoots } from './roots.ts';
import { isPlainName, tellApart } from './same-name.ts';
import type { RootScanner } from './scan-root.ts';

/** What one look at the disk found. */
export interface Scan {
  /** In order of rank, then of path. */
  readonly skills: readonly Skill[];
  readonly diagnostics: readonly Diagnostic[];
  /** Those of the known folders that are there, and all that were named. */
  readonly roots: readonly RootReport[];
  /** Roots left out on purpose, with the reason. */
  readonly hidden: readonly HiddenRoot[];
  /** Further paths that lead to a folder, by its real path. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** How many SKILL.md files were believed unchanged, and how many were opened. */
  readonly counts: { readonly reused: number; readonly read: number };
  /** The real path of every folder that was entered. */
  readonly folders: ReadonlyMap<string, unknown>;
  /** Roots that would have been searched, had they been there. */
  readonly missing: readonly string[];
  /** What changed after this moment may or may not have been seen. */
  readonly startedAt: number;
  /** When to look again because a SKILL.md seems to be half-written; until then it counts as it was before. */
  readonly lookAgainAt: number | null;
}

export interface RootReport {
  readonly root: Root;
  readonly status: 'found' | 'missing' | 'unreadable';
  readonly skills: number;
}

/** Remembers between scans of one process what the cache files hold, so that a refresh reads neither again. */
export type ScanMemory = Map<string, RootEntries>;

/** Who is told of what on the way. */
export interface ScanListener {
  readonly onProgress?: OnProgress | undefined;
  /** Of each skill as soon as it is read, with the folders entered by then: the end of the scan may yet rename it. */
  readonly onSkill?: ((skill: Skill, folders: Scan['folders']) => void) | undefined;
}

/** Looks at every root. One scan sees the disk once; what it may reuse it does not read. */
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
  const plain = standardRoots(options, environment, wanted);
  const notOwned = await notOwnedIn(foreign, environment);
  if (options.skipPlugins)
    return scanRoots(plain, environment, memory, { ...listener, startedAt, missing, diagnostics: notOwned });
  const load = async (): Promise<typeof import('./plugins/plugins.ts')> => import('./plugins/plugins.ts');
  let adopter: ((dir: string) => PluginFindings) | undefined;
  // Most machines have no plugins: then not even the code for them is loaded.
  const found = mayHavePlugins(options, environment) ? await (await load()).findPlugins(options, environment) : null;
  return scanRoots([...plain, ...(found?.roots ?? [])], environment, memory, {
    ...listener,
    ...found,
    diagnostics: [...notOwned, ...missingPlugins(options, environment), ...(found?.diagnostics ?? [])],
    startedAt,
    missing,
    async adopt(dir) {
      adopter ??= (await load()).pluginAdopter(environment);
      return adopter(dir);
    },
  });
}

/** What of the project belongs to somebody else: nearly always nothing. */
async function notOwnedIn(roots: readonly string[], environment: Environment): Promise<Diagnostic[]> {
  const folders = foreignFolders(environment);
  const paths = [...roots, ...foreignFiles(environment)];
  if (paths.length + folders.length === 0) return [];
  return (await import('./not-owned.ts')).notOwned(paths, folders);
}

/** Missing ones are left out silently; one that may not be looked at is not missing. */
function isPresent(path: string): boolean {
  const stats = statOf(path);
  return stats.ok || !isAbsent(stats.reason);
}

/** A folder that a person named is meant to be there. */
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

/** What is known before the roots are looked at, and what to do on the way. */
export interface ScanContext extends ScanListener, Partial<Pick<PluginFindings, 'hidden' | 'diagnostics'>> {
  readonly startedAt?: number;
  /** Roots known not to be there. */
  readonly missing?: readonly string[];
  /** What becomes of a plugin met among plain skills; where not said, it is passed over. */
  readonly adopt?: (dir: string) => Promise<PluginFindings>;
}

/** What is found where no root is there. */
const nothing = {
  aliases: new Map(),
  counts: { reused: 0, read: 0 },
  folders: new Map(),
  lookAgainAt: null,
};

/** Looks at the given roots only. */
export async function scanRoots(
  given: readonly Root[],
  environment: Environment,
  memory: ScanMemory,
  context: ScanContext = {},
): Promise<Scan> {
  const { startedAt = Date.now() } = context;
  const roots = [...given]; // grows while it is worked through: plugins may be met among plain skills
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
    // Loaded with the first root that is there: where there is none, a start ends sooner.
    scanner ??= (await import('./scan-root.ts')).createRootScanner(environment, memory, diagnostics, context);
    const before = scanner.skills.length;
    const { status, plugins } = await scanner.scan(root, rank);
    reports.push({ root, status, skills: scanner.skills.length - before });
    for (const dir of plugins) add(await context.adopt?.(dir), { roots, hidden, diagnostics });
  }
  const { aliases, counts, folders, lookAgainAt } = scanner ?? nothing;
  const found = scanner?.skills ?? [];
  const skills = tellApart(await withLookAlikes(found, diagnostics), roots, diagnostics);
  return { skills, diagnostics, roots: reports, hidden, aliases, counts, folders, missing, startedAt, lookAgainAt };
}

/** Most names can be read in one way only: the table of the others is loaded where there is such a name. */
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

/** Settings that cannot be read are told once, however many plugins ask for them. */
function isKnown(one: Diagnostic, diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(
    (other) => other.code === one.code && other.file === one.file && other.message === one.message,
  );
}

import { join, sep } from 'node:path';
import { type Diagnostic, diagnostic } from '../kernel/diagnostics.ts';
import type { Environment } from '../kernel/environment.ts';
import { isAbsent, realPathOf } from '../kernel/files.ts';
import { xdgDir } from '../kernel/paths.ts';
import { labelOf } from '../skill/name.ts';
import type { ParsedSkill, Skill } from '../skill/types.ts';
import { createBreath } from './breath.ts';
import { CacheFiles, type RootEntries } from './cache.ts';
import { claudePlugins } from './plugins/claude.ts';
import type { HiddenRoot, PluginFindings } from './plugins/manifest.ts';
import { otherPlugins } from './plugins/others.ts';
import { readFound } from './read.ts';
import { RootCache } from './root-cache.ts';
import { type DiscoveryOptions, type Root, standardRoots } from './roots.ts';
import { type FoundSkill, noteAlias, type WalkContext, walkRoot } from './walk.ts';

/** What one look at the disk found. */
export interface Scan {
  /** In order of rank, then of path. */
  readonly skills: readonly Skill[];
  readonly diagnostics: readonly Diagnostic[];
  readonly roots: readonly RootReport[];
  /** Roots left out on purpose, with the reason. */
  readonly hidden: readonly HiddenRoot[];
  /** Further paths that lead to a folder, by its real path. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** How many SKILL.md files were believed unchanged, and how many were opened. */
  readonly counts: { readonly reused: number; readonly read: number };
}

export interface RootReport extends Root {
  readonly status: 'found' | 'missing' | 'unreadable';
  readonly skills: number;
}

/** Remembers between scans of one process what the cache files hold, so that a refresh reads neither again. */
export type ScanMemory = Map<string, RootEntries>;

/** Told from time to time how far a scan has come. */
export type OnProgress = (counts: { readonly found: number; readonly read: number }) => void;

/** Looks at every root. One scan sees the disk once; what it may reuse it does not read. */
export async function scan(
  options: DiscoveryOptions,
  environment: Environment,
  memory: ScanMemory,
  onProgress?: OnProgress,
): Promise<Scan> {
  const plain = standardRoots(options, environment);
  if (options.skipPlugins) return scanRoots(plain, environment, memory, { hidden: [], diagnostics: [], onProgress });
  const claude = claudePlugins(options, environment);
  const others = await otherPlugins(environment);
  return scanRoots([...plain, ...claude.findings.roots, ...others.roots], environment, memory, {
    hidden: [...claude.findings.hidden, ...others.hidden],
    diagnostics: [...claude.findings.diagnostics, ...others.diagnostics],
    onProgress,
    adopt: claude.adopt,
  });
}

interface Known {
  readonly hidden: readonly HiddenRoot[];
  readonly diagnostics: readonly Diagnostic[];
  readonly onProgress?: OnProgress | undefined;
  /** What becomes of a plugin met among plain skills; where not said, it is passed over. */
  readonly adopt?: (dir: string) => PluginFindings;
}

/** A scan in progress. */
interface Progress {
  /** Grows while it is worked through: plugins may be met among plain skills. */
  readonly roots: Root[];
  readonly skills: Skill[];
  readonly counts: { found: number; reused: number; read: number };
  readonly files: CacheFiles;
  readonly memory: ScanMemory;
  readonly context: WalkContext;
  readonly hidden: HiddenRoot[];
  readonly adopt: Known['adopt'];
}

/** Looks at the given roots only. */
export async function scanRoots(
  given: readonly Root[],
  environment: Environment,
  memory: ScanMemory,
  known: Known = { hidden: [], diagnostics: [] },
): Promise<Scan> {
  const diagnostics = [...known.diagnostics];
  const skills: Skill[] = [];
  const found: FoundSkill[] = [];
  const counts = { found: 0, reused: 0, read: 0 };
  const breath = createBreath(() =>
    known.onProgress?.({ found: counts.found + found.length, read: counts.reused + counts.read }),
  );
  const progress: Progress = {
    roots: [...given],
    skills,
    counts,
    files: new CacheFiles(join(xdgDir(environment, 'CACHE'), 'repertoire', 'scan'), diagnostics),
    memory,
    context: { visited: new Map(), aliases: new Map(), diagnostics, breath, found, plugins: [] },
    hidden: [...known.hidden],
    adopt: known.adopt,
  };
  const reports: RootReport[] = [];
  for (let rank = 0; rank < progress.roots.length; rank++) {
    const root = progress.roots[rank] as Root;
    const before = progress.skills.length;
    const status = await scanRoot(root, rank, progress);
    reports.push({ ...root, status, skills: progress.skills.length - before });
  }
  const { context } = progress;
  return { skills, diagnostics, roots: reports, hidden: progress.hidden, aliases: context.aliases, counts };
}

async function scanRoot(root: Root, rank: number, progress: Progress): Promise<RootReport['status']> {
  const { context, memory, counts, skills } = progress;
  const real = realPathOf(root.path);
  if (!real.ok) return refusal(root, real.reason, context.diagnostics);
  // Searched already, by a stronger root that leads to the same folder: what it learned must not be overwritten.
  if ((context.visited.get(real.value) ?? -1) >= root.depth) {
    noteAlias(real.value, root.path, context);
    return 'found';
  }
  const cache = new RootCache(real.value, progress.files, memory.get(real.value));
  const folders = await walkRoot(root, real.value, cache, context);
  counts.found += folders.length;
  for (const found of folders) {
    const known = cache.entry(found.real, found.realFile);
    counts[known === undefined ? 'read' : 'reused']++;
    const { skill, digest, diagnostics } = known ?? (await readFound(found, cache));
    for (const note of diagnostics) context.diagnostics.push({ ...note, file: found.dir + sep + found.fileName });
    if (skill !== null) skills.push(published(skill, digest, found, root, rank));
    if (context.breath.isDue) await context.breath.take();
  }
  memory.set(real.value, cache.finish());
  addPlugins(context.plugins.splice(0), progress);
  const refused = context.diagnostics.some((one) => one.code === 'root-unreadable' && one.file === root.path);
  return refused ? 'unreadable' : 'found';
}

function refusal(root: Root, reason: string, diagnostics: Diagnostic[]): RootReport['status'] {
  if (isAbsent(reason)) return 'missing';
  const remedy = 'Give yourself permission to read it, or leave it out.';
  diagnostics.push(diagnostic('root-unreadable', root.path, `the folder cannot be opened (${reason})`, remedy));
  return 'unreadable';
}

/** Plugins met among plain skills rank after everything known before. */
function addPlugins(dirs: readonly string[], { roots, hidden, context, adopt }: Progress): void {
  for (const found of adopt === undefined ? [] : dirs.map(adopt)) {
    roots.push(...found.roots);
    hidden.push(...found.hidden);
    context.diagnostics.push(...found.diagnostics);
  }
}

function published(skill: ParsedSkill, digest: string, found: FoundSkill, root: Root, rank: number): Skill {
  const prefix = root.plugin === null ? '' : `${labelOf(root.plugin.replace(/@[^@]*$/, ''), 'plugin')}:`;
  // Some authors write the plugin's name into the skill's; it is not said twice.
  const repeats = skill.name.startsWith(prefix) && skill.name.length > prefix.length;
  const name = repeats ? skill.name.slice(prefix.length) : skill.name;
  return {
    id: found.real,
    name,
    fullName: prefix + name,
    description: skill.description,
    provider: root.provider,
    location: root.location,
    plugin: root.plugin,
    dir: found.dir,
    file: found.dir + sep + found.fileName,
    digest,
    repaired: skill.repaired,
    frontmatter: skill.frontmatter,
    rank,
    named: root.named,
  };
}

import { basename, join, sep } from 'node:path';
import { type Diagnostic, diagnostic } from '../kernel/diagnostics.ts';
import type { Environment } from '../kernel/environment.ts';
import { isAbsent, readRegularFile, realPathOf } from '../kernel/files.ts';
import { sha256 } from '../kernel/hash.ts';
import { xdgDir } from '../kernel/paths.ts';
import { limits } from '../skill/limits.ts';
import { labelOf } from '../skill/name.ts';
import type { ParsedSkill, Skill } from '../skill/types.ts';
import { createBreath } from './breath.ts';
import { type CacheEntry, CacheFiles, type RootEntries } from './cache.ts';
import { signatureOf } from './listing.ts';
import { claudePlugins, skillsDirPlugin } from './plugins/claude.ts';
import { type HiddenRoot, rootsOfPlugin } from './plugins/manifest.ts';
import { otherPlugins } from './plugins/others.ts';
import { RootCache } from './root-cache.ts';
import { type DiscoveryOptions, type Root, standardRoots } from './roots.ts';
import { type FoundSkill, type WalkContext, walkRoot } from './walk.ts';

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
  readonly counts: { readonly reused: number; readonly read: number };
}

export interface RootReport extends Root {
  readonly status: 'found' | 'missing' | 'unreadable';
  readonly skills: number;
}

/** Remembers between scans of one process what the cache files hold, so that a refresh reads neither again. */
export type ScanMemory = Map<string, RootEntries>;

/** Looks at every root. One scan sees the disk once; what it may reuse it does not read. */
export async function scan(options: DiscoveryOptions, environment: Environment, memory: ScanMemory): Promise<Scan> {
  const { roots, hidden, diagnostics } = await allRoots(options, environment);
  return scanRoots(roots, environment, memory, { hidden, diagnostics });
}

interface Known {
  readonly hidden: readonly HiddenRoot[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Looks at the given roots only. */
export async function scanRoots(
  given: readonly Root[],
  environment: Environment,
  memory: ScanMemory,
  known: Known = { hidden: [], diagnostics: [] },
): Promise<Scan> {
  const diagnostics = [...known.diagnostics];
  const files = new CacheFiles(join(xdgDir(environment, 'CACHE'), 'repertoire', 'scan'), diagnostics);
  const roots = [...given];
  const reports: RootReport[] = [];
  const skills: Skill[] = [];
  const counts = { reused: 0, read: 0 };
  const context: WalkContext = {
    visited: new Map(),
    aliases: new Map(),
    diagnostics,
    breath: createBreath(),
    found: [],
    plugins: [],
  };
  for (let rank = 0; rank < roots.length; rank++) {
    const root = roots[rank] as Root;
    const real = realPathOf(root.path);
    if (!real.ok) {
      reports.push({ ...root, status: refusal(root, real.reason, diagnostics), skills: 0 });
      continue;
    }
    const before = skills.length;
    const cache = new RootCache(real.value, files, memory.get(real.value));
    for (const found of await walkRoot(root, real.value, cache, context)) {
      const known = cache.entry(found.real, found.realFile);
      counts[known === undefined ? 'read' : 'reused']++;
      const entry = known ?? (await read(found, cache));
      for (const note of entry.diagnostics) diagnostics.push({ ...note, file: found.dir + sep + found.fileName });
      if (entry.skill !== null) skills.push(published(entry, entry.skill, found, root, rank));
      if (context.breath.isDue) await context.breath.take();
    }
    memory.set(real.value, cache.finish());
    const refused = diagnostics.some((one) => one.code === 'root-unreadable' && one.file === root.path);
    reports.push({ ...root, status: refused ? 'unreadable' : 'found', skills: skills.length - before });
    addPlugins(context.plugins.splice(0), roots, diagnostics);
  }
  return { skills, diagnostics, roots: reports, hidden: known.hidden, aliases: context.aliases, counts };
}

async function allRoots(
  options: DiscoveryOptions,
  environment: Environment,
): Promise<Known & { roots: readonly Root[] }> {
  const plain = standardRoots(options, environment);
  if (options.skipPlugins) return { roots: plain, hidden: [], diagnostics: [] };
  const [claude, others] = [claudePlugins(options, environment), await otherPlugins(environment)];
  return {
    roots: [...plain, ...claude.roots, ...others.roots],
    hidden: [...claude.hidden, ...others.hidden],
    diagnostics: [...claude.diagnostics, ...others.diagnostics],
  };
}

function refusal(root: Root, reason: string, diagnostics: Diagnostic[]): RootReport['status'] {
  if (isAbsent(reason)) return 'missing';
  const remedy = 'Give yourself permission to read it, or leave it out.';
  diagnostics.push(diagnostic('root-unreadable', root.path, `the folder cannot be opened (${reason})`, remedy));
  return 'unreadable';
}

/** Plugins met among plain skills rank after everything known before. */
function addPlugins(dirs: readonly string[], roots: Root[], diagnostics: Diagnostic[]): void {
  for (const dir of dirs) {
    const found = rootsOfPlugin(skillsDirPlugin(dir, basename(dir)));
    roots.push(...found.roots);
    diagnostics.push(...found.diagnostics);
  }
}

function published(entry: CacheEntry, skill: ParsedSkill, found: FoundSkill, root: Root, rank: number): Skill {
  const prefix = root.plugin === null ? '' : `${labelOf(root.plugin.replace(/@[^@]*$/, ''), 'plugin')}:`;
  return {
    id: found.real,
    name: skill.name,
    fullName: skill.name.startsWith(prefix) ? skill.name : prefix + skill.name,
    description: skill.description,
    provider: root.provider,
    location: root.location,
    plugin: root.plugin,
    dir: found.dir,
    file: found.dir + sep + found.fileName,
    digest: entry.digest,
    repaired: skill.repaired,
    frontmatter: skill.frontmatter,
    rank,
    named: root.named,
  };
}

let parseSkill: typeof import('../skill/parse.ts').parseSkill | undefined;

/** Reads and parses one file. The parser is loaded with the first file that needs it: a warm start never does. */
async function read(found: FoundSkill, cache: RootCache): Promise<CacheEntry> {
  const readAt = Date.now();
  const content = readRegularFile(found.realFile, limits.fileBytes);
  if (!content.ok) return unreadable(content.reason);
  const { bytes, stats } = content.value;
  parseSkill ??= (await import('../skill/parse.ts')).parseSkill;
  const { skill, diagnostics } = parseSkill(bytes, '', basename(found.real));
  const entry = { signature: signatureOf(stats), digest: `sha256:${sha256(bytes)}`, skill, diagnostics };
  cache.keepEntry(found.real, entry, stats, readAt);
  return entry;
}

function unreadable(reason: string): CacheEntry {
  const [code, remedy] = reason.startsWith('larger')
    ? (['file-too-large', 'Shorten it, or move parts of it into references/.'] as const)
    : reason === 'not a regular file' || reason === 'ENXIO' || reason === 'ELOOP'
      ? (['file-not-regular', 'Replace it by a plain file.'] as const)
      : (['file-unreadable', 'Give yourself permission to read it.'] as const);
  const message =
    code === 'file-not-regular'
      ? 'SKILL.md is not a regular file; it is not read'
      : `SKILL.md is ${reason.startsWith('larger') ? reason : `not readable (${reason})`}`;
  return { signature: [0, 0, 0, 0], digest: '', skill: null, diagnostics: [diagnostic(code, '', message, remedy)] };
}

import { join, sep } from 'node:path';
import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import { realPathOf, remedyFor } from '../core/disk/files.ts';
import { xdgDir } from '../core/disk/paths.ts';
import type { Environment } from '../core/environment.ts';
import { createSlicer } from '../core/time-slice.ts';
import { labelOf } from '../skill/name.ts';
import type { ParsedSkill, Skill } from '../skill/types.ts';
import { CacheFiles } from './cache.ts';
import { type Reading, readFound } from './read.ts';
import { RootCache } from './root-cache.ts';
import type { Root } from './roots.ts';
import type { RootReport, Scan, ScanContext, ScanMemory } from './scan.ts';
import { type FoundSkill, isWholeMachine, noteAlias, noteWholeMachine, type WalkContext, walkRoot } from './walk.ts';

/** Searches one root after the other and gathers the results. */
export interface RootScanner extends Pick<Scan, 'skills' | 'aliases' | 'counts' | 'folders' | 'lookAgainAt'> {
  scan(root: Root, rank: number): Promise<RootOutcome>;
}

interface RootOutcome {
  readonly status: RootReport['status'];
  /** Folders found that are plugins. */
  readonly plugins: readonly string[];
}

export function createRootScanner(
  environment: Environment,
  memory: ScanMemory,
  diagnostics: Diagnostic[],
  { onProgress, onSkill, names }: ScanContext = {},
): RootScanner {
  const skills: Skill[] = [];
  const counts = { found: 0, reused: 0, read: 0 };
  let lookAgainAt: number | null = null;
  const context: WalkContext = {
    visited: new Map(),
    aliases: new Map(),
    diagnostics,
    slicer: createSlicer(() => {
      const total = counts.found + context.found.length;
      onProgress?.({ what: 'Reading skills', done: counts.reused + counts.read, total });
    }),
    found: [],
    plugins: new Map(),
    names,
  };
  const files = new CacheFiles(join(xdgDir(environment, 'CACHE'), 'repertoire', 'scan'), diagnostics);

  async function scan(root: Root, rank: number): Promise<RootOutcome> {
    const real = realPathOf(root.path);
    if (!real.ok || isRefused(root, real.value)) {
      if (real.ok) noteWholeMachine(root.path, context);
      else refuse(root, real.reason, diagnostics);
      return { status: 'unreadable', plugins: [] };
    }
    return scanFolder(root, rank, real.value);
  }

  async function scanFolder(root: Root, rank: number, real: string): Promise<RootOutcome> {
    const before = context.visited.get(real);
    if (before !== undefined && before >= root.depth) {
      noteAlias(real, root.path, context);
      return { status: 'found', plugins: [] };
    }
    const known = new Set(context.plugins.values());
    const cache = await new RootCache(real, files, memory.get(real)).open(context.slicer);
    const folders = await walkRoot(root, real, cache, context);
    counts.found += folders.length;
    for (const found of folders) {
      await take(found, cache, root, rank);
      if (context.slicer.isDue) await context.slicer.pause();
    }
    // A second, deeper search of a folder finds only new skills: the results of the first one stay.
    memory.set(real, await cache.finish(before === undefined ? 'whole' : 'added', context.slicer));
    const refused = diagnostics.some((one) => one.code === 'root-unreadable' && one.file === root.path);
    const plugins = [...context.plugins.values()].filter((dir) => !known.has(dir));
    return { status: refused ? 'unreadable' : 'found', plugins };
  }

  async function take(found: FoundSkill, cache: RootCache, root: Root, rank: number): Promise<void> {
    const known = cache.entry(found.real, found.realFile);
    counts[known === undefined ? 'read' : 'reused']++;
    const reading: Reading = known ?? (await readFound(found, cache));
    const { digest } = reading;
    const { skill, diagnostics: notes } = named(reading, found);
    if (reading.lookAgainAt !== undefined) lookAgainAt = Math.max(lookAgainAt ?? 0, reading.lookAgainAt);
    for (const note of notes) diagnostics.push({ ...note, file: found.dir + sep + found.fileName });
    if (skill === null) return;
    const one = published(skill, digest, found, root, rank);
    skills.push(one);
    onSkill?.(one, context.visited);
  }

  /** The content of a file, with the name that the project's manifest gives where the file itself gives none. */
  function named(reading: Reading, { real }: FoundSkill): Pick<Reading, 'skill' | 'diagnostics'> {
    const given = reading.skill === null ? names?.get(real) : undefined;
    const isBare = reading.diagnostics.every(({ code }) => code === 'frontmatter-missing');
    if (given === undefined || !isBare) return reading;
    const { document: _document, ...front } = given;
    return { skill: { ...front, frontmatter: front, repaired: false }, diagnostics: [] };
  }

  return {
    skills,
    aliases: context.aliases,
    counts,
    folders: context.visited,
    get lookAgainAt() {
      return lookAgainAt;
    },
    scan,
  };
}

/** Tells whether a root is refused: a link in its place leads no further than any other. */
function isRefused(root: Root, real: string): boolean {
  return !root.named && real !== root.path && isWholeMachine(real);
}

function refuse(root: Root, reason: string, diagnostics: Diagnostic[]): void {
  const remedy = remedyFor(reason, 'Give yourself permission to read it, or leave it out.');
  diagnostics.push(diagnostic('root-unreadable', root.path, `the folder cannot be opened (${reason})`, remedy));
}

function published(skill: ParsedSkill, digest: string, found: FoundSkill, root: Root, rank: number): Skill {
  const pluginName = root.plugin === null ? null : labelOf(root.plugin.name, 'plugin');
  const prefix = pluginName === null ? '' : `${pluginName}:`;
  // Some authors write the plugin's name into the skill's; it is not repeated.
  const repeats = skill.name.startsWith(prefix) && skill.name.length > prefix.length;
  const name = repeats ? skill.name.slice(prefix.length) : skill.name;
  return {
    id: found.real,
    name,
    fullName: prefix + name,
    description: skill.description,
    provider: root.provider,
    location: root.location,
    plugin: root.plugin === null ? null : labelOf(root.plugin.key, 'plugin'),
    dir: found.dir,
    file: found.dir + sep + found.fileName,
    digest,
    repaired: skill.repaired,
    frontmatter: skill.frontmatter,
    rank,
    named: root.named,
    pluginName,
    looksLike: null,
  };
}

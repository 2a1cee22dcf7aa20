import { basename, dirname, join } from 'node:path';
import { createBreath } from '../../discovery/breath.ts';
import { CacheFiles } from '../../discovery/cache.ts';
import { RootCache } from '../../discovery/root-cache.ts';
import { anyDepth, type Root } from '../../discovery/roots.ts';
import { type WalkContext, walkRoot } from '../../discovery/walk.ts';
import { type Diagnostic, type DiagnosticCode, diagnostic } from '../../kernel/diagnostics.ts';
import type { Environment } from '../../kernel/environment.ts';
import { SkillError } from '../../kernel/errors.ts';
import { isAbsent, realPathOf, statOf } from '../../kernel/files.ts';
import { expandPath, isInside } from '../../kernel/paths.ts';
import type { Engine } from '../engine.ts';

/** The files to check, and what the search for them found to say. */
export interface Targets {
  /** Each SKILL.md once, as it was reached. */
  readonly files: readonly string[];
  /** About places that could not be searched and links that are not followed. */
  readonly notes: readonly Diagnostic[];
}

/** What a search notes about places. All else that is noted is about files, which are judged anew. */
const aboutPlaces: ReadonlySet<DiagnosticCode> = new Set([
  'root-unreadable',
  'folder-unreadable',
  'link-outside',
  'link-dangling',
  'walk-limit',
]);

/** Every SKILL.md at or below the given paths; without any, all that the registry sees or had to skip. */
export async function targetsFor(paths: readonly string[], engine: Engine): Promise<Targets> {
  if (paths.length > 0) return search(paths.map((path) => namedPath(path, engine.environment)));
  const { skills, diagnostics } = await engine.registry.snapshot();
  const skipped = diagnostics.filter((one) => one.severity === 'error' && isSkillFile(one.file));
  return {
    files: onceEach([...skills, ...skipped].map((one) => one.file)),
    notes: diagnostics.filter((one) => aboutPlaces.has(one.code)),
  };
}

function isSkillFile(path: string): boolean {
  return basename(path).toLowerCase() === 'skill.md';
}

/** A folder to search, and the file in it that was named, if one was. */
interface NamedPath {
  readonly root: Root;
  readonly file: string | null;
}

function namedPath(given: string, environment: Environment): NamedPath {
  const path = expandPath(given, environment);
  const stats = statOf(path);
  if (!stats.ok && isAbsent(stats.reason)) {
    throw new SkillError('usage', `there is no file or folder '${given}'`);
  }
  if (!stats.ok || stats.value.isDirectory()) return { root: rootAt(path, anyDepth), file: null };
  if (isSkillFile(path)) return { root: rootAt(dirname(path), 0), file: path };
  throw new SkillError('usage', `'${given}' is neither a SKILL.md nor a folder`);
}

function rootAt(path: string, depth: number): Root {
  const kind = { provider: 'file', location: 'project', plugin: null } as const;
  return { ...kind, path, depth, named: true, holdsPlugins: false, container: null };
}

async function search(named: readonly NamedPath[]): Promise<Targets> {
  const notes: Diagnostic[] = [];
  const context: WalkContext = {
    visited: new Map(),
    aliases: new Map(),
    diagnostics: notes,
    breath: createBreath(),
    found: [],
    plugins: [],
  };
  const files: string[] = [];
  for (const { root, file } of named) {
    const before = files.length;
    const real = realPathOf(root.path);
    // Nothing is remembered from before or for later: a check sees the disk as it is.
    const cache = new RootCache(root.path, new CacheFiles('', notes), new Map());
    const found = real.ok ? await walkRoot(root, real.value, cache, context) : [];
    files.push(...found.map((one) => join(one.dir, one.fileName)));
    // The walk takes one file from each folder; who names another one means that one.
    if (file !== null && !notes.some((one) => one.file === file)) files.splice(before, files.length, file);
    if (file === null && files.length === before && !isSeen(root.path, context)) notes.push(nothingIn(root.path));
  }
  return { files: onceEach(files), notes: notes.filter((one) => one.severity !== 'info') };
}

/** Whether another path has led here, or to a folder below, already. */
function isSeen(path: string, { aliases }: WalkContext): boolean {
  return [...aliases.values()].flat().some((alias) => isInside(path, alias));
}

function nothingIn(path: string): Diagnostic {
  const message = 'there is no SKILL.md in this folder or below it';
  return diagnostic('skill-missing', path, message, 'Name a skill, or a folder that holds some.');
}

/** Two paths may lead to one file; the first one stands for it. */
function onceEach(files: readonly string[]): string[] {
  const byPlace = new Map<string, string>();
  for (const file of files) {
    const folder = realPathOf(dirname(file));
    const place = join(folder.ok ? folder.value : dirname(file), basename(file));
    if (!byPlace.has(place)) byPlace.set(place, file);
  }
  return [...byPlace.values()];
}

import { basename, dirname, join } from 'node:path';
import { CacheFiles } from '../../discovery/cache.ts';
import { RootCache } from '../../discovery/root-cache.ts';
import { anyDepth, type Root } from '../../discovery/roots.ts';
import { type WalkContext, walkRoot } from '../../discovery/walk.ts';
import { type Diagnostic, type DiagnosticCode, diagnostic } from '../../kernel/diagnostics.ts';
import type { Environment } from '../../kernel/environment.ts';
import { SkillError } from '../../kernel/errors.ts';
import { isAbsent, realPathOf, statOf } from '../../kernel/files.ts';
import { expandPath } from '../../kernel/paths.ts';
import type { OnProgress } from '../../kernel/progress.ts';
import { createSlicer } from '../../kernel/time-slice.ts';
import type { Engine, Request } from '../engine.ts';

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
export async function targetsFor(paths: readonly string[], engine: Engine, request: Request): Promise<Targets> {
  if (paths.length > 0) {
    const named = paths.map((path) => namedPath(path, engine.environment));
    return search(named, request.onProgress);
  }
  const { skills, diagnostics } = await engine.registry.snapshot();
  const skipped = diagnostics.filter((one) => one.severity === 'error' && isSkillFile(one.file));
  return {
    files: onceEach([...skills, ...skipped].map((one) => one.file)),
    notes: withRefusals(diagnostics.filter((one) => aboutPlaces.has(one.code))),
  };
}

/** A SKILL.md that is a link which must not be followed leaves its folder without one: a fault, not a remark. */
function withRefusals(notes: readonly Diagnostic[]): Diagnostic[] {
  return notes.flatMap((one) => (isRefusal(one) ? [one, missing(one.file, 'the skill cannot be read')] : [one]));
}

function isRefusal({ code, file }: Diagnostic): boolean {
  return (code === 'link-outside' || code === 'link-dangling') && isSkillFile(file);
}

function missing(path: string, message: string): Diagnostic {
  return diagnostic('skill-missing', path, message, 'Put a SKILL.md there, or name a folder that contains one.');
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
  if (given.trim() === '') throw new SkillError('usage', 'a path is empty');
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

async function search(named: readonly NamedPath[], onProgress?: OnProgress): Promise<Targets> {
  const files: string[] = [];
  const notes = new Map<string, Diagnostic>();
  for (const one of named) {
    const found = await searchOne(one, (more) =>
      onProgress?.({ what: 'Looking for skills', done: files.length + more }),
    );
    for (const note of found.notes) notes.set(`${note.code} ${note.file}`, note);
    files.push(...found.files);
  }
  return { files: onceEach(files), notes: withRefusals([...notes.values()]) };
}

async function searchOne({ root, file }: NamedPath, tell: (found: number) => void): Promise<Targets> {
  const notes: Diagnostic[] = [];
  const real = realPathOf(root.path);
  if (!real.ok) notes.push(unreadable(root.path, real.reason));
  const found = real.ok ? await walk(root, real.value, notes, tell) : [];
  const files = file === null ? found : theNamed(file, found, notes);
  const told = notes.filter((one) => one.severity !== 'info');
  if (files.length > 0 || told.some(isRefusal)) return { files, notes: told };
  return { files, notes: [...told, missing(root.path, 'there is no SKILL.md in this folder or below it')] };
}

async function walk(
  root: Root,
  real: string,
  diagnostics: Diagnostic[],
  tell: (found: number) => void,
): Promise<string[]> {
  const context: WalkContext = {
    visited: new Map(),
    aliases: new Map(),
    diagnostics,
    slicer: createSlicer(() => tell(context.found.length)),
    found: [],
    plugins: new Map(),
  };
  // Nothing is remembered from before or for later: a check sees the disk as it is.
  const cache = new RootCache(real, new CacheFiles('', diagnostics), new Map());
  const found = await walkRoot(root, real, cache, context);
  return found.map((one) => join(one.dir, one.fileName));
}

function unreadable(path: string, reason: string): Diagnostic {
  return diagnostic('root-unreadable', path, `it cannot be opened (${reason})`, 'Give yourself permission to read it.');
}

/** The walk takes one file from each folder, by the name it has on disk; who names another one means that one. */
function theNamed(file: string, reached: readonly string[], notes: readonly Diagnostic[]): readonly string[] {
  const [real, one] = [realPathOf(file), realPathOf(reached[0] ?? '')];
  if (real.ok && one.ok && real.value === one.value) return reached;
  return notes.some((note) => note.file === file) ? [] : [file];
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

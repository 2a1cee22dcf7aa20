import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Diagnostic, type DiagnosticCode, diagnostic } from '../../../core/diagnostics.ts';
import { isAbsent, isThere, readRegularFile, realPathOf, statOf } from '../../../core/disk/files.ts';
import { expandPath, isInside } from '../../../core/disk/paths.ts';
import { replaceFile } from '../../../core/disk/replace.ts';
import type { Environment } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import type { OnProgress } from '../../../core/progress.ts';
import { flag, list, text } from '../../../core/schema/schema.ts';
import { createSlicer } from '../../../core/time-slice.ts';
import { CacheFiles } from '../../../discovery/cache.ts';
import { unreadableSkill } from '../../../discovery/read.ts';
import { RootCache } from '../../../discovery/root-cache.ts';
import { anyDepth, type Root } from '../../../discovery/roots.ts';
import { type WalkContext, walkRoot } from '../../../discovery/walk.ts';
import { filesOf } from '../../../skill/files.ts';
import { fixSkill } from '../../../skill/fix.ts';
import { isTextual, typeOf } from '../../../skill/mime.ts';
import { hiddenIn } from '../../../skill/parse.ts';
import { checkSkill, placeIn } from '../../../skill/rules/check.ts';
import { limits } from '../../../skill/types.ts';
import { isSkillFile } from '../../browsing/chosen.ts';
import type { Engine, Request } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';

/** Changes made to one file. */
interface FixedFile {
  readonly file: string;
  readonly changes: readonly string[];
}

export interface ValidateOutput {
  /** Number of SKILL.md files that were checked. */
  readonly files: number;
  /** Diagnostics, after fixing if that was asked for. */
  readonly findings: readonly Diagnostic[];
  readonly fixed: readonly FixedFile[];
  readonly summary: { readonly errors: number; readonly warnings: number };
}

export const validate = defineOperation({
  name: 'validate',
  effect: 'acts',
  input: {
    paths: list(
      text(),
      'A SKILL.md, a skill, or a folder with skills below it. Every known skill when none is given.',
      { default: [] },
    ),
    fix: flag('Fix what can be fixed without changing what a skill says. Needs a PATH.', { default: false }),
  },
  async run(engine, { paths, fix }, request): Promise<ValidateOutput> {
    if (fix && paths.length === 0) {
      // Without a path every skill of the machine is meant, third parties' plugins too: too much to write to unasked.
      throw new SkillError('usage', 'missing path: repertoire validate --fix PATH');
    }
    const { files, notes } = await targetsFor(paths, engine, request);
    let done = 0;
    const slicer = createSlicer(() => request.onProgress?.({ what: 'Checking skills', done, total: files.length }));
    const findings = [...notes];
    const fixed: FixedFile[] = [];
    for (const file of files) {
      const read = readTarget(file);
      const target = fix && !isDiagnostic(read) ? mend(read) : read;
      if (isDiagnostic(target)) {
        findings.push(target);
      } else {
        findings.push(
          ...target.notes,
          ...checkSkill(target.bytes, placeIn(target.file, target.folder)),
          ...hiddenInFiles(target),
          ...(await manifestProblems(target, engine)),
        );
        if (target.changes.length > 0) fixed.push({ file, changes: target.changes });
      }
      done++;
      if (slicer.isDue) await slicer.pause();
    }
    const [errors, warnings] = (['error', 'warning'] as const).map(
      (severity) => findings.filter((one) => one.severity === severity).length,
    ) as [number, number];
    return { files: files.length, findings, fixed, summary: { errors, warnings } };
  },
});

/** Bytes up to which a file is read: larger ones are data, which nobody reads as text. */
const readLimit = 1024 * 1024;

/** Diagnoses hidden characters in texts beside SKILL.md: models receive them too. */
function hiddenInFiles({ file, folder }: Target): Diagnostic[] {
  return filesOf(folder, basename(file)).files.flatMap(({ path, bytes: size }) => {
    const read = size > readLimit ? null : readRegularFile(join(folder, path), readLimit);
    if (!read?.ok || !isTextual(typeOf(path, read.value.bytes))) return [];
    return hiddenIn(read.value.bytes, join(dirname(file), path)) ?? [];
  });
}

/** Diagnoses the manifest of the skill's tools, if there is one. */
async function manifestProblems({ file, folder }: Target, { environment }: Engine): Promise<readonly Diagnostic[]> {
  const { manifestNames } = await import('../../../run/tools/manifest/manifest.ts');
  const manifests = manifestNames.map((name) => join(folder, name)).filter(isThere);
  if (manifests.length === 0) return [];
  const { toolboxOf } = await import('../../../run/tools/toolbox.ts');
  const name = basename(folder);
  const { problems } = await toolboxOf({ id: folder, name, fullName: name, file }, environment);
  return problems.filter((one) => manifests.includes(one.file));
}

interface Target {
  readonly file: string;
  /** Real path of the skill's folder; `realFile` is that of the file itself. */
  readonly folder: string;
  readonly realFile: string;
  readonly bytes: Buffer;
  readonly stats: Stats;
  readonly changes: readonly string[];
  readonly notes: readonly Diagnostic[];
}

function isDiagnostic(value: Target | Diagnostic): value is Diagnostic {
  return 'code' in value;
}

function readTarget(file: string): Target | Diagnostic {
  const [folder, realFile] = [realPathOf(dirname(file)), realPathOf(file)];
  if (folder.ok && realFile.ok && !isInside(folder.value, realFile.value)) {
    const message = 'SKILL.md is a link to a file outside its folder; it is not read';
    return diagnostic('file-not-regular', file, message, "Copy the file into the skill's folder.");
  }
  const content = realFile.ok ? readRegularFile(realFile.value, limits.fileBytes) : realFile;
  if (!folder.ok || !realFile.ok || !content.ok) {
    return unreadableSkill(file, content.ok ? 'ENOENT' : content.reason);
  }
  return { file, folder: folder.value, realFile: realFile.value, ...content.value, changes: [], notes: [] };
}

/** Fixes the faults of a target on disk; returns it as it was when there are none, or when it cannot be written. */
function mend(target: Target): Target {
  const { file, folder, realFile, bytes, stats } = target;
  if (!isUtf8(bytes)) return target; // Text that is not UTF-8 would not come back as it was.
  const { text, fixed } = fixSkill(bytes.toString('utf8'));
  if (fixed.length === 0) return target;
  const isLink = realFile !== resolve(folder, basename(file));
  const refusal = isLink ? 'it is a link' : replaceFile(realFile, text, stats);
  if (refusal !== null) {
    const remedy = 'Fix it by hand, or make the file and its folder writable.';
    return { ...target, notes: [diagnostic('file-unwritable', file, `it is not fixed: ${refusal}`, remedy)] };
  }
  return { ...target, bytes: Buffer.from(text), changes: fixed.map(({ line, message }) => `line ${line}: ${message}`) };
}

/** The files to check, and diagnostics from the search for them. */
interface Targets {
  /** Paths of the SKILL.md files, each once, as it was reached. */
  readonly files: readonly string[];
  /** Diagnostics about places that could not be searched and links that are not followed. */
  readonly notes: readonly Diagnostic[];
}

/** Codes of diagnostics about places. All others are about files, which are checked anew. */
const aboutPlaces: ReadonlySet<DiagnosticCode> = new Set([
  'root-unreadable',
  'folder-unreadable',
  'link-outside',
  'link-dangling',
  'walk-limit',
]);

/** Finds every SKILL.md at or below the given paths; without any, all that the registry sees or had to skip. */
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

/**
 * Adds an error for each SKILL.md that is a link which must not be followed: its folder is left without one, which is a
 * fault, not a remark.
 */
function withRefusals(notes: readonly Diagnostic[]): Diagnostic[] {
  return notes.flatMap((one) => (isRefusal(one) ? [one, missing(one.file, 'the skill cannot be read')] : [one]));
}

function isRefusal({ code, file }: Diagnostic): boolean {
  return (code === 'link-outside' || code === 'link-dangling') && isSkillFile(file);
}

function missing(path: string, message: string): Diagnostic {
  return diagnostic('skill-missing', path, message, 'Put a SKILL.md there, or name a folder that contains one.');
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
  const reported = notes.filter((one) => one.severity !== 'info');
  if (files.length > 0 || reported.some(isRefusal)) return { files, notes: reported };
  return { files, notes: [...reported, missing(root.path, 'there is no SKILL.md in this folder or below it')] };
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
  // Nothing is cached from before or for later: a check sees the disk as it is.
  const cache = new RootCache(real, new CacheFiles('', diagnostics), new Map());
  const found = await walkRoot(root, real, cache, context);
  return found.map((one) => join(one.dir, one.fileName));
}

function unreadable(path: string, reason: string): Diagnostic {
  return diagnostic('root-unreadable', path, `it cannot be opened (${reason})`, 'Give yourself permission to read it.');
}

/**
 * The file that was named. The walk takes one file from each folder, by the name it has on disk; a caller that names
 * another one means that one.
 */
function theNamed(file: string, reached: readonly string[], notes: readonly Diagnostic[]): readonly string[] {
  const [real, one] = [realPathOf(file), realPathOf(reached[0] ?? '')];
  if (real.ok && one.ok && real.value === one.value) return reached;
  return notes.some((note) => note.file === file) ? [] : [file];
}

/** Removes duplicates: of several paths to one file, the first stands for it. */
function onceEach(files: readonly string[]): string[] {
  const byPlace = new Map<string, string>();
  for (const file of files) {
    const folder = realPathOf(dirname(file));
    const place = join(folder.ok ? folder.value : dirname(file), basename(file));
    if (!byPlace.has(place)) byPlace.set(place, file);
  }
  return [...byPlace.values()];
}

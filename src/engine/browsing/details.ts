import { basename, relative, sep } from 'node:path';
import { type Diagnostic, diagnostic } from '../../core/diagnostics.ts';
import { statOf } from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { reasonOf } from '../../core/errors.ts';
import { count, type Infer, nullable, object, text } from '../../core/schema/schema.ts';
import { createSlicer, type Slicer } from '../../core/time-slice.ts';
import { namesakesOf, skillsNamed } from '../../registry/names.ts';
import { distinctName } from '../../registry/resolve.ts';
import { reasonFor, type Snapshot } from '../../registry/snapshot.ts';
import { noCapabilities } from '../../run/policy/capabilities.ts';
import { digestEntry } from '../../run/policy/digest.ts';
import type { FileDigests } from '../../run/policy/types.ts';
import type { Toolbox } from '../../run/tools/types.ts';
import { bodyOf, endsUnclosed, hasBothFields, splitFences } from '../../skill/fences.ts';
import { filesOf, type SkillFile } from '../../skill/files.ts';
import { wholeCharacters } from '../../skill/mime.ts';
import type { Skill } from '../../skill/types.ts';
import { clientLimitsOf } from '../client-limits.ts';
import { fileTypeOf, locate } from '../loading/contained.ts';
import { readSkillFile } from '../loading/load.ts';
import { type Contender, contender } from '../operations/skills/why.ts';
import { toolboxFor } from '../toolbox.ts';

interface Body {
  /** SKILL.md without its front matter. */
  readonly body: string;
  readonly truncated: boolean;
  /** Diagnostics that explain why there is no text. */
  readonly problems: readonly Diagnostic[];
}

const mostBodyBytes = 1024 * 1024;

/** Reads the text of a skill as it is on disk now. */
export function readBody(skill: Skill): Body {
  try {
    return { ...shortened(textOf(readSkillFile(skill).toString('utf8'))), problems: [] };
  } catch (error) {
    const remedy = 'Check that it still exists and that you may read it.';
    return {
      body: '',
      truncated: false,
      problems: [diagnostic('file-unreadable', skill.file, reasonOf(error), remedy)],
    };
  }
}

/** The text below the front matter. Front matter that is never closed ends where the scan took it to end. */
function textOf(text: string): string {
  const split = splitFences(text);
  if (split.kind !== 'unclosed') return bodyOf(text);
  const lines = split.yaml.split('\n');
  const end = lines.findIndex(endsUnclosed);
  const isFrontMatter = end !== -1 && hasBothFields(lines.slice(0, end).join('\n'));
  return isFrontMatter ? lines.slice(end).join('\n') : text;
}

function shortened(text: string): Omit<Body, 'problems'> {
  const bytes = Buffer.from(text);
  if (bytes.length <= mostBodyBytes) return { body: text, truncated: false };
  return { body: bytes.toString('utf8', 0, wholeCharacters(bytes, mostBodyBytes)), truncated: true };
}

export const fileSchema = object({
  path: text("From the skill's folder."),
  bytes: count(),
  // `sha256:…`
  digest: nullable(text(), 'Null where it could not be read.'),
  mimeType: text(),
});
export type InspectFile = Infer<typeof fileSchema>;

interface Files {
  readonly files: readonly InspectFile[];
  readonly refused: readonly string[];
}

/** Bytes that are read for the digests of single files where all files together are too much to digest. */
const mostBytes = 16 * 1024 * 1024;

/** Lists the files of a skill, given the digests of all files in its folder; null if these could not be computed. */
export async function inspectFiles(skill: Skill, digests: FileDigests | null): Promise<Files> {
  const own = basename(skill.file);
  const { files, refused } = filesOf(skill.id, own);
  const digestOf = digests === null ? readingDigests() : async (path: string) => known(digests, path);
  const found: InspectFile[] = [];
  for (const { path, bytes } of [{ path: 'SKILL.md', bytes: sizeOf(skill) }, ...withoutSecond(files)]) {
    const place = locate(skill, path);
    // The target of a link is what is read; a digest of the link itself would be useless.
    const digest = place.ok ? await digestOf(relative(skill.id, place.real).replaceAll(sep, '/'), place.real) : null;
    found.push({ path, bytes, digest, mimeType: fileTypeOf(skill, path) });
  }
  return { files: found, refused };
}

/**
 * Leaves out a second SKILL.md: where the skill's own is spelled in other letter case, another file may have that name,
 * and only one of them can be asked for.
 */
function withoutSecond(files: readonly SkillFile[]): readonly SkillFile[] {
  return files.filter(({ path }) => path !== 'SKILL.md');
}

function sizeOf({ file }: Skill): number {
  const stats = statOf(file);
  return stats.ok ? stats.value.size : 0;
}

/** The digest of a file's bytes, without the word that tells whether it is executable. */
function known(digests: FileDigests, path: string): string | null {
  const digest = Object.hasOwn(digests, path) ? (digests[path] as string) : '';
  return bytesOnly(digest);
}

function bytesOnly(digest: string): string | null {
  return digest.startsWith('sha256:') ? (digest.split(' ')[0] as string) : null;
}

/** Digests files one by one, as long as they can be read and are not too much. */
function readingDigests(): (path: string, real: string) => Promise<string | null> {
  const slicer: Slicer = createSlicer();
  let left = mostBytes;
  return async (_path, real) => {
    try {
      const { digest, bytes } = await digestEntry(real, left, slicer);
      if (digest !== '') left -= bytes;
      return bytesOnly(digest);
    } catch {
      return null;
    }
  };
}

/** All diagnostics about a skill: from the scan, from comparing names, about its tools, and about other clients. */
export function noticedAbout(skill: Skill, snapshot: Snapshot, more: readonly Diagnostic[]): Diagnostic[] {
  // Skills can lie inside others: diagnostics about those are not about this one.
  const inner = snapshot.skills
    .filter((other) => other !== skill && isInside(skill.dir, other.dir))
    .map(({ dir }) => dir);
  const isAbout = ({ file }: Diagnostic): boolean =>
    isInside(skill.dir, file) && !inner.some((dir) => isInside(dir, file));
  const all = [...snapshot.diagnostics.filter(isAbout), ...more, ...clientLimitsOf(skill)];
  const distinct = new Map(all.map((one) => [[one.code, one.file, one.line, one.message].join('\0'), one]));
  return [...distinct.values()];
}

/** The other skills of the same name, each with its relation to this one. */
export function othersOf(skill: Skill, snapshot: Snapshot): Contender[] {
  const named = skillsNamed(snapshot, 'full', skill.fullName)?.skills ?? [];
  const others = [...named.filter((other) => other !== skill), ...namesakesOf(snapshot, skill)];
  return others.map((other) => contender(other, relationOf(other, skill, snapshot)));
}

function relationOf(other: Skill, skill: Skill, snapshot: Snapshot): string {
  const above = snapshot.shadowedBy(other);
  if (snapshot.shadowedBy(skill) === other) return `it hides this one: ${reasonFor(other, skill)}`;
  if (above === skill) return `this one hides it: ${reasonFor(skill, other)}`;
  if (above !== undefined) return `${above.file} hides it: ${reasonFor(above, other)}`;
  return `ask for ${distinctName(snapshot, other)}`;
}

const none = {
  runtime: 'none',
  source: 'none',
  file: null,
  version: null,
  tools: [],
  capabilities: noCapabilities,
  limits: {},
  instances: {},
  env: {},
  outside: {},
} as const satisfies Omit<Toolbox, 'problems'>;

/** Reads the tools of a skill; where that fails, there are none, with a diagnostic that says why. */
export async function ownToolbox(environment: Environment, skill: Skill): Promise<Toolbox> {
  const read = await attempted(() => toolboxFor(environment, skill));
  if (read.ok) return read.value;
  const message = `its tools cannot be read (${read.reason})`;
  const remedy = 'Check that its files exist and that you may read them.';
  return { ...none, problems: [diagnostic('manifest-invalid', skill.file, message, remedy)] };
}

/** The outcome of an attempt: its value, or the reason why there is none. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** Attempts one part of a whole whose other parts are reported whatever comes of it. */
export async function attempted<T>(action: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await action() };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

import { dirname, join, resolve } from 'node:path';
import { sharedProvider } from '../agents/places.ts';
import { type Diagnostic, type DiagnosticCode, diagnostic } from '../core/diagnostics.ts';
import { isThere, realPathOrSelf } from '../core/disk/files.ts';
import { expandPath, isInside } from '../core/disk/paths.ts';
import { addCommand } from '../core/disk/project.ts';
import type { Environment } from '../core/environment.ts';
import { isObject, readToml } from '../core/formats/documents.ts';
import { lineOfKey } from '../core/formats/toml-lines.ts';
import { oneLine } from '../core/text/text.ts';
import { labelOf } from '../skill/name.ts';
import type { Root } from './roots.ts';

interface Given {
  readonly name: string;
  readonly description: string;
  /** The file that stands for a SKILL.md, if there is one. */
  readonly document: string | null;
}

/** Names and descriptions by the real folders of skills. */
export type GivenNames = ReadonlyMap<string, Given>;

/** The skills that a project's manifest names by their folders. */
export interface ProjectSkills {
  readonly roots: readonly Root[];
  readonly names: GivenNames;
  readonly diagnostics: readonly Diagnostic[];
  /** Names of entries that have an image and no folder, with the diagnostic for those that no skill answers to. */
  readonly images: ReadonlyMap<string, Diagnostic>;
}

const local = /^(?:\.{0,2}\/|~\/|\.{1,2}$)/;
const most = 500;
const ownManifest = 'manifest.toml';

/** The finding on one entry: a skill in a folder, or why there is none. */
interface Entry {
  readonly root?: Root;
  readonly real?: string;
  readonly given?: Given;
  readonly problem?: Diagnostic;
  readonly image?: readonly [name: string, Diagnostic];
}

/**
 * Finds the skills that `.skill-engine.toml` names: those with a folder as their source are searched there, and need no
 * front matter. Folders outside the project are left to its user to name. Never throws for the text.
 */
export async function skillsNamedIn(file: string, environment: Environment): Promise<ProjectSkills> {
  const read = await readToml(file).catch(() => null);
  // Problems of the file are reported with the tools.
  const skills = read?.kind === 'value' && isObject(read.value) ? read.value['skills'] : undefined;
  const text = read?.kind === 'value' ? read.text : '';
  const found = entriesIn(skills)
    .slice(0, most)
    .map(([key, entry]) => entryAt(key, entry, { file, text, environment }));
  return {
    roots: found.flatMap(({ root }) => root ?? []),
    names: new Map(found.flatMap(({ real, given }) => (real && given ? [[real, given] as const] : []))),
    diagnostics: found.flatMap(({ problem }) => problem ?? []),
    images: new Map(found.flatMap(({ image }) => (image ? [image] : []))),
  };
}

interface ManifestText {
  readonly file: string;
  readonly text: string;
  readonly environment: Environment;
}

function entryAt(key: string, entry: Readonly<Record<string, unknown>>, manifest: ManifestText): Entry {
  const { source, description, enabled, docker } = entry;
  const { file, text, environment } = manifest;
  if (enabled === false) return {};
  const line = lineOfKey(text, ['skills', key]);
  const note = (code: DiagnosticCode, message: string, remedy: string): Diagnostic =>
    diagnostic(
      code,
      file,
      `the skill "${oneLine(key)}" ${message}`,
      remedy,
      line === null ? undefined : { line, column: 1 },
    );
  if (typeof source !== 'string' || /^docker:/.test(source)) {
    if (typeof source !== 'string' && !(isObject(docker) && typeof docker['image'] === 'string')) return {};
    const remedy = `Write skills/${labelOf(key, 'skill')}/SKILL.md with its name and what it is for; it runs the image of this entry.`;
    return { image: [key, note('image-alone', 'has an image and no folder, and so nothing to be found by', remedy)] };
  }
  if (!local.test(source)) {
    const message = `comes from ${oneLine(source)}, and is not fetched by itself`;
    return { problem: note('source-remote', message, `Type ${addCommand(source)}.`) };
  }
  const named = source.startsWith('~') ? expandPath(source, environment) : resolve(dirname(file), source);
  const path = named.endsWith('.wasm') ? dirname(named) : named;
  const real = realPathOrSelf(path);
  if (!isInside(realPathOrSelf(dirname(file)), real)) {
    const remedy = 'Name its folder with --skill-dir, or copy it into the project.';
    return { problem: note('link-outside', 'lies outside of the project; it is not read', remedy) };
  }
  const hasText = typeof description === 'string' && description.trim() !== '';
  // The entry has said all that front matter says; what is left to load is the skill's own manifest.
  const document = isThere(join(real, ownManifest)) ? ownManifest : null;
  const given = { name: labelOf(key, 'skill'), description: hasText ? description : key, document };
  return { root: { ...rootAt(path), asked: `source ${oneLine(source)}` }, real, given };
}

function rootAt(path: string): Root {
  return {
    path,
    provider: sharedProvider,
    location: 'project',
    plugin: null,
    depth: 0,
    named: false,
    holdsPlugins: false,
    container: null,
  };
}

/** The entries of a manifest: `[skills.NAME]`, or `[[skills]]` with a name in each. */
function entriesIn(skills: unknown): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  const named = Array.isArray(skills)
    ? skills.map((entry) => [isObject(entry) ? entry['name'] : undefined, entry] as const)
    : isObject(skills)
      ? Object.entries(skills)
      : [];
  return named.flatMap(([key, entry]) => (typeof key === 'string' && isObject(entry) ? [[key, entry] as const] : []));
}

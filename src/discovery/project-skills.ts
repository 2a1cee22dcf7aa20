import { dirname, resolve } from 'node:path';
import { sharedProvider } from '../agents/places.ts';
import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import { isObject, readToml } from '../core/documents.ts';
import type { Environment } from '../core/environment.ts';
import { realPathOrSelf } from '../core/files.ts';
import { expandPath, isInside } from '../core/paths.ts';
import { addCommand } from '../core/project.ts';
import { oneLine } from '../core/text.ts';
import { lineOfKey } from '../core/toml-lines.ts';
import { labelOf } from '../skill/name.ts';
import type { Root } from './roots.ts';

/** Names and descriptions by the real folders of skills. */
export type GivenNames = ReadonlyMap<string, { readonly name: string; readonly description: string }>;

/** The skills that a project's manifest names by their folders. */
export interface ProjectSkills {
  readonly roots: readonly Root[];
  readonly names: GivenNames;
  readonly diagnostics: readonly Diagnostic[];
}

const local = /^(?:\.{0,2}\/|~\/|\.{1,2}$)/;
const most = 500;

/**
 * Finds the skills that `.skill-engine.toml` names: those with a folder as their source are searched there, and need no
 * front matter. Folders outside the project are left to its user to name. Never throws for the text.
 */
export async function skillsNamedIn(file: string, environment: Environment): Promise<ProjectSkills> {
  const read = await readToml(file).catch(() => null);
  const found = { roots: [] as Root[], names: new Map(), diagnostics: [] as Diagnostic[] };
  if (read?.kind !== 'value' || !isObject(read.value)) return found; // what is wrong with it is told with the tools
  const project = realPathOrSelf(dirname(file));
  for (const [key, entry] of entriesIn(read.value['skills']).slice(0, most)) {
    const { source, description } = entry;
    if (typeof source !== 'string' || entry['enabled'] === false || /^docker:/.test(source)) continue;
    const line = lineOfKey(read.text, ['skills', key]);
    const at = line === null ? undefined : { line, column: 1 };
    if (!local.test(source)) {
      const message = `the skill "${oneLine(key)}" comes from ${oneLine(source)}, and is not fetched by itself`;
      found.diagnostics.push(diagnostic('source-remote', file, message, `Type ${addCommand(source)}.`, at));
      continue;
    }
    const path = source.startsWith('~') ? expandPath(source, environment) : resolve(dirname(file), source);
    const real = realPathOrSelf(path.endsWith('.wasm') ? dirname(path) : path);
    if (!isInside(project, real)) {
      const message = `the skill "${oneLine(key)}" lies outside of the project; it is not read`;
      const remedy = 'Name its folder with --skill-dir, or copy it into the project.';
      found.diagnostics.push(diagnostic('link-outside', file, message, remedy, at));
      continue;
    }
    found.names.set(real, {
      name: labelOf(key, 'skill'),
      description: typeof description === 'string' && description.trim() !== '' ? description : key,
    });
    found.roots.push({ ...rootAt(path.endsWith('.wasm') ? dirname(path) : path), asked: `source ${oneLine(source)}` });
  }
  return found;
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

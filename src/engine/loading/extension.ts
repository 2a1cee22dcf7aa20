import { basename } from 'node:path';
import { type Diagnostic, diagnostic } from '../../core/diagnostics.ts';
import { isReadable } from '../../core/disk/files.ts';
import { below } from '../../core/disk/paths.ts';
import { SkillError } from '../../core/errors.ts';
import type { OnProgress } from '../../core/progress.ts';
import { isKebabName, oneLine } from '../../core/text/text.ts';
import { createSlicer } from '../../core/time-slice.ts';
import { addressesOf } from '../../registry/addresses.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { filesOf, type SkillFile, type SkillFiles } from '../../skill/files.ts';
import type { Frontmatter, Json, Skill } from '../../skill/types.ts';
import { readSkillFile } from './load.ts';

/** Limits that hosts of MCP's skills extension must accept; beyond them they may refuse. */
export const extensionLimits = { files: 512, bytes: 16 * 1024 * 1024 } as const;

/** A reason why the extension cannot carry a skill. */
export interface Obstacle {
  readonly message: string;
  readonly remedy: string;
  /** Whether the obstacle will pass, because the file is being changed right now. */
  readonly isPassing?: true;
}

/** A skill as the extension carries it. */
export interface SkillContent {
  readonly frontmatter: Frontmatter;
  /** SKILL.md as it was read for this. */
  readonly main: Buffer;
  /** All files other than SKILL.md. */
  readonly files: readonly SkillFile[];
}

/** The files that the extension would carry, or the obstacle to it. */
export type Inspection = ({ readonly ok: true } & SkillContent) | { readonly ok: false; readonly obstacle: Obstacle };

/** Returns the obstacle that is known without reading the disk, if any. */
export function knownObstacle(skill: Skill): Obstacle | null {
  if (skill.repaired) {
    return {
      message: 'its front matter is not strict YAML',
      remedy: 'Run repertoire validate --fix on it.',
    };
  }
  return frontmatterObstacle(skill.name, skill.frontmatter);
}

let verbatimFrontmatter: typeof import('../../skill/yaml.ts').verbatimFrontmatter | undefined;

/** Inspects the skill as it is on disk now. Throws where SKILL.md cannot be read. The parser is loaded on demand. */
export async function inspect(skill: Skill): Promise<Inspection> {
  const obstacle = knownObstacle(skill);
  if (obstacle !== null) return { ok: false, obstacle };
  const main = readSkillFile(skill);
  if (main.length === 0) return { ok: false, obstacle: beingWritten };
  verbatimFrontmatter ??= (await import('../../skill/yaml.ts')).verbatimFrontmatter;
  const read = verbatimFrontmatter(main);
  if (!read.ok) return { ok: false, obstacle: { message: read.reason, remedy: 'Write it as plain YAML.' } };
  const { frontmatter } = read;
  const listed = filesOf(skill.id, basename(skill.file), extensionLimits.files);
  const problem = frontmatterObstacle(skill.name, frontmatter) ?? filesObstacle(skill.id, listed, main.length);
  return problem === null ? { ok: true, frontmatter, main, files: listed.files } : { ok: false, obstacle: problem };
}

/** Notes each skill that the extension cannot carry, in time slices. */
export async function extensionNotes(snapshot: Snapshot, onProgress?: OnProgress): Promise<Diagnostic[]> {
  const homeless = new Set(addressesOf(snapshot).homeless);
  const total = snapshot.visible.length;
  let done = 0;
  const slicer = createSlicer(() => onProgress?.({ what: 'Looking at skills', done, total }));
  const notes: Diagnostic[] = [];
  for (const skill of snapshot.visible) {
    const obstacle = homeless.has(skill) ? addressTaken : await obstacleTo(skill);
    if (obstacle !== null) notes.push(excluded(skill, obstacle));
    done++;
    if (slicer.isDue) await slicer.pause();
  }
  return notes;
}

async function obstacleTo(skill: Skill): Promise<Obstacle | null> {
  try {
    const inspection = await inspect(skill);
    return inspection.ok ? null : inspection.obstacle;
  } catch (error) {
    if (error instanceof SkillError) return { message: error.message, remedy: 'Give yourself permission to read it.' };
    throw error;
  }
}

function excluded(skill: Skill, { message, remedy }: Obstacle): Diagnostic {
  const explanation = `MCP clients do not see it as a resource: ${message}; loading it by name works`;
  return diagnostic('extension-excluded', skill.file, explanation, remedy);
}

/** The obstacle to the second of two skills that would have one address. */
export const addressTaken: Obstacle = {
  message: 'another skill has its address already',
  remedy: 'Rename or remove one of the two.',
};

/** The obstacle of a SKILL.md that has just changed: an empty file is one that somebody is about to write. */
const beingWritten: Obstacle = {
  message: 'its SKILL.md has just changed',
  remedy: 'Run the command again.',
  isPassing: true,
};

/** Checks the rules of the format that hosts check before they take a skill. */
function frontmatterObstacle(name: string, frontmatter: Frontmatter): Obstacle | null {
  const written = frontmatter['name'];
  if (typeof written !== 'string' || !isKebabName(written)) {
    return {
      message: `its name is not 1 to 64 lower-case letters, digits and single hyphens`,
      remedy: 'Rename it.',
    };
  }
  if (written !== name) return beingWritten;
  const broken = fieldRules.find(({ field, holds }) => !holds(frontmatter[field]));
  return broken === undefined ? null : { message: broken.message, remedy: broken.remedy };
}

const fieldRules: readonly (Obstacle & { readonly field: string; readonly holds: (value?: Json) => boolean })[] = [
  {
    field: 'description',
    holds: (value) => isText(value, 1024),
    message: 'its description is not a string of at most 1,024 characters',
    remedy: 'Shorten the description, or put it in quotes.',
  },
  {
    field: 'compatibility',
    holds: (value) => value === undefined || isText(value, 500),
    message: 'its compatibility is not a string of at most 500 characters',
    remedy: 'Shorten it, or put it in quotes.',
  },
  {
    field: 'metadata',
    holds: (value) => value === undefined || isTextMap(value),
    message: 'its metadata has values that are not strings',
    remedy: 'Put every value of metadata in quotes.',
  },
];

function isText(value: Json | undefined, longest: number): boolean {
  if (typeof value !== 'string' || value === '') return false;
  return value.length <= longest || Array.from(value).length <= longest;
}

function isTextMap(value: Json): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => typeof one === 'string');
}

const tooMuch = 'Move what the skill does not need out of its folder.';

function filesObstacle(folder: string, { files, truncated }: SkillFiles, mainBytes: number): Obstacle | null {
  if (truncated) return { message: `it has more than ${extensionLimits.files} files`, remedy: tooMuch };
  if (files.reduce((sum, file) => sum + file.bytes, mainBytes) > extensionLimits.bytes) {
    return { message: 'its files are larger than 16 MiB', remedy: tooMuch };
  }
  const odd = files.find(({ path }) => !isAddressable(path));
  if (odd !== undefined) {
    return { message: `"${oneLine(odd.path)}" cannot be written as an address`, remedy: 'Rename the file.' };
  }
  const closed = files.find(({ path }) => !isReadable(below(folder, path)));
  if (closed === undefined) return null;
  return { message: `"${oneLine(closed.path)}" cannot be read`, remedy: 'Give yourself permission to read it.' };
}

/** Tells whether an address can name only this file: SKILL.md stands for the skill's own, however that is spelled. */
function isAddressable(path: string): boolean {
  return !/[\\\0]|\p{Surrogate}/u.test(path) && path !== 'SKILL.md' && !path.startsWith('SKILL.md/');
}

import type { Stats } from 'node:fs';
import { basename, sep } from 'node:path';
import { entriesOf, statOf } from '../../core/disk/files.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { getOrInsert } from '../../core/maps.ts';
import { byText } from '../../core/text/text.ts';
import type { SkillTool } from '../../run/tools/types.ts';
import type { SkillText } from '../../search/index/document.ts';
import type { ShownText } from '../../search/passage/choose.ts';
import { bodyOf, splitFences } from '../../skill/fences.ts';
import { hasOwnName } from '../../skill/name.ts';
import { type Json, limits, type Skill } from '../../skill/types.ts';
import { readSkillBeginning, readSkillFile } from '../loading/load.ts';

/** Buffer for the beginning of a file, from which the passage is shown; the same memory for every file. */
const shown = Buffer.alloc(12 * 1024);

/** The data that an index needs of a skill; plain, so that it can be handed to another thread. */
export type SkillSource = Pick<
  Skill,
  'id' | 'file' | 'dir' | 'name' | 'fullName' | 'description' | 'digest' | 'frontmatter'
>;

export function sourceOf({ id, file, dir, name, fullName, description, digest, frontmatter }: Skill): SkillSource {
  return { id, file, dir, name, fullName, description, digest, frontmatter };
}

/** The names of a skill, a line each: its folder's name, the name it is called by, and its own if that is another. */
export function namesOf(skill: Pick<Skill, 'dir' | 'name' | 'fullName'>): string {
  const names = `${basename(skill.dir)}\n${skill.fullName}`;
  return hasOwnName(skill) ? names : `${names}\n${skill.name}`;
}

/** Reads the searched text of a skill, its file anew. Throws a `SkillError` if it has just gone. */
export function textOf(skill: SkillSource): SkillText {
  return textWith(skill, readSkillFile(skill));
}

interface Recent {
  /** Identity, size and times of the file before it was read. */
  readonly look: string;
  readonly text: ShownText;
}

/**
 * Cache of the texts that were asked for last, oldest first, limited by their units together: the same few skills are
 * found again and again.
 */
const recent = new Map<string, Recent>();
const mostUnits = 1 << 21;
let units = 0;
/**
 * Milliseconds after which a change counts as settled: a file that was changed more lately could change again and look
 * the same.
 */
const settledMs = 2000;

/** The text at the beginning of a skill's file, as it is now: enough to show a part of it. */
export function beginningOf(skill: SkillSource, now = Date.now()): ShownText {
  const stats = statOf(skill.file);
  const look = stats.ok ? lookOf(stats.value) : '';
  const known = recent.get(skill.file);
  if (known !== undefined) forget(skill.file, known);
  const isKnown = look !== '' && known?.look === look && known.text.description === skill.description;
  const text = isKnown ? known.text : readBeginning(skill);
  if (stats.ok && now - stats.value.ctimeMs > settledMs) remember(skill.file, { look, text });
  return text;
}

function lookOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;
}

function remember(file: string, one: Recent): void {
  recent.set(file, one);
  units += one.text.body.length;
  for (const [oldest, other] of recent) {
    if (units <= mostUnits) return;
    forget(oldest, other);
  }
}

function forget(file: string, { text }: Recent): void {
  recent.delete(file);
  units -= text.body.length;
}

function readBeginning(skill: SkillSource): ShownText {
  const bytes = readSkillBeginning(skill, shown);
  const body = searchedBody(bytes.toString('utf8'));
  // The cut may lie inside a character.
  return { description: skill.description, body: bytes.length < shown.length ? body : body.replace(/\ufffd+$/, '') };
}

/** The result of reading a skill; null if its file has just gone. */
export function ifThere<T>(skill: SkillSource, read: (skill: SkillSource) => T): T | null {
  try {
    return read(skill);
  } catch (error) {
    if (error instanceof SkillError) return null;
    throw error;
  }
}

/** The searched text of a skill whose file was read already. */
export function textWith(skill: SkillSource, bytes: Buffer): SkillText {
  const { name: _name, description: _description, ...others } = skill.frontmatter;
  return {
    names: namesOf(skill),
    description: skill.description,
    metadata: textsIn(others).join('\n'),
    body: searchedBody(bytes.toString('utf8')),
  };
}

/**
 * The body for searching, with line ends as they are: to a search one blank is as good as another, and replacing
 * millions costs much. Only the front matter needs care.
 */
function searchedBody(text: string): string {
  const headLength = 2 * limits.frontmatterBytes;
  const head = splitFences(text.slice(0, headLength));
  return head.kind === 'found' ? head.body + text.slice(headLength) : bodyOf(text);
}

function textsIn(value: Json): string[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [String(value)];
  return Object.values(value).flatMap(textsIn);
}

/** The sources of a skill's tools, beside its SKILL.md. */
type Part = 'manifest' | 'other manifest' | 'scripts';

const places: Readonly<Record<Part, string>> = {
  manifest: 'skill.toml',
  'other manifest': 'manifest.toml',
  scripts: 'scripts',
};
const parts = Object.keys(places) as readonly Part[];

/** Number of scripts in a mark: more are not offered as tools. */
const mostScripts = 200;

/** Cache of marks by skill: every scan makes a skill anew, and its mark is asked for several times in between. */
const marks = new WeakMap<Skill, string>();

/**
 * The mark of a skill: the state of its tools' sources when the skill was found, empty for the many that have none. The
 * folders are those that a scan has entered, with how many levels it went on below each: where it would have entered
 * `scripts`, it need not be searched for again.
 */
export function toolMarkOf(skill: Skill, folders: ReadonlyMap<string, unknown>): string {
  return getOrInsert(marks, skill, () => {
    const levels = folders.get(skill.id);
    const wasEntered = typeof levels === 'number' && levels > 0;
    const hasNone = wasEntered && !folders.has(skill.id + sep + places.scripts);
    return markOf(skill.id, hasNone ? parts.filter((part) => part !== 'scripts') : parts);
  });
}

/** Tells whether all sources in a mark are unchanged. */
export function hasToolMark(folder: string, mark: string): boolean {
  const marked = parts.filter((part) => mark.includes(`${places[part]}:`));
  return markOf(folder, marked) === mark;
}

function markOf(folder: string, wanted: readonly Part[]): string {
  return wanted.map((part) => partMarkOf(folder, part)).join('');
}

function partMarkOf(folder: string, part: Part): string {
  const path = folder + sep + places[part];
  const look = signOf(path, places[part]);
  if (look === '' || part !== 'scripts') return look;
  const entries = entriesOf(path);
  const names = entries.ok ? entries.value.filter((entry) => !entry.isDirectory()).map(({ name }) => name) : [];
  const scripts = names.sort(byText).slice(0, mostScripts);
  return look + scripts.map((name) => signOf(path + sep + name, name)).join('');
}

/** The size and times of a file. A copy on another disk is indexed again, which costs less than reading it first. */
function signOf(path: string, name: string): string {
  const stats = statOf(path);
  return stats.ok ? `${name}:${stats.value.size}:${stats.value.mtimeMs}:${stats.value.ctimeMs}\n` : '';
}

/** The tools that a skill brings, whichever project it is used in: projects share an index. */
export async function ownToolsOf(skill: SkillSource, environment: Environment): Promise<readonly SkillTool[]> {
  const { toolboxOf } = await import('../../run/tools/toolbox.ts');
  const { tools } = await toolboxOf(skill, withoutProject(environment));
  return tools;
}

/** The environment without its project, and as plain data, so that it can be handed to another thread. */
export function withoutProject(environment: Environment): Environment {
  return { ...environment, env: { ...environment.env }, cwd: '/' };
}

/** The searched text of a skill's tools: each by its name and what it does. */
export function toolTextOf(tools: readonly Pick<SkillTool, 'name' | 'description'>[]): string {
  return tools.map(({ name, description }) => `${name}\n${description}`).join('\n');
}

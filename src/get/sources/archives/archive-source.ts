import { copyFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { statOf } from '../../../core/disk/files.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { sizeInWords } from '../../../core/text/quantities.ts';
import type { AskingNewest, Fetching, Found } from '../fetching.ts';
import { Placer, refusal } from '../placer.ts';
import { type PlacedSkill, skillsOf } from '../tree.ts';
import type { Origin, Source } from '../types.ts';
import { download, head } from '../web/http.ts';
import { extractArchive } from './archive.ts';

/** Fetches an archive, from this machine or another, and looks for skills in it. */
export async function fetchArchive(source: Source, fetching: Fetching): Promise<Found> {
  const { work, files, pinned } = fetching;
  const file = join(work, 'archive');
  const origin: Origin = isAddress(source)
    ? originOf(source, await download(source.place, file, fetching))
    : await copied(source, file, fetching);
  checkPinned(source.text, origin.integrity, pinned);
  const name = basename(source.place.replace(/[?#].*$/s, '')).replace(/\.(?:zip|skill|tar|tar\.gz|tgz)$/i, '');
  const skills = await skillsInArchive(file, files, { what: source.text, name, fetching });
  return { origin, refused: [], skills: withOrigins(skills, origin, pinned) };
}

export async function newestOfArchive(source: Source, asking: AskingNewest): Promise<Origin> {
  if (isAddress(source)) return { kind: 'archive', source: source.text, ...(await head(source.place, asking)) };
  return {
    kind: 'archive',
    source: source.text,
    url: source.place,
    integrity: await integrityOf(existing(source, asking)),
  };
}

function isAddress({ place }: Source): boolean {
  return /^https?:\/\//i.test(place);
}

function originOf(
  { text }: Source,
  { url, etag, integrity }: { url: string; etag?: string; integrity: string },
): Origin {
  return { kind: 'archive', source: text, url, integrity, ...(etag !== undefined && { etag }) };
}

/** Copies an archive of this machine first, so that what is read is what was judged. */
async function copied(source: Source, file: string, fetching: Fetching): Promise<Origin> {
  try {
    copyFileSync(existing(source, fetching), file);
  } catch (error) {
    if (error instanceof SkillError) throw error;
    throw new SkillError('unreadable', `${source.text}: cannot be read (${reasonOf(error)})`);
  }
  return { kind: 'archive', source: source.text, url: source.place, integrity: await integrityOf(file) };
}

function existing({ place, text }: Source, { limits }: AskingNewest): string {
  const stats = statOf(place);
  if (!stats.ok) throw new SkillError('not-found', `${text}: there is no such file`);
  if (!stats.value.isFile())
    throw new SkillError('usage', `${text} is not a file`, { hint: `For a folder, write ${text}/` });
  if (stats.value.size > limits.sentBytes)
    throw new SkillError('unreadable', `${text}: larger than ${sizeInWords(limits.sentBytes)}`);
  return place;
}

/** The digest of a file, as in `sha256-…`. */
export async function integrityOf(file: string, algorithm = 'sha256'): Promise<string> {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `${algorithm}-${createHash(algorithm).update(readFileSync(file)).digest('base64')}`;
}

/** Refuses other bytes than those that were recorded. */
export function checkPinned(what: string, integrity: string | undefined, pinned: Origin | undefined): void {
  if (pinned?.integrity === undefined || pinned.integrity === integrity) return;
  const hint =
    'Somebody has changed it under the same name. Look at it, and update the skill if that is what you want.';
  throw new SkillError('unreadable', `${what}: is not what was recorded (${pinned.integrity})`, { hint });
}

interface Extracting {
  readonly what: string;
  /** The name of a skill that is the whole archive. */
  readonly name: string;
  readonly fetching: Fetching;
}

/** Extracts an archive; it must hold a skill. */
export async function skillsInArchive(
  file: string,
  folder: string,
  { what, name, fetching }: Extracting,
): Promise<readonly PlacedSkill[]> {
  const { limits, signal, onProgress } = fetching;
  onProgress?.({ what: `Unpacking ${what}` });
  const placer = new Placer(folder, {
    what,
    limits,
    onProblem: ({ path, reason }) => {
      throw refusal(what, path, reason);
    },
  });
  const paths = await extractArchive(file, placer, limits, signal);
  const skills = await skillsOf(placer, name, paths);
  if (skills.length === 0)
    throw new SkillError('not-found', `${what}: there is no skill here, that is, no folder with a SKILL.md`);
  return skills;
}

/** Skills with their origins; only the one that is asked for, where the origin that is asked for names one. */
export function withOrigins(
  skills: readonly PlacedSkill[],
  origin: Origin,
  pinned: Origin | undefined,
): Found['skills'] {
  const wanted = pinned?.path === undefined ? skills : skills.filter(({ path }) => path === pinned.path);
  return wanted.map((skill) => ({ ...skill, origin: { ...origin, path: skill.path } }));
}

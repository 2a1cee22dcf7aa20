import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/hash.ts';
import { shown } from '../../../core/schema/parsed.ts';
import { type Infer, list, object, optional, text } from '../../../core/schema/schema.ts';
import { pathText, read } from '../../../core/schema/schema-reader.ts';
import { byText, grouped } from '../../../core/text/text.ts';
import { leadsHere } from '../addresses.ts';
import { checkPinned, skillsInArchive } from '../archives/archive-source.ts';
import type { AskingNewest, Fetching, Found } from '../fetching.ts';
import { problemWithPath } from '../names.ts';
import { Placer, refusal } from '../placer.ts';
import type { FetchedSkill, Origin, RefusedSkill, Source } from '../types.ts';
import { download, downloadText } from './http.ts';

/** Folders in which an index may lie, the newer first. */
const places = ['.well-known/agent-skills', '.well-known/skills'];

const entrySchema = object(
  {
    name: text(undefined, { min: 1, max: 64 }),
    type: optional(text()),
    url: optional(text(undefined, { max: 4096 })),
    digest: optional(text(undefined, { max: 128 })),
    files: optional(list(text(undefined, { max: 1000 }))),
  },
  undefined,
  { open: true },
);
const indexSchema = object({ $schema: optional(text()), skills: list(entrySchema) }, undefined, { open: true });
type Entry = Infer<typeof entrySchema>;

export const indexSchemaUrl = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
const digestForm = /^sha256:([0-9a-f]{64})$/;

interface Index {
  readonly url: string;
  readonly integrity: string;
  readonly entries: readonly Entry[];
  /** Whether it states digests: the first version of the format did not. */
  readonly isNewer: boolean;
}

/** Fetches the skills of an index, each on its own: one that is not what the index says costs the others nothing. */
export async function fetchWellKnown(source: Source, fetching: Fetching): Promise<Found> {
  const { pinned, only } = fetching;
  const index = await readIndex(source, fetching);
  const origin = originOf(source, index);
  const name = pinned?.path;
  if (name === undefined) checkPinned(source.text, index.integrity, pinned);
  const wanted = index.entries.filter(
    (entry) => (name ?? entry.name) === entry.name && (only ?? [entry.name]).includes(entry.name),
  );
  const skills: FetchedSkill[] = [];
  const refused: RefusedSkill[] = [];
  for (const entry of wanted) {
    fetching.signal?.throwIfAborted();
    fetching.onProgress?.({
      what: `Fetching from ${source.text}`,
      done: skills.length + refused.length,
      total: wanted.length,
    });
    try {
      const integrity = await fetchEntry(entry, index, source, fetching);
      const own: Origin = { ...origin, path: entry.name, integrity };
      if (name !== undefined) checkPinned(`${source.text}, ${entry.name}`, integrity, pinned);
      const { digest } = entry;
      skills.push({ name: entry.name, path: entry.name, origin: own, ...(digest !== undefined && { digest }) });
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      refused.push({ name: shown(entry.name).slice(1, -1), path: '', reason: reasonOf(error) });
    }
  }
  const [first] = refused;
  if (skills.length === 0) {
    if (first !== undefined) throw new SkillError('unreadable', first.reason);
    throw new SkillError('not-found', `${source.text}: the index has no such skill`);
  }
  return { origin, skills, refused };
}

/** The state of the index, or of the one skill that is asked about. */
export async function newestOfWellKnown(source: Source, asking: AskingNewest): Promise<Origin> {
  const index = await readIndex(source, asking);
  const origin = originOf(source, index);
  const name = asking.pinned?.path;
  if (name === undefined) return origin;
  const entry = index.entries.find((one) => one.name === name);
  if (entry === undefined) throw new SkillError('not-found', `${source.text}: the index has ${name} no longer`);
  const { integrity: _, ...rest } = origin;
  const digest = digestForm.exec(entry.digest ?? '')?.[1];
  return { ...rest, path: name, ...(digest !== undefined && { integrity: integrityFrom(digest) }) };
}

function originOf({ text: spelling }: Source, { url, integrity }: Index): Origin {
  return { kind: 'well-known', source: spelling, url, integrity };
}

function integrityFrom(hex: string): string {
  return `sha256-${Buffer.from(hex, 'hex').toString('base64')}`;
}

async function readIndex(source: Source, asking: AskingNewest): Promise<Index> {
  for (const place of places) {
    try {
      const got = await downloadText(`${source.place}/${place}/index.json`, asking);
      return { url: got.url, integrity: got.integrity, ...indexIn(got.content, source, asking) };
    } catch (error) {
      if (!(error instanceof SkillError && error.code === 'not-found')) throw error;
    }
  }
  const hint = 'A repository without .git at its end is written git+https://…';
  throw new SkillError('not-found', `${source.text}: has no index of skills at ${places.join(' or ')}`, { hint });
}

function indexIn(content: Buffer, source: Source, { limits }: AskingNewest): Pick<Index, 'entries' | 'isNewer'> {
  const problem = (what: string): SkillError => new SkillError('unreadable', `${source.text}: its index ${what}`);
  let value: unknown;
  try {
    value = JSON.parse(content.toString('utf8'));
  } catch {
    throw problem('is not JSON');
  }
  const index = read(indexSchema, value, 'data', 1);
  if (!index.ok) throw problem(`is wrong: ${pathText(index.issues[0].path)} ${index.issues[0].message}`);
  const { $schema, skills } = index.value;
  if ($schema !== undefined && $schema !== indexSchemaUrl)
    throw problem(`is in a format that is not known (${shown($schema)})`);
  if (skills.length > limits.listed) throw problem(`lists more than ${grouped(limits.listed)} skills`);
  const isNewer = $schema !== undefined;
  // Kinds of entries that come later are not for us.
  const entries = skills.filter(({ type }) => !isNewer || type === 'skill-md' || type === 'archive');
  return { entries, isNewer };
}

/** Fetches one skill into a folder of its name, and returns its digest. */
async function fetchEntry(entry: Entry, index: Index, source: Source, fetching: Fetching): Promise<string> {
  const { name } = entry;
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) throw refusal(source.text, name, 'this is not the name of a skill');
  const folder = join(fetching.files, name);
  if (!index.isNewer) return await fetchFiles(entry, index, folder, fetching);
  const digest = digestForm.exec(entry.digest ?? '')?.[1];
  if (digest === undefined) throw refusal(source.text, name, 'the index states no digest of it');
  if (entry.url === undefined || !URL.canParse(entry.url, index.url))
    throw refusal(source.text, name, 'the index has no address of it');
  const address = new URL(entry.url, index.url).href;
  if (leadsHere(address, index.url)) throw refusal(source.text, name, 'the index leads to this machine itself');
  mkdirSync(fetching.work, { recursive: true });
  const file = join(fetching.work, name);
  const { integrity } = await download(address, file, fetching);
  if (integrity !== integrityFrom(digest))
    throw refusal(source.text, name, 'its content does not have the digest that the index states');
  await unpack(entry, file, folder, source, fetching);
  return integrity;
}

async function unpack(
  { name, type }: Entry,
  file: string,
  folder: string,
  source: Source,
  fetching: Fetching,
): Promise<void> {
  const what = `${source.text}, ${name}`;
  if (type === 'skill-md') {
    const { readFileSync } = process.getBuiltinModule('node:fs');
    createPlacer(folder, what, fetching).putFile('SKILL.md', false, readFileSync(file));
    return;
  }
  const skills = await skillsInArchive(file, folder, { what, name, fetching });
  if (!skills.some(({ path }) => path === ''))
    throw refusal(source.text, name, 'its archive has no SKILL.md at its top');
}

function createPlacer(folder: string, what: string, { limits }: Fetching): Placer {
  return new Placer(folder, {
    what,
    limits,
    onProblem: ({ path, reason }) => {
      throw refusal(what, path, reason);
    },
  });
}

/** The files of a skill as the first version of the format lists them, without digests. */
async function fetchFiles(
  { name, files = [] }: Entry,
  { url }: Index,
  folder: string,
  fetching: Fetching,
): Promise<string> {
  const placer = createPlacer(folder, name, fetching);
  if (!files.includes('SKILL.md')) throw refusal(name, 'SKILL.md', 'the index does not list it');
  if (files.length > 1000) throw refusal(name, 'SKILL.md', 'the index lists more than 1,000 files beside it');
  const parts: (string | Uint8Array)[] = [];
  for (const path of files.toSorted(byText)) {
    const reason = problemWithPath(path, fetching.limits);
    if (reason !== null) throw refusal(name, path, reason);
    const address = new URL(`${name}/${path.split('/').map(encodeURIComponent).join('/')}`, url).href;
    const { content } = await downloadText(address, fetching);
    placer.putFile(path, false, content);
    parts.push(path, '\0', content);
  }
  return integrityFrom(sha256(...parts));
}

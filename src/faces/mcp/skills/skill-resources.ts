import { isUtf8 } from 'node:buffer';
import { basename, sep } from 'node:path';
import { isAbsent, readRegularFile, statOf } from '../../../core/disk/files.ts';
import { SkillError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/hash.ts';
import type { Logger } from '../../../core/log.ts';
import { optional, text } from '../../../core/schema/schema.ts';
import { byText, oneLine } from '../../../core/text/text.ts';
import { createSlicer } from '../../../core/time-slice.ts';
import type { Engine } from '../../../engine/engine.ts';
import { fileTypeOf, locate } from '../../../engine/loading/contained.ts';
import { extensionLimits, type SkillContent } from '../../../engine/loading/extension.ts';
import { readSkillFile } from '../../../engine/loading/load.ts';
import { digestsOf } from '../../../engine/manifest.ts';
import { defineOperation } from '../../../engine/operation.ts';
import { provenanceOf, signatureOf } from '../../../engine/remotes/provenance.ts';
import { type Address, type Addresses, addressesOf, fileUri } from '../../../registry/addresses.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import { childrenOf, type SkillFile } from '../../../skill/files.ts';
import { isTextual, typeOf } from '../../../skill/mime.ts';
import type { Frontmatter } from '../../../skill/types.ts';
import { cursorAfter, indexAfter, keyIn, pageOf } from '../protocol/paging.ts';
import { completePath } from './completion.ts';
import { createExclusions, type Exclusions } from './exclusions.ts';

const page = { cursor: optional(text('Where the previous page says that the next one begins.')) };
const address = text('The address of a skill, or of a file or folder of one.');

interface ReadOutput {
  readonly contents: readonly [Content];
}

/**
 * Creates the skills as resources: the answers of the skills extension and of `resources/*`, in the protocol's shapes.
 */
export function createSkillResources(log: Logger) {
  const exclusions = createExclusions(log);

  async function seen({ registry }: Engine): Promise<Snapshot> {
    const snapshot = await registry.snapshot();
    exclusions.noteHomeless(snapshot);
    return snapshot;
  }

  /** Resolves a file or folder of a skill that the extension carries. */
  async function target(engine: Engine, uri: string): Promise<Target> {
    const snapshot = await seen(engine);
    const found = targetOf(addressesOf(snapshot), uri);
    if (found === null) throw unknownSkill(uri);
    const obstacle = await exclusions.obstacle(snapshot, found.address);
    if (obstacle !== null) throw leftOut(found, obstacle.message);
    return found;
  }

  return {
    listSkills: defineOperation({
      name: 'skills/list',
      right: 'see',
      effect: 'reads',
      input: page,
      run: async (engine, { cursor }) => ({
        ...(await skillsPage(engine, await seen(engine), exclusions, cursor)),
        ...signatureOf(engine),
      }),
    }),
    getSkill: defineOperation({
      name: 'skills/get',
      right: 'see',
      effect: 'reads',
      input: { uri: address },
      async run(engine, { uri }) {
        const found = targetOf(addressesOf(await seen(engine)), uri);
        if (found?.path !== 'SKILL.md') throw unknownSkill(uri);
        const inspection = await exclusions.inspect(found.address);
        if (!inspection.ok) throw leftOut(found, inspection.obstacle.message);
        return { skill: await entryOf(found.address, inspection, engine) };
      },
    }),
    readDirectory: defineOperation({
      name: 'resources/directory/read',
      right: 'see',
      effect: 'reads',
      input: { uri: address, ...page },
      run: async (engine, { uri, cursor }) => folderPage(await target(engine, uri), uri, cursor),
    }),
    listResources: defineOperation({
      name: 'resources/list',
      right: 'see',
      effect: 'reads',
      input: page,
      run: async (engine, { cursor }) => resourcesPage(await seen(engine), exclusions, cursor),
    }),
    read: defineOperation({
      name: 'resources/read',
      right: 'see',
      effect: 'reads',
      input: { uri: address },
      notes({ uri }, _output: ReadOutput | undefined, { registry }) {
        const found = registry.current === undefined ? null : targetOf(addressesOf(registry.current), uri);
        if (found === null) return { what: 'loaded', skill: uri };
        const { address, path } = found;
        return { what: 'loaded', skill: address.skill.fullName, detail: path === 'SKILL.md' ? null : path };
      },
      async run(engine, { uri }): Promise<ReadOutput> {
        return { contents: [readTarget(await target(engine, uri), uri)] };
      },
    }),
    /** Completions of `path` in `skill://{+path}`. */
    completePath: defineOperation({
      name: 'completion/complete of paths',
      right: 'see',
      effect: 'reads',
      input: { prefix: text('What was typed so far.') },
      run: async (engine, { prefix }) => completePath(offeredAddresses(await seen(engine)), prefix),
    }),
  };
}

function unknownSkill(uri: string): SkillError {
  const hint = 'skills/list and resources/list list the addresses of all skills.';
  return new SkillError('not-found', `No skill is served at ${shown(uri)}`, { hint });
}

function leftOut({ address: { skill } }: Target, reason: string): SkillError {
  const message = `Skill '${skill.fullName}' is not served as a resource: ${reason}`;
  return new SkillError('not-found', message, { hint: 'Load it with the tool for loading skills.' });
}

const pageSize = 100;
const folderType = 'inode/directory';

interface Child {
  readonly uri: string;
  readonly path: string;
  readonly file: SkillFile | null;
}

/** Lists one folder of a skill: its files and folders, and nothing from further down. */
function folderPage(
  { address, path }: Target,
  uri: string,
  cursor: string | undefined,
): { resources: Resource[]; nextCursor?: string } {
  requireFolder({ address, path }, uri);
  const children = childrenAt(address, path).sort((a, b) => byText(a.uri, b.uri));
  const list = `folder ${path === '' ? address.root : fileUri(address, path)}`;
  const { items, ...rest } = pageOf(list, children, (child) => child.uri, { cursor, size: pageSize });
  return { resources: items.map((child) => resourceOf(address, child)), ...rest };
}

function requireFolder({ address: { skill }, path }: Target, uri: string): void {
  const place = locate(skill, path);
  const stats = place.ok ? statOf(place.real) : null;
  const expected = [skill.id, ...(path === '' ? [] : path.split('/'))].join(sep);
  if (place.ok && place.real === expected && stats?.ok && stats.value.isDirectory()) return;
  if (!place.ok && place.kind === 'unreadable') {
    throw new SkillError('unreadable', `${shown(uri)} cannot be opened (${place.reason})`);
  }
  if (stats?.ok && stats.value.isFile()) {
    throw new SkillError('not-found', `${shown(uri)} is a file, not a directory`, { hint: 'Use resources/read.' });
  }
  throw new SkillError('not-found', `Skill '${skill.fullName}' has no directory at ${shown(uri)}`);
}

function childrenAt(address: Address, at: string): Child[] {
  const own = basename(address.skill.file);
  const { files, folders } = childrenOf(address.skill.id, at);
  const childOf = (path: string, file: SkillFile | null): Child => ({ uri: fileUri(address, path), path, file });
  return [
    // The skill's own file is SKILL.md here, however its letters are cased.
    ...files.map((file) => childOf(file.path === own ? 'SKILL.md' : file.path, file)),
    ...folders.filter((path) => path !== 'SKILL.md').map((path) => childOf(path, null)),
  ];
}

function resourceOf({ skill }: Address, { uri, path, file }: Child): Resource {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (file === null) return { uri, name, mimeType: folderType };
  return { uri, name, mimeType: fileTypeOf(skill, path), size: file.bytes };
}

/** Reads one file of a skill, whole, as it is on disk now. */
function readTarget({ address: { skill }, path }: Target, uri: string): Content {
  if (path === 'SKILL.md') return contentOf(uri, path, readSkillFile(skill));
  if (path === '') throw folder(uri);
  // Its one address has the name SKILL.md.
  const place = path === basename(skill.file) ? nowhere : locate(skill, path);
  if (!place.ok && place.kind === 'unreadable') throw unreadable(uri, place.reason);
  if (!place.ok) throw notThere(skill.fullName, uri);
  const read = readRegularFile(place.real, extensionLimits.bytes);
  if (read.ok) return contentOf(uri, path, read.value.bytes);
  const stats = statOf(place.real);
  if (stats.ok && stats.value.isDirectory()) throw folder(uri);
  // A pipe or a socket is not a file of the skill: no list shows it.
  const isOther = stats.ok && !stats.value.isFile();
  throw isAbsent(read.reason) || isOther ? notThere(skill.fullName, uri) : unreadable(uri, read.reason);
}

const nowhere = { ok: false, kind: 'absent', reason: '' } as const;

function folder(uri: string): SkillError {
  const hint = 'List it with resources/directory/read, or read one of its files.';
  return new SkillError('not-found', `${shown(uri)} is a directory`, { hint });
}

function unreadable(uri: string, reason: string): SkillError {
  return new SkillError('unreadable', `${shown(uri)} cannot be read (${reason})`);
}

function notThere(name: string, uri: string): SkillError {
  const hint = 'skills/get lists every file of the skill.';
  return new SkillError('not-found', `Skill '${name}' has no file at ${shown(uri)}`, { hint });
}

/** Lists each skill's SKILL.md, for clients that know resources and nothing of skills. */
async function resourcesPage(
  snapshot: Snapshot,
  exclusions: Exclusions,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const resources: Resource[] = [];
  for await (const { address, content } of carriedAfter('resources', snapshot, exclusions, cursor)) {
    const last = resources.at(-1);
    if (last && resources.length >= pageSize) return { resources, nextCursor: cursorAfter('resources', last.uri) };
    const { name, description } = content.frontmatter as { name: string; description: string };
    resources.push({ uri: address.uri, name, description, mimeType: 'text/markdown', size: content.main.length });
  }
  return { resources };
}

/** The one template that all addresses fit. */
export const templates = [
  {
    uriTemplate: 'skill://{+path}',
    name: 'skill-file',
    title: 'A file of a skill',
    description:
      'A SKILL.md or any file beside it: skill://provider/name/path, or skill://provider/plugin/name/path for the skill of a plugin.',
  },
] as const;

/** A skill, and a file or folder in it by its path from the skill's folder; `''` is that folder itself. */
interface Target {
  readonly address: Address;
  readonly path: string;
}

/** The target that a `skill://` address names; null where no such skill exists. */
function targetOf({ byPath }: Addresses, uri: string): Target | null {
  const parts = partsOf(uri);
  for (const length of [2, 3]) {
    const address = parts.length < length ? undefined : byPath.get(parts.slice(0, length).join('/'));
    if (address !== undefined) return { address, path: parts.slice(length).join('/') };
  }
  return null;
}

/** The decoded parts of an address. Anything that could lead elsewhere than down is refused before it is looked up. */
function partsOf(uri: string): string[] {
  const [, rest] = /^skill:\/\/([^?#\\\s\0-\x1f]+)$/i.exec(String(uri)) ?? [];
  const written = rest?.split('/') ?? [];
  const [authority = ''] = written;
  const parts = written.map(decoded);
  if (rest === undefined || /[@:]/.test(authority) || parts.includes(null)) {
    const hint =
      'An address is written skill://provider/name/path, each part percent-encoded, with no slash at its end.';
    throw new SkillError('not-found', `'${shown(uri)}' is not an address of a skill`, { hint });
  }
  return parts as string[];
}

function decoded(part: string): string | null {
  try {
    const name = decodeURIComponent(part);
    return name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name) ? null : name;
  } catch {
    return null;
  }
}

/** Third-party text in our message, cut where it gets long. */
function shown(text: string): string {
  const line = oneLine(String(text));
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** A file as `resources/read` gives it. */
export type Content =
  | { readonly uri: string; readonly mimeType: string; readonly text: string }
  | { readonly uri: string; readonly mimeType: string; readonly blob: string };

/**
 * The content as text only where that gives back the very bytes: a host compares their digest. All else goes as base64.
 */
function contentOf(uri: string, path: string, bytes: Buffer): Content {
  const mimeType = typeOf(path, bytes);
  return isTextual(mimeType) && isUtf8(bytes)
    ? { uri, mimeType, text: bytes.toString('utf8') }
    : { uri, mimeType, blob: bytes.toString('base64') };
}

/** Describes one skill: its front matter, and every file of it with size and digest. */
async function entryOf(
  address: Address,
  { frontmatter, main, files }: SkillContent,
  engine: Engine,
): Promise<SkillEntry> {
  const own = { path: 'SKILL.md', size: main.length, digest: `sha256:${sha256(main)}` };
  const all = [own, ...(await digestsOf(address.skill, files))];
  const resources = all.map(({ path, digest, size }) => ({ uri: fileUri(address, path), digest, size }));
  resources.sort((a, b) => byText(a.uri, b.uri));
  return { uri: address.uri, frontmatter, resources, ...provenanceOf(engine, address.skill) };
}

/** The addresses of the skills that models are offered; the others can still be read by their addresses. */
function offeredAddresses(snapshot: Snapshot): readonly Address[] {
  const offered = new Set(snapshot.shownTo('models'));
  return addressesOf(snapshot).list.filter(({ skill }) => offered.has(skill));
}

/** Yields the addresses behind a cursor whose skills the extension carries, each with its files; in order. */
async function* carriedAfter(
  list: string,
  snapshot: Snapshot,
  exclusions: Exclusions,
  cursor: string | undefined,
): AsyncGenerator<{ readonly address: Address; readonly content: SkillContent }> {
  const addresses = offeredAddresses(snapshot);
  const slicer = createSlicer();
  for (let next = indexAfter(addresses, uriOf, keyIn(list, cursor)); next < addresses.length; next++) {
    const address = addresses[next] as Address;
    const content = await exclusions.carried(address);
    if (slicer.isDue) await slicer.pause();
    if (content !== null) yield { address, content };
  }
}

function uriOf({ uri }: Address): string {
  return uri;
}

/** Limits of a page, which ends at whichever comes first: its files must be read and hashed before it can be sent. */
const pageLimits = { skills: 50, files: 2000, bytes: 64 * 1024 * 1024 } as const;

/** Returns one page of `skills/list`. */
async function skillsPage(
  engine: Engine,
  snapshot: Snapshot,
  exclusions: Exclusions,
  cursor: string | undefined,
): Promise<{ skills: SkillEntry[]; nextCursor?: string }> {
  const skills: SkillEntry[] = [];
  let [files, bytes] = [0, 0];
  for await (const { address, content } of carriedAfter('skills', snapshot, exclusions, cursor)) {
    const last = skills.at(-1);
    if (last && (skills.length >= pageLimits.skills || files >= pageLimits.files || bytes >= pageLimits.bytes)) {
      return { skills, nextCursor: cursorAfter('skills', last.uri) };
    }
    const entry = await readableEntry(engine, address, content, exclusions);
    if (entry === null) continue;
    skills.push(entry);
    files += entry.resources.length;
    bytes += entry.resources.reduce((sum, { size }) => sum + size, 0);
  }
  return { skills };
}

/** The entry of a skill, or null: one file that cannot be read must not cost the whole page. */
async function readableEntry(
  engine: Engine,
  address: Address,
  content: SkillContent,
  exclusions: Exclusions,
): Promise<SkillEntry | null> {
  try {
    return await entryOf(address, content, engine);
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    exclusions.note(address.skill, error.message);
    return null;
  }
}

/** A resource as lists show it. */
interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType: string;
  readonly size?: number;
}

/** A skill as the extension describes it. */
interface SkillEntry {
  readonly uri: string;
  readonly frontmatter: Frontmatter;
  readonly resources: readonly { readonly uri: string; readonly digest: string; readonly size: number }[];
  /** The servers that it has passed, for a skill of a remote. */
  readonly _meta?: Readonly<Record<string, string | readonly string[]>>;
}

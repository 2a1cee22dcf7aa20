import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { entriesOf, foldersIn, isThere } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { stateFolder } from '../../core/disk/own-folders.ts';
import { isGone, thisProcess } from '../../core/disk/owner.ts';
import { below } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { byText, oneLine } from '../../core/text/text.ts';
import { createSlicer, runSliced, type SlicedTask } from '../../core/time-slice.ts';
import { digestFiles, executableMark, type FolderDigest } from '../../run/policy/digest.ts';

/** A copy of a skill as it came, kept by its digest: what is scanned, installed, and compared with later. */
export interface Kept extends FolderDigest {
  readonly folder: string;
  /** A second copy of it, which goes to its place as it is. */
  readonly spare?: string;
}

function storeFolder(environment: Environment): string {
  return join(stateFolder(environment), 'get', 'skills');
}

/**
 * Copies a skill into the store. From here on nobody changes it: what was scanned and agreed to is what is installed,
 * whatever happens to the folder that it came from.
 */
export async function takeIn(environment: Environment, from: string): Promise<Kept> {
  return keep(environment, (draft) => runSliced(copying(from, draft), createSlicer()));
}

/**
 * Takes a skill in that nobody else needs or can change, such as one in a private folder: it is moved where that can be
 * done, in one step, and copied where it cannot, as to another disk or on Windows.
 */
export async function moveIn(environment: Environment, from: string): Promise<Kept> {
  makeFolder(storeFolder(environment));
  const digest = await digestFiles(from);
  const folder = folderOfDigest(environment, digest.digest);
  try {
    if ((await kept(environment, digest.digest)) === null) replaceFolder(from, folder);
    return { ...digest, folder };
  } catch {
    return takeIn(environment, from);
  }
}

/** Second copies of skills, made while there is time: what goes to its place then needs only be moved there. */
export interface Spares {
  /** Copies a folder; undefined where that cannot be done now. */
  make(from: string): Promise<string | undefined>;
  /** Removes those that nobody took. */
  dispose(): void;
}

/** Copies that can be moved into this folder; null where that lies on another disk. */
export function openSpares(environment: Environment, target: string): Spares | null {
  const store = storeFolder(environment);
  makeFolder(store);
  if (statSync(store).dev !== deviceOf(target)) return null;
  const folder = newDraft(store);
  mkdirSync(folder, { mode: 0o700 });
  let made = 0;
  return {
    async make(from) {
      const spare = join(folder, String(made++));
      try {
        mkdirSync(spare, { mode: modes.folder });
        await runSliced(copying(from, spare), createSlicer());
        return spare;
      } catch {
        return undefined; // whoever takes it in is told why
      }
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The disk of a folder, or of that in which it will lie. */
function deviceOf(folder: string): number {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats?.dev ?? deviceOf(dirname(folder));
}

function newDraft(store: string): string {
  return join(store, `${draftMark}${thisProcess()}.${Math.random().toString(36).slice(2)}`);
}

/** Makes a skill in the store, by whatever writes its files into an empty folder. */
export async function keep(environment: Environment, fill: (draft: string) => Promise<void>): Promise<Kept> {
  const store = storeFolder(environment);
  makeFolder(store);
  const draft = newDraft(store);
  try {
    mkdirSync(draft);
    await fill(draft);
    const digest = await digestFiles(draft);
    const folder = folderOfDigest(environment, digest.digest);
    if ((await kept(environment, digest.digest)) === null) replaceFolder(draft, folder);
    return { ...digest, folder };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Moves files into place; another process may have been quicker with the same ones. */
function replaceFolder(draft: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!isThere(folder)) throw error;
  }
}

/** The copy of this digest, if it is there and still has it. */
export async function kept(environment: Environment, digest: string): Promise<Kept | null> {
  const folder = folderOfDigest(environment, digest);
  if (!isThere(folder)) return null;
  const now = await digestFiles(folder);
  return now.digest === digest ? { ...now, folder } : null;
}

/** The folder of the copy with this digest, whether it is there or not. */
export function folderOfDigest(environment: Environment, digest: string): string {
  return join(storeFolder(environment), digest.replace(/^sha256:/, '').replace(/[^0-9a-f]/g, '_'));
}

/** All copies in the store. */
export function listStored(environment: Environment): readonly { readonly folder: string; readonly digest: string }[] {
  const names = foldersIn(storeFolder(environment)).filter((name) => /^[0-9a-f]{64}$/.test(name));
  return names.map((name) => ({ folder: join(storeFolder(environment), name), digest: `sha256:${name}` }));
}

/** The bytes of all files below a folder. */
export function bytesOf(folder: string): number {
  const entries = entriesOf(folder);
  return (entries.ok ? entries.value : []).reduce((sum, entry) => {
    const path = below(folder, entry.name);
    if (entry.isDirectory()) return sum + bytesOf(path);
    return sum + (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
}

const draftMark = '.draft-';

/** Removes what processes that were killed left half copied. */
export function sweepDrafts(environment: Environment): void {
  const entries = entriesOf(storeFolder(environment));
  for (const { name } of entries.ok ? entries.value : []) {
    if (!name.startsWith(draftMark)) continue;
    const path = join(storeFolder(environment), name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && isGone(name.slice(draftMark.length), stats.mtimeMs)) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

const modes = { plain: 0o644, executable: 0o755, folder: 0o755 };

/**
 * Copies the files of a folder into an existing one: regular files and folders, with the same permissions on every
 * machine. A link or a device is refused, and the history of a repository left out.
 */
export function* copying(from: string, to: string): SlicedTask<void> {
  const entries = entriesOf(from);
  if (!entries.ok) throw new SkillError('unreadable', `${oneLine(from)} cannot be read (${entries.reason})`);
  for (const entry of entries.value) {
    const [source, target] = [below(from, entry.name), below(to, entry.name)];
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) {
      mkdirSync(target, { mode: modes.folder });
      yield* copying(source, target);
    } else if (entry.isFile()) {
      copyFileSync(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      const { mode } = lstatSync(target);
      const wanted = (mode & 0o111) === 0 ? modes.plain : modes.executable;
      if ((mode & 0o777) !== wanted) chmodSync(target, wanted);
    } else {
      const message = `${oneLine(source)} is a link or no regular file, and cannot be part of an installed skill`;
      throw new SkillError('denied', message, { hint: 'Put the file itself in its place.' });
    }
    yield;
  }
}

/**
 * The hash that the field's installer computes: SHA-256 over path and content of each file, in the order of the paths in
 * its locale. It leaves out `.git` and `node_modules`.
 */
export function fieldHashOf({ folder, files }: Kept): string {
  const paths = Object.keys(files).filter((path) => !/(?:^|\/)(?:\.git|node_modules)\//.test(path));
  collator ??= new Intl.Collator('en');
  const { compare } = collator;
  paths.sort((a, b) => compare(a, b) || byText(a, b));
  return sha256(...paths.flatMap((path) => [path, readFileSync(below(folder, path))]));
}

/** Made when it is needed: the first one costs more than a whole look at what is installed. */
let collator: Intl.Collator | undefined;

/** The name that Git gives to a folder with these files, which the field's installer takes from GitHub. */
export function gitTreeOf({ folder, files }: Kept): string {
  const inner = new Map<string, Record<string, string>>();
  const entries: { readonly name: string; readonly mode: string; readonly id: Buffer }[] = [];
  for (const [path, digest] of Object.entries(files)) {
    const [first = '', ...rest] = path.split('/');
    if (rest.length > 0) {
      inner.set(first, { ...inner.get(first), [rest.join('/')]: digest });
      continue;
    }
    const mode = digest.endsWith(executableMark) ? '100755' : '100644';
    entries.push({ name: first, mode, id: gitId('blob', readFileSync(below(folder, path))) });
  }
  for (const [name, within] of inner) {
    const id = Buffer.from(gitTreeOf({ folder: below(folder, name), files: within, digest: '' }), 'hex');
    entries.push({ name, mode: '40000', id });
  }
  const sorted = entries.sort((a, b) => Buffer.compare(sortKey(a), sortKey(b)));
  return gitId(
    'tree',
    Buffer.concat(sorted.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`), id])),
  ).toString('hex');
}

function sortKey({ name, mode }: { readonly name: string; readonly mode: string }): Buffer {
  return Buffer.from(mode === '40000' ? `${name}/` : name);
}

function gitId(kind: 'blob' | 'tree', bytes: Buffer): Buffer {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha1').update(`${kind} ${bytes.length}\0`).update(bytes).digest();
}

/** The name of a kept copy that people can tell from others. */
export function shortDigest(digest: string): string {
  return basename(digest)
    .replace(/^sha256:/, '')
    .slice(0, 12);
}

import { renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { entriesOf, isThere, readRegularFile, statOf } from '../../core/disk/files.ts';
import { putFile } from '../../core/disk/replace.ts';
import type { Environment } from '../../core/environment.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import type { OnProgress } from '../../core/progress.ts';
import { count, cut } from '../../core/text/text.ts';
import { refuseOffline } from '../connect/target.ts';
import { type FetchLimits, fetchLimits } from './entries.ts';
import { type Fetched, fetchFromServer } from './fetch.ts';
import { openSignIn } from './oauth.ts';
import {
  currentOf,
  ownIdentity,
  placesOf,
  type Remote,
  readManifest,
  readState,
  secretsIn,
  targetOf,
  writeManifest,
  writeState,
} from './store.ts';

export interface RefreshOptions {
  readonly environment: Environment;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Asks a person to open an address and sign in; missing where there is nobody to ask. */
  readonly ask?: ((address: string) => void) | undefined;
  readonly limits?: Partial<FetchLimits> | undefined;
  /** Whether nothing may be asked of other machines. */
  readonly offline?: boolean | undefined;
}

/**
 * Asks a remote for its skills, and puts them in the place of those that are kept in the folder. They change all at
 * once; where that fails, those from before stay, and the reason is kept beside them. Returns whether they changed.
 */
export async function refreshRemote(folder: string, remote: Remote, options: RefreshOptions): Promise<boolean> {
  const { environment } = options;
  let secrets: readonly string[] = [];
  const scrubbed = (text: string): string => secrets.reduce((all, secret) => all.replaceAll(secret, '…'), text);
  try {
    if (remote.target.kind === 'address') refuseOffline(remote.target.url, options.offline === true);
    const target = targetOf(remote, environment);
    secrets = secretsIn(target, remote);
    const tokens = placesOf(folder).tokens;
    const { name, clientId } = remote;
    const signIn = remote.oauth ? await openSignIn({ file: tokens, remote: name, clientId, ask: options.ask }) : null;
    const staging = join(placesOf(folder).snapshots, `.new.${process.pid}.${Date.now().toString(36)}`);
    try {
      const own = ownIdentity(environment);
      const { signal, onProgress, limits } = options;
      const known = knownBytes(folder);
      const given = { folder: staging, known, own, signal, onProgress, limits, signIn: signIn ?? undefined };
      const fetched = await fetchFromServer(target, given);
      const hasChanged = putSnapshot(folder, staging, fetched);
      const problems = fetched.problems.map(({ skill, message }) => ({ skill, message: scrubbed(message) }));
      writeState(folder, {
        refreshedAt: new Date().toISOString(),
        server: scrubbed(fetched.server),
        failure: null,
        problems: firstOf(problems),
      });
      return hasChanged;
    } finally {
      signIn?.close();
      rmSync(staging, { recursive: true, force: true });
    }
  } catch (error) {
    if (!(error instanceof SkillError)) throw options.signal?.aborted ? error : unwritable(folder, error);
    const failure = scrubbed(error.message);
    const before = readState(folder);
    // Somebody may have removed the remote meanwhile.
    if (isThere(folder)) writeState(folder, { refreshedAt: null, server: '', problems: [], ...before, failure });
    throw new SkillError(error.code, failure, { ...(error.hint !== undefined && { hint: error.hint }) });
  }
}

/** The error for a folder that the system does not let us write to; any other stays what it is. */
function unwritable(folder: string, error: unknown): unknown {
  const isOfSystem = error instanceof Error && 'errno' in error;
  if (!isOfSystem) return error;
  const hint = 'Is there room on the disk, and is the folder yours?';
  return new SkillError('unwritable', `${folder} cannot be written (${reasonOf(error)})`, { hint });
}

/** Problems that are kept; more of them say no more. */
const mostProblems = 50;

function firstOf(problems: Fetched['problems']): Fetched['problems'] {
  const rest = problems.length - mostProblems;
  if (rest <= 0) return problems;
  return [...problems.slice(0, mostProblems), { skill: null, message: `and ${count(rest, 'more problem')}` }];
}

/** Finds bytes by their digest among the skills that are kept, so that only what is new is asked for. */
function knownBytes(folder: string): (digest: string) => Buffer | null {
  const current = currentOf(folder);
  const manifest = current === null ? null : readManifest(folder, current);
  const paths = new Map<string, string>();
  for (const [name, { files }] of Object.entries(manifest?.skills ?? {})) {
    for (const [path, digest] of Object.entries(files)) {
      paths.set(digest, join(placesOf(folder).snapshots, current ?? '', name, path));
    }
  }
  return (digest) => {
    const path = paths.get(digest);
    return path === undefined ? null : bytesAt(path, digest);
  };
}

/** Puts what was fetched into its place, and has it count. Returns whether it is new. */
function putSnapshot(folder: string, staging: string, { digest: whole, skills }: Fetched): boolean {
  const digest = whole.slice(0, 16); // models read the path of a skill with every load
  const { snapshots, current } = placesOf(folder);
  const before = currentOf(folder);
  const place = join(snapshots, digest);
  if (!isIntact(place, skills)) {
    if (isThere(place)) renameSync(place, join(snapshots, `.old.${process.pid}.${Date.now().toString(36)}`));
    renameSync(staging, place);
  }
  const rows = skills.map(({ path, name, uri, verified, via, files }) => [
    basename(path),
    { name, uri: cut(uri, 2000), verified, via, files },
  ]);
  writeManifest(folder, digest, Object.fromEntries(rows));
  putFile(current, `${digest}\n`);
  prune(snapshots, [digest, before]);
  return digest !== before;
}

/** Tells whether a snapshot is there and still as it was written. */
function isIntact(place: string, skills: Fetched['skills']): boolean {
  return (
    isThere(place) &&
    skills.every(({ path, files }) =>
      Object.entries(files).every(([file, digest]) => bytesAt(join(place, basename(path), file), digest) !== null),
    )
  );
}

/** The bytes of a file, if they still have this digest. */
function bytesAt(path: string, digest: string): Buffer | null {
  const found = readRegularFile(path, fetchLimits.skillBytes);
  return found.ok && `sha256:${sha256(found.value.bytes)}` === digest ? found.value.bytes : null;
}

/** Milliseconds for which what nobody points to is left alone: another process may be about to. */
const graceMs = 15 * 60_000;

/** Removes what is no longer needed. The snapshot before this one stays, for those who are still reading it. */
function prune(snapshots: string, kept: readonly (string | null)[]): void {
  const entries = entriesOf(snapshots);
  for (const { name } of entries.ok ? entries.value : []) {
    if (kept.includes(name) || kept.includes(name.replace(/\.json$/, ''))) continue;
    const path = join(snapshots, name);
    const stats = statOf(path);
    if (name.startsWith('.old.') || (stats.ok && Date.now() - stats.value.mtimeMs > graceMs)) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { knownProvider } from '../../agents/providers.ts';
import { entriesOf, foldersIn, isThere, readRegularFile, statOf } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { isRemoteName, remotesFolder } from '../../core/disk/own-folders.ts';
import { isGone, thisProcess } from '../../core/disk/owner.ts';
import { expandPath } from '../../core/disk/paths.ts';
import { putFile } from '../../core/disk/replace.ts';
import { type Environment, variable } from '../../core/environment.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { readOwnFile } from '../../core/schema/own-file.ts';
import {
  flag,
  type Infer,
  list,
  literal,
  map,
  nullable,
  object,
  type Schema,
  text,
  time,
  union,
} from '../../core/schema/schema.ts';
import { looksSecret } from '../../core/text/secret-names.ts';
import { shellWord } from '../../core/text/text.ts';
import { type Target, targetFor } from '../connect/target.ts';

/** A remote as it was added. It holds no secret: a token is named by its variable or its file. */
const remoteSchema = object({
  version: literal(1),
  name: text(),
  addedAt: time(),
  target: union(
    object({ kind: literal('address'), url: text() }),
    object({ kind: literal('process'), command: list(text()), cwd: text(), env: list(text()) }),
  ),
  tokenEnv: nullable(text()),
  tokenFile: nullable(text()),
  oauth: flag(),
  clientId: nullable(text()),
});
export type Remote = Infer<typeof remoteSchema>;

export const problemSchema = object({ skill: nullable(text()), message: text() });

const stateSchema = object({
  version: literal(1),
  /** The time of the last refresh that succeeded. */
  refreshedAt: nullable(time()),
  server: text(),
  /** The reason why the last refresh failed; null where it did not. */
  failure: nullable(text()),
  problems: list(problemSchema),
});
export type RemoteState = Infer<typeof stateSchema>;

/** The skills of a snapshot, by folder. */
const manifestSchema = object({
  version: literal(1),
  skills: map(object({ name: text(), uri: text(), verified: flag(), via: list(text()), files: map(text()) })),
});
export type Manifest = Infer<typeof manifestSchema>;

const byteLimit = 64 * 1024 * 1024;

function readOwn<T>(file: string, schema: Schema<T>): T | null {
  return readOwnFile(schema, file, byteLimit);
}

function writeOwn(file: string, value: unknown): void {
  putFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Names that mean something else where a provider may stand. */
const reserved: ReadonlySet<string> = new Set(['all', 'auto', 'project', 'global', 'user', 'remote', 'native']);

/** Refuses a name that could be taken for something else. */
export function checkRemoteName(name: string): void {
  const hint = 'Choose a name of lower-case letters, digits and single hyphens, such as team.';
  if (!isRemoteName(name)) throw new SkillError('usage', `'${name}' cannot name a remote`, { hint });
  if (reserved.has(name) || knownProvider(name) !== undefined) {
    throw new SkillError('usage', `'${name}' cannot name a remote: it already means something else`, { hint });
  }
}

/** The files of one remote. */
export function placesOf(folder: string) {
  return {
    remote: join(folder, 'remote.json'),
    state: join(folder, 'state.json'),
    tokens: join(folder, 'oauth.json'),
    current: join(folder, 'current'),
    snapshots: join(folder, 'snapshots'),
  };
}

export function folderOf(environment: Environment, name: string): string {
  return join(remotesFolder(environment), name);
}

/** All remotes, in order of their names. A folder without a readable file of ours is none. */
export function listRemotes(environment: Environment): readonly Remote[] {
  return foldersIn(remotesFolder(environment))
    .filter(isRemoteName)
    .flatMap((name) => readOwn(placesOf(folderOf(environment, name)).remote, remoteSchema) ?? [])
    .filter((remote) => isRemoteName(remote.name));
}

export function requireRemote(environment: Environment, name: string): Remote {
  const all = listRemotes(environment);
  const found = all.find((remote) => remote.name === name);
  if (found !== undefined) return found;
  throw new SkillError('not-found', `there is no remote '${name}'`, {
    suggestions: all.map((remote) => remote.name),
    hint: 'repertoire remote list shows all of them.',
  });
}

export function readState(folder: string): RemoteState | null {
  return readOwn(placesOf(folder).state, stateSchema);
}

export function writeState(folder: string, state: Omit<RemoteState, 'version'>): void {
  writeOwn(placesOf(folder).state, { version: 1, ...state });
}

/** The digest of the snapshot that counts; null where there is none. */
export function currentOf(folder: string): string | null {
  const found = readRegularFile(placesOf(folder).current, 256);
  const digest = found.ok ? found.value.bytes.toString('utf8').trim() : '';
  return /^[0-9a-f]{16}$/.test(digest) ? digest : null;
}

export function readManifest(folder: string, digest: string): Manifest | null {
  return readOwn(join(placesOf(folder).snapshots, `${digest}.json`), manifestSchema);
}

export function writeManifest(folder: string, digest: string, skills: Manifest['skills']): void {
  writeOwn(join(placesOf(folder).snapshots, `${digest}.json`), { version: 1, skills });
}

/** Makes the folder of a new remote, beside its place: nobody sees it before it is whole. */
export function draftRemote(environment: Environment, remote: Remote): string {
  sweepDrafts(environment);
  const draft = join(remotesFolder(environment), `.${thisProcess()}-${remote.name}`);
  return orUnwritable(environment, () => {
    makeFolder(placesOf(draft).snapshots);
    writeOwn(placesOf(draft).remote, remote);
    return draft;
  });
}

/** Removes what processes that were killed while they added a remote have left behind. */
function sweepDrafts(environment: Environment): void {
  const folder = remotesFolder(environment);
  const entries = entriesOf(folder);
  for (const { name } of entries.ok ? entries.value : []) {
    const stats = name.startsWith('.') ? statOf(join(folder, name)) : null;
    if (stats?.ok && isGone(name.slice(1), stats.value.mtimeMs)) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

/** Moves the folder of a new remote into its place. */
export function placeRemote(environment: Environment, draft: string, name: string): void {
  orUnwritable(environment, () => renameSync(draft, folderOf(environment, name)));
}

/** Removes a remote, with its skills and its tokens. */
export function removeRemote(environment: Environment, name: string): void {
  orUnwritable(environment, () => rmSync(folderOf(environment, name), { recursive: true, force: true }));
}

function orUnwritable<T>(environment: Environment, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const hint = 'Make the folder writable, or set XDG_STATE_HOME to one that is.';
    throw new SkillError('unwritable', `${remotesFolder(environment)} cannot be written (${reasonOf(error)})`, {
      hint,
    });
  }
}

/** The identity of this installation among servers: random, and made when it is first needed. */
export function ownIdentity(environment: Environment): string | null {
  const folder = remotesFolder(environment);
  const file = join(folder, 'identity');
  const known = (): string | null => {
    const found = readRegularFile(file, 256);
    const identity = found.ok ? found.value.bytes.toString('utf8').trim() : '';
    return /^[0-9a-f]{32}$/.test(identity) ? identity : null;
  };
  if (isThere(file)) return known();
  try {
    makeFolder(folder);
    putFile(file, `${process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex')}\n`);
  } catch {
    return null; // without a folder to write to, nothing is served on, and nothing comes back
  }
  return known();
}

/** The way to a remote, with its token. Nothing of it is shown. */
export function targetOf({ name, target, tokenEnv, tokenFile }: Remote, environment: Environment): Target {
  if (target.kind === 'process') {
    const to = targetFor(target.command, { ...environment, cwd: target.cwd });
    const passed = target.env.map((one) => [one, needed(name, one, environment)] as const);
    return to.kind === 'process' ? { ...to, env: { ...to.env, ...Object.fromEntries(passed) } } : to;
  }
  const token = tokenEnv === null ? tokenIn(tokenFile, environment) : needed(name, tokenEnv, environment);
  return { kind: 'address', url: target.url, headers: token === null ? {} : { Authorization: `Bearer ${token}` } };
}

function tokenIn(file: string | null, environment: Environment): string | null {
  if (file === null) return null;
  const path = expandPath(file, environment);
  const found = readRegularFile(path, 65_536);
  const token = found.ok ? found.value.bytes.toString('utf8').trim() : '';
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  const why = found.ok ? 'it has no token in it' : found.reason;
  throw new SkillError('config', `the token cannot be read from ${path} (${why})`, {
    hint: 'It is a file with one line, the token.',
  });
}

function needed(remote: string, name: string, environment: Environment): string {
  const value = variable(environment, name);
  if (value !== undefined) return value;
  throw new SkillError('config', `the variable ${name}, which the remote '${remote}' needs, is not set`, {
    hint: `Set it where repertoire runs, as in: export ${name}=…`,
  });
}

/** The values that a remote is given and that must never be shown: its token, and variables passed to its command. */
export function secretsIn(target: Target, remote: Remote): readonly string[] {
  const passed = remote.target.kind === 'process' && target.kind === 'process' ? remote.target.env : [];
  const values = passed.map((name) => (target.kind === 'process' ? (target.env[name] ?? '') : ''));
  const token = target.kind === 'address' ? (target.headers['Authorization'] ?? '').slice('Bearer '.length) : '';
  return [...values, token].filter((value) => value.length >= 4);
}

/** A command without what its options and variables of secret names say: `--token=…`, `API_KEY=…`. */
function withoutSecrets(command: readonly string[]): readonly string[] {
  return command.map((word, index) => {
    const [, name, value] = /^([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) return looksSecret(name) ? `${name}=…` : word;
    const before = command[index - 1] ?? '';
    return /^--?[a-z]/i.test(before) && !word.startsWith('-') && looksSecret(before) ? '…' : word;
  });
}

/** The address of a remote for people: without what may be a key in its query. */
export function addressOf({ target }: Remote): string {
  if (target.kind === 'process') return withoutSecrets(target.command).map(shellWord).join(' ');
  const { origin, pathname, search } = new URL(target.url);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

import { cpSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isThere, linkStatOf } from '../../core/disk/files.ts';
import { createLock, sweepLocks } from '../../core/disk/lock.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { stateFolder } from '../../core/disk/own-folders.ts';
import { putFile } from '../../core/disk/replace.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { readJson } from '../../core/formats/documents.ts';
import type { OnProgress } from '../../core/progress.ts';
import {
  anything,
  choice,
  flag,
  type Infer,
  list,
  literal,
  map,
  nullable,
  object,
  text,
} from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import { oneLine } from '../../core/text/text.ts';
import { createSlicer, runSliced, type SlicedTask } from '../../core/time-slice.ts';
import { digestFiles } from '../../run/policy/digest.ts';
import { changeLock, type EntryChanges } from './lock-file.ts';
import type { Scope } from './places.ts';
import { copying, shortDigest, sweepDrafts } from './store.ts';

/** A change of one place. */
export interface Step {
  readonly at: string;
  /** The thing that is put there: a copy of a folder, which may have been made ahead, a link, or nothing. */
  readonly put: { readonly copyOf: string; readonly spare?: string | undefined } | { readonly linkTo: string } | null;
  /** The digest of the folder that goes, if one goes: anything else that is found there then is not thrown away. */
  readonly replaces: string | null;
  /** Whether what goes is kept aside, because somebody has worked on it. */
  readonly keepsOld?: boolean;
}

/** Changes that are made together: all of them, or none. */
export interface Change {
  readonly scope: Scope;
  readonly steps: readonly Step[];
  readonly entries: EntryChanges;
}

/**
 * The journal of a change. Before it is ready nothing but the stages has been touched, and they are removed. Once it is,
 * the change is made, by whoever comes next if need be: each move can be made again, and says by itself whether it was.
 */
const journalSchema = object({
  version: literal(1),
  isReady: flag(),
  scope: object({ kind: choice(['project', 'global']), base: text(), skills: text(), lockFile: text() }),
  /** Hidden folders beside the places, on the same disk: what comes is made there, and what goes is put there. */
  stages: list(text()),
  moves: list(
    object({
      at: text(),
      staged: nullable(text()),
      gone: text(),
      replaces: nullable(text()),
      keepsOld: flag(),
    }),
  ),
  entries: map(anything<EntryChanges[string]>()),
});
type Journal = Infer<typeof journalSchema>;
type Move = Journal['moves'][number];

const stageMark = '.repertoire-';

function ownFolder(environment: Environment): string {
  return join(stateFolder(environment), 'get');
}

function journalFile(environment: Environment): string {
  return join(ownFolder(environment), 'journal.json');
}

/** Milliseconds for which a command waits for another one. */
const lockTimeoutMs = 120_000;

/** Runs an action while no other command changes what is installed; a change that was interrupted is settled first. */
export async function inTurn<T>(
  environment: Environment,
  action: () => Promise<T>,
  onProgress?: OnProgress,
): Promise<T> {
  const folder = ownFolder(environment);
  makeFolder(folder);
  const lock = createLock(join(folder, 'turn'), 'what is installed is');
  onProgress?.({ what: 'Waiting for another command to finish' });
  const held = await lock.wait(lockTimeoutMs);
  try {
    if (!held.isInherited) sweepLocks(folder);
    await settle(environment);
    return await action();
  } finally {
    held.release();
    lock.close();
  }
}

/** Settles a change that was interrupted, if there is one, before anything is looked at. */
export async function settleFirst(environment: Environment): Promise<void> {
  if (isThere(journalFile(environment))) await inTurn(environment, async () => {});
}

/** Makes a change. Only in turn. Returns where things that somebody had worked on are kept. */
export async function commit(environment: Environment, change: Change): Promise<readonly string[]> {
  const journal = await runSliced(preparing(environment, change), createSlicer()).catch(async (error: unknown) => {
    await settle(environment);
    throw unchanged(error);
  });
  return finish(environment, journal);
}

/** Settles a change that was interrupted: it is finished if it was ready, and undone if it was not. Only in turn. */
async function settle(environment: Environment): Promise<void> {
  sweepDrafts(environment);
  const file = journalFile(environment);
  const found = readJson(file);
  if (found.kind === 'absent') return;
  const journal = found.kind === 'value' ? read(journalSchema, found.value) : null;
  if (!journal?.ok) {
    const hint = 'Look at what is installed with repertoire verify, then remove the file.';
    throw new SkillError('unreadable', `${file}, the journal of an interrupted change, cannot be read`, { hint });
  }
  if (journal.value.isReady) await finish(environment, journal.value);
  else discard(environment, journal.value);
}

async function finish(environment: Environment, journal: Journal): Promise<readonly string[]> {
  try {
    await runSliced(moving(journal), createSlicer());
  } catch (error) {
    undo(journal);
    discard(environment, journal);
    throw unchanged(error);
  }
  const aside = await keptAside(environment, journal.moves);
  discard(environment, journal);
  return aside;
}

function unchanged(error: unknown): SkillError {
  const why = error instanceof Error ? error.message : String(error);
  return new SkillError('unwritable', `nothing was changed: ${oneLine(why)}`, { cause: error });
}

/** Makes everything that will come, in stages. Until the last step of this nothing has changed. */
export function* preparing(environment: Environment, { scope, steps, entries }: Change): SlicedTask<Journal> {
  const file = journalFile(environment);
  const id = `${stageMark}${process.pid}-${Date.now().toString(36)}`;
  const moves = steps.map(({ at, put, replaces, keepsOld = false }, index): Move => {
    const stage = join(stageParent(dirname(at)), id);
    const staged = put === null ? null : join(stage, `${index}-new`);
    return { at, staged, gone: join(stage, `${index}-old`), replaces, keepsOld };
  });
  const stages = [...new Set(moves.map(({ gone }) => dirname(gone)))];
  const journal = { version: 1 as const, isReady: false, scope, stages, moves, entries };
  putFile(file, JSON.stringify(journal));
  yield;
  for (const stage of stages) mkdirSync(stage, { mode: 0o700 });
  for (const [index, { at, put }] of steps.entries()) {
    const staged = moves[index]?.staged;
    if (put === null || staged === null || staged === undefined) continue;
    if ('linkTo' in put) symlinkSync(linkText(put.linkTo, at), staged, 'junction');
    else if (!isMoved(put.spare, staged)) {
      mkdirSync(staged, { mode: 0o755 });
      yield* copying(put.copyOf, staged);
    }
    yield;
  }
  const ready = { ...journal, isReady: true };
  putFile(file, JSON.stringify(ready));
  yield;
  return ready;
}

/** Moves a copy that was made ahead to where it is needed, if that can be done in one step. */
function isMoved(spare: string | undefined, staged: string): boolean {
  try {
    if (spare !== undefined) renameSync(spare, staged);
    return spare !== undefined;
  } catch {
    return false;
  }
}

/** The target of a link: relative, so that a project can be moved; on Windows only a whole path will do. */
function linkText(target: string, at: string): string {
  if (process.platform === 'win32') return target;
  const parent = dirname(at);
  return relative(isThere(parent) ? realpathSync(parent) : parent, target);
}

/** The folder for the stage of a place: beside the folder of skills, where no agent looks, if that is the same disk. */
function stageParent(folder: string): string {
  if (!isThere(folder)) return isThere(dirname(folder)) ? realpathSync(dirname(folder)) : stageParent(dirname(folder));
  const real = realpathSync(folder);
  const parent = dirname(real);
  return statSync(parent).dev === statSync(real).dev ? parent : real;
}

function isSomething(path: string): boolean {
  return linkStatOf(path).ok;
}

/** Moves everything into its place. Each step can be repeated, and what somebody else has put there stays. */
export function* moving({ moves, scope, entries }: Journal): SlicedTask<void> {
  for (const { at, staged, gone } of moves) {
    if (staged !== null && !isSomething(staged)) continue; // it is there already
    if (isSomething(at) && !isSomething(gone)) {
      renameSync(at, gone);
      yield;
    }
    if (staged !== null && !isSomething(at)) {
      makeFolder(dirname(at), 0o755);
      renameSync(staged, at);
      yield;
    }
  }
  changeLock(scope, entries);
  yield;
}

/** Moves everything back to where it was. */
function undo({ moves }: Journal): void {
  for (const { at, staged, gone } of moves.toReversed()) {
    if (staged !== null && !isSomething(staged) && isSomething(at)) renameSync(at, staged);
    if (isSomething(gone) && !isSomething(at)) renameSync(gone, at);
  }
}

function discard(environment: Environment, { stages }: Journal): void {
  for (const stage of stages) {
    if (basename(stage).startsWith(stageMark) && isThere(stage)) rmSync(stage, { recursive: true, force: true });
  }
  rmSync(journalFile(environment), { force: true });
}

/** Keeps what goes and is not what was meant to go: somebody has worked on it. */
async function keptAside(environment: Environment, moves: readonly Move[]): Promise<readonly string[]> {
  const places: string[] = [];
  for (const { at, gone, replaces, keepsOld } of moves) {
    const stats = lstatSync(gone, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isDirectory()) continue;
    const { digest } = await digestFiles(gone);
    if (!keepsOld && digest === replaces) continue;
    const place = join(ownFolder(environment), 'kept', `${basename(at)}-${shortDigest(digest)}`);
    if (!isThere(place)) cpSync(gone, place, { recursive: true, verbatimSymlinks: true });
    places.push(place);
  }
  return places;
}

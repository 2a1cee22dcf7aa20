import { readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { succeeds } from '../../../core/attempt.ts';
import { statOf } from '../../../core/disk/files.ts';
import { makeFolder } from '../../../core/disk/make-folder.ts';
import { isGone, lifeOf, type Owner, thisProcess } from '../../../core/disk/owner.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/hash.ts';
import { read } from '../../../core/schema/schema-reader.ts';
import { cannotMeet, type FolderUse, folderUseSchema } from './folder-use.ts';

export interface PlaceLimits {
  /** Maximum number of concurrent runs in all. */
  readonly maxConcurrent: number;
  /** Maximum number of concurrent runs of one skill. */
  readonly maxConcurrentPerSkill: number;
}

/** Reason why a run has no place yet. */
export type Blocked = 'total' | 'skill' | 'folder';

/** The needs of a run, which may have to wait for its folders. */
export interface Claim {
  readonly folders: FolderUse | null;
  /** Time at which the run arrived, in milliseconds of the clock. */
  readonly since: number;
}

/** The places for runs that all processes of a user on a host share. */
export interface Places {
  /**
   * Takes a place for a run of a skill, and returns a function that gives it back, or the reason to wait. Where others
   * have claimed the same folders for longer, they go first.
   */
  take(skill: string, claim: Claim): (() => void) | Blocked;
  /** Publishes which of our runs wait for folders, in place of the claims before. They hold while they are renewed. */
  claim(claims: readonly Claim[]): void;
  /** Publishes how many of our runs wait. */
  wait(count: number, blocked: Blocked): void;
  /** Number of waiting runs in all processes together. */
  waiting(): number;
  /** Tells whether a process was found dead since the last call: it may have left more behind than its place. */
  foundDead(): boolean;
  /** Leaves a mark for as long as this process keeps things for runs. */
  keep(): void;
  close(): void;
}

/** Milliseconds for which runs that waited longer go first: they may wait for something else, or have been stopped. */
const courtesyMs = 100;
/** Milliseconds for which a process that was seen alive is taken to be. */
const aliveMs = 250;
/** Milliseconds between renewals of a claim; `claimMs` is how long it holds, since a process may have been stopped. */
const renewMs = 500;
const claimMs = 2000;

interface Waiting {
  readonly name: string;
  readonly since: number;
  readonly count: number;
  readonly blocked: Blocked;
}

interface Seen {
  readonly runs: readonly string[];
  readonly waiting: readonly Waiting[];
  /** File names of claims. */
  readonly claims: readonly string[];
}

const none: Seen = { runs: [], waiting: [], claims: [] };

let entries = 0;

/**
 * Creates places that processes share. Every run is a file with a name that tells its skill and its process, so that
 * those of dead processes count for nothing. A process first makes the file and then counts: two that do so at once may
 * both step back and try again, but never both stay. Where no file can be made, each process counts for itself.
 */
export function sharedPlaces(folder: string, limits: PlaceLimits, owner: Owner = thisProcess()): Places {
  const { maxConcurrent, maxConcurrentPerSkill } = limits;
  const own = (name: string): string => `${name}.${owner}-${entries++}`;
  const made = new Set<string>();
  const seenAlive = new Map<string, number>();
  let died = false;
  let ticket: string | null = null;
  let turn = 0;
  let courteousSince: number | null = null;
  const claimed = new Map<Claim, string>();
  let renewedAt = 0;

  function make(name: string, text = ''): boolean {
    for (const isFirst of [true, false]) {
      try {
        writeWhole(folder, name, text);
        made.add(name);
        return true;
      } catch (error) {
        if (!isFirst || reasonOf(error) !== 'ENOENT' || !succeeds(() => makeFolder(folder))) return false;
      }
    }
    return false;
  }

  function remove(name: string): void {
    made.delete(name);
    succeeds(() => rmSync(join(folder, name), { force: true }));
  }

  function isAlive(name: string): boolean {
    const [, process = ''] = /(\d+\.\d+\.\w+)-\d+$/.exec(name) ?? [];
    if (process === owner || performance.now() - (seenAlive.get(process) ?? -aliveMs) < aliveMs) return true;
    const life = lifeOf(process);
    if (life === 'alive') seenAlive.set(process, performance.now());
    else seenAlive.delete(process);
    if (life === 'dead') {
      died = true;
      remove(name);
    } else if (life === 'unknown') removeStale(name, process);
    return life === 'alive'; // unknown for another container or host, which counts for itself
  }

  function removeStale(name: string, process: Owner): void {
    const stats = statOf(join(folder, name));
    if (stats.ok && isGone(process, stats.value.mtimeMs)) remove(name);
  }

  function look(): Seen {
    let names: readonly string[];
    try {
      names = readdirSync(folder);
    } catch {
      return none;
    }
    const alive = names.filter(isAlive);
    const named = (prefix: string) => alive.filter((name) => name.startsWith(prefix));
    return { runs: named('run.'), waiting: alive.flatMap(waitingIn), claims: named('claim.') };
  }

  /** Tells whether others have waited for longer, and there is no room for both them and us. */
  function isOthersTurn({ runs, waiting }: Seen): boolean {
    const mine = ticket === null ? Number.POSITIVE_INFINITY : turn; // whoever waits was here before whoever does not
    const before = waiting.filter(({ name, since, blocked }) => name !== ticket && blocked === 'total' && since < mine);
    if (runs.length + before.length < maxConcurrent || before.length === 0) {
      courteousSince = null;
      return false;
    }
    courteousSince ??= performance.now();
    return performance.now() - courteousSince < courtesyMs;
  }

  /** Tells whether a run that is not safe beside this one has the folders, or has claimed them for longer. */
  function isUsed({ runs, claims }: Seen, claim: Claim): boolean {
    const { folders } = claim;
    if (folders === null) return false;
    // The folders that a run or claim uses are in its file.
    const isInTheWay = (name: string): boolean => {
      const other = usedBy(join(folder, name));
      return other !== null && cannotMeet(folders, other);
    };
    const mine = claimed.get(claim);
    const before = mine === undefined ? claims : claims.filter((name) => name < mine);
    return (
      runs.some((name) => name.includes('.folders.') && isInTheWay(name)) ||
      before.some((name) => isInTheWay(name) && isHeld(join(folder, name)))
    );
  }

  /** The obstacle to one more run of a skill, or null. */
  function obstacleIn(seen: Seen, prefix: string, claim: Claim): Blocked | null {
    if (seen.runs.length >= maxConcurrent) return 'total';
    const ofSkill = seen.runs.filter((name) => name.startsWith(prefix)).length;
    if (ofSkill >= maxConcurrentPerSkill) return 'skill';
    if (isUsed(seen, claim)) return 'folder';
    return isOthersTurn(seen) ? 'total' : null;
  }

  return {
    take(skill, claim) {
      const { folders } = claim;
      const prefix = `run.${sha256(skill).slice(0, 16)}`;
      // A run that waits, or may have to, checks before it makes a file, which others would count.
      const inTheWay = ticket === null && folders === null ? null : obstacleIn(look(), prefix, claim);
      if (inTheWay !== null) return inTheWay;
      const [kind, text] = folders === null ? [prefix, ''] : [`${prefix}.folders`, JSON.stringify(folders)];
      const name = own(kind);
      if (!make(name, text)) return uncounted(folders);
      const seen = look();
      const obstacle = obstacleIn({ ...seen, runs: seen.runs.filter((one) => one !== name) }, prefix, claim);
      if (obstacle === null) turn = Date.now();
      else remove(name);
      return obstacle ?? (() => remove(name));
    },
    wait(count, blocked) {
      const before = ticket;
      if (before === null) turn = Date.now();
      ticket = count === 0 ? null : own(`wait.${turn}.${count}.${blocked}`);
      if (ticket !== null) make(ticket);
      if (before !== null) remove(before);
    },
    claim(claims) {
      for (const [one, name] of claimed) {
        if (claims.includes(one)) continue;
        claimed.delete(one);
        remove(name);
      }
      for (const one of claims) {
        const name = own(`claim.${one.since}`);
        if (!claimed.has(one) && make(name, JSON.stringify(one.folders))) claimed.set(one, name);
      }
      if (performance.now() - renewedAt < renewMs) return;
      renewedAt = performance.now();
      const now = new Date();
      for (const name of claimed.values()) succeeds(() => utimesSync(join(folder, name), now, now));
    },
    waiting: () => look().waiting.reduce((sum, { count }) => sum + count, 0),
    foundDead() {
      const answer = died;
      died = false;
      return answer;
    },
    keep: () => void make(own('keep')),
    close() {
      for (const name of made) remove(name);
    },
  };
}

function waitingIn(name: string): Waiting[] {
  const [, since, count, blocked] = /^wait\.(\d+)\.(\d+)\.(total|skill|folder)\./.exec(name) ?? [];
  return since === undefined ? [] : [{ name, since: Number(since), count: Number(count), blocked: blocked as Blocked }];
}

/** Writes a file that is there with all of its text, or not at all. */
function writeWhole(folder: string, name: string, text: string): void {
  const first = text === '' ? name : `new.${name}`;
  writeFileSync(join(folder, first), text, { flag: 'wx', mode: 0o600 });
  if (first !== name) renameSync(join(folder, first), join(folder, name));
}

/** Tells whether the process that made a claim still renews it. */
function isHeld(file: string): boolean {
  const stats = statOf(file);
  return stats.ok && Date.now() - stats.value.mtimeMs < claimMs;
}

/** Reads the folders that a run or claim uses; null if it has ended. An unreadable file may mean any folder. */
function usedBy(file: string): FolderUse | null {
  try {
    const reading = read(folderUseSchema, JSON.parse(readFileSync(file, 'utf8')), 'data', 1);
    if (reading.ok) return reading.value;
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return null;
  }
  return { byName: true, folders: [{ source: '/', access: 'write' }] };
}

/**
 * A place that is not counted, for when no file can be made. Containers with folders are refused one, since no other
 * process would know which folders they are given.
 */
function uncounted(folders: FolderUse | null): () => void {
  if (folders?.byName !== true) return () => undefined;
  throw new SkillError('unavailable', 'runs that use the same folders cannot be told of each other', {
    hint: 'Containers that are given folders need a state folder that can be written to; see `repertoire doctor`.',
  });
}

import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createLock, type Held, sweepLocks } from '../../core/disk/lock.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { thisProcess, userName } from '../../core/disk/owner.ts';
import type { Environment } from '../../core/environment.ts';
import { reasonOf } from '../../core/errors.ts';
import { type HeadWriter, openHead, settle, shortOfSpace, unwritable } from './head.ts';
import { fullFiles, linesForward, nameOf, numberOf, type Places, placesIn } from './log-files.ts';
import { checkpointBody, type Key, keepPublicKey, makeRecord, openKey, parseRecord } from './record.ts';
import {
  type AuditBody,
  type AuditChange,
  type AuditEnd,
  type AuditEvent,
  type AuditGrant,
  type AuditStart,
  type Link,
  noLink,
} from './types.ts';

interface WriterOptions {
  /** Whether a record must be on the disk, and not only with the system, before anything goes on. */
  readonly strict: boolean;
  /** Size in bytes above which a file is full. */
  readonly maxBytes: number;
  /** Number of records of which one is a checkpoint. */
  readonly checkpointEvery: number;
  /** Milliseconds to wait for other writers. */
  readonly lockTimeoutMs: number;
}

/** A writer that appends records, among other processes that do. Throws the system's errors as they are. */
interface Writer {
  append(body: AuditBody): void;
  /** Signs what was written, and releases everything. */
  close(): void;
}

/** The file as this process knows it, and what it takes to write to it. */
interface Log {
  readonly descriptor: number;
  readonly dev: number;
  readonly ino: number;
  readonly key: Key;
  readonly head: HeadWriter;
  /** Size of the file. Unless it has changed since, nothing needs to be read. */
  size: number;
  link: Link;
  event: AuditEvent | null;
}

function createWriter(places: Places, { strict, maxBytes, checkpointEvery, lockTimeoutMs }: WriterOptions): Writer {
  const lock = createLock(places.lock, 'the audit log is');
  let log: Log | null = null;
  let canRotate = true;
  let hasWritten = false;

  function locked(work: (log: Log) => void): void {
    const held = take();
    try {
      work(caughtUp(held));
    } catch (error) {
      forget(); // whatever is known may be wrong now
      throw error;
    } finally {
      held.release();
    }
  }

  function take(): Held {
    try {
      return lock.take(lockTimeoutMs);
    } catch (error) {
      if (reasonOf(error) !== 'ENOENT') throw error;
      makeFolder(places.folder); // missing as yet, or removed since
      chmodSync(places.folder, 0o700);
      return lock.take(lockTimeoutMs);
    }
  }

  /** The log as it is now, with the records of other processes. */
  function caughtUp(held: Held): Log {
    const stats = statSync(places.current, { throwIfNoEntry: false });
    if (log !== null && stats !== undefined && stats.ino === log.ino && stats.dev === log.dev) {
      return stats.size === log.size ? log : resumed(log);
    }
    forget();
    if (!held.isInherited) sweepLocks(places.folder);
    return opened();
  }

  function opened(): Log {
    log = openLog(places);
    return resumed(log);
  }

  /** Learns where the chain goes on, and writes the records that must come before it does. */
  function resumed(to: Log): Log {
    const { alarm, isEmpty, size, link, event } = settle(to.descriptor, places, to.key);
    Object.assign(to, { size, link, event });
    // A log without a head has lost it, so that there must be one before there is anything to lose.
    if (link.seq === 0 && alarm === null) to.head.write(link);
    const before = isEmpty ? fullFiles(places.folder).at(-1) : undefined;
    if (before !== undefined) write(to, { event: 'continued', file: before });
    if (alarm !== null) write(to, { event: 'alarm', why: alarm });
    return to;
  }

  /** Writes a record whole, or not at all. */
  function write(to: Log, body: AuditBody): void {
    const { line, link } = makeRecord(body, to.link, to.key, new Date());
    try {
      if (writeSync(to.descriptor, line) !== line.length) throw shortOfSpace();
      if (strict) fdatasyncSync(to.descriptor);
      to.head.write(link);
      if (strict) to.head.sync();
    } catch (error) {
      unwrite(to);
      throw error;
    }
    to.size += line.length;
    to.link = link;
    to.event = body.event;
  }

  function checkpoint(to: Log): void {
    keepPublicKey(places.publicKey, to.key);
    write(to, checkpointBody(to.link, to.key));
  }

  /** Puts a full file aside. A file that cannot be put aside is written on. */
  function rotated(full: Log): Log {
    if (!canRotate || full.size < maxBytes) return full;
    if (full.event !== 'checkpoint') checkpoint(full);
    try {
      renameSync(places.current, join(places.folder, nameOf(nextNumber(full.descriptor, places.folder))));
    } catch {
      canRotate = false;
      return full;
    }
    forget();
    return opened();
  }

  function forget(): void {
    if (log !== null) closeSync(log.descriptor);
    log?.head.close();
    log = null;
  }

  return {
    append(body) {
      locked((found) => {
        const to = rotated(found);
        if ((to.link.seq + 1) % checkpointEvery === 0) checkpoint(to);
        write(to, body);
        hasWritten = true;
      });
    },
    close() {
      try {
        if (hasWritten) locked((found) => (found.event === 'checkpoint' ? undefined : checkpoint(found)));
      } finally {
        forget();
        lock.close();
        hasWritten = false;
      }
    },
  };
}

function openLog({ current, privateKey, head }: Places): Log {
  const key = openKey(privateKey);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(current, flags, 0o600);
  try {
    const { dev, ino, mode } = regularStats(descriptor);
    if ((mode & 0o777) !== 0o600) fchmodSync(descriptor, 0o600);
    return { descriptor, dev, ino, key, head: openHead(head, key), size: 0, link: noLink, event: null };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function regularStats(descriptor: number): Stats {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) throw new Error('not a regular file');
  return stats;
}

/** Takes back a record that was not written whole. Where even that fails, the next writer will. */
function unwrite({ descriptor, size }: Log): void {
  try {
    ftruncateSync(descriptor, size);
  } catch {
    // The rest is not a record, and is known not to be one.
  }
}

/**
 * The number for the next full file. Files that were moved away must not have their numbers given to others: the first
 * record names the last one.
 */
function nextNumber(descriptor: number, folder: string): number {
  const [first] = linesForward(descriptor, 0, fstatSync(descriptor).size);
  const record = first === undefined ? null : parseRecord(first.bytes);
  const before = record?.event === 'continued' ? numberOf(record.file) : null;
  const newest = fullFiles(folder).at(-1);
  return Math.max(before ?? 0, newest === undefined ? 0 : (numberOf(newest) ?? 0)) + 1;
}

/** The log in which executions are written down. All calls are synchronous: when they return, the record stands. */
export interface Audit {
  /** Records a start. Throws a `SkillError` when the record cannot be written whole; then nothing must be run. */
  start(record: AuditStart): void;
  /** Records the end of an execution. Throws as `start` does; then no result must be returned. */
  end(record: AuditEnd): void;
  /** Records a grant. Throws as `start` does; then nothing must be granted. */
  grant(record: AuditGrant): void;
  /** Records a change. Throws as `start` does; then nothing must be changed. */
  change(record: AuditChange): void;
  /** Signs the records that were written. Nothing is lost where that fails, or is never called. */
  close(): void;
}

export type AuditOptions = Partial<WriterOptions>;

const defaults: WriterOptions = {
  strict: false,
  maxBytes: 16 * 1024 * 1024,
  checkpointEvery: 256,
  lockTimeoutMs: 5_000,
};

/** Opens the audit log. Nothing is touched before the first record. */
export function openAudit(environment: Environment, options: AuditOptions = {}): Audit {
  const places = placesIn(environment);
  const writer = createWriter(places, { ...defaults, ...options });

  function append(body: AuditBody): void {
    try {
      writer.append(body);
    } catch (error) {
      throw unwritable(error, places.current);
    }
  }

  return {
    start: (record) => append({ event: 'start', process: thisProcess(), ...record }),
    end: (record) => append({ event: 'end', ...record }),
    grant: (record) => append({ event: 'grant', user: userName(), ...record }),
    change: (record) => append({ event: 'change', user: userName(), ...record }),
    close() {
      try {
        writer.close();
      } catch {
        // Every record stands and is vouched for; the next writer signs them.
      }
    },
  };
}

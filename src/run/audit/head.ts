import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isAbsent, readRegularFile } from '../../core/disk/files.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { fullFiles, type Line, linesBackward, type Places } from './log-files.ts';
import { checkLine, isVouched, type Key, lineLimit } from './record.ts';
import { type AuditEvent, type Link, noLink } from './types.ts';

const room = 'Free some space on its disk, or raise the quota.';
const access = 'Make it writable for this user, or set XDG_STATE_HOME to a folder that is.';

/** Remedies by the error code of the system. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: room,
  EDQUOT: room,
  EFBIG: 'Raise the limit on file size (ulimit -f).',
  EACCES: access,
  EPERM: access,
  EROFS: access,
  ENOTDIR: 'Set XDG_STATE_HOME, or HOME, to a folder that this user may write to.',
  ELOOP: 'Replace the link with a regular file or folder.',
  EMFILE: 'Raise the limit on open files (ulimit -n).',
};

/** The one error for everything that keeps a record from being written whole. Its receiver must not run anything. */
export function unwritable(error: unknown, path: string): SkillError {
  if (error instanceof SkillError) return error;
  const reason = reasonOf(error);
  return new SkillError('unwritable', `the audit log cannot be written (${reason}): ${path}`, {
    hint: `Nothing is run or granted without a record. ${remedies[reason] ?? 'Fix it, and try again.'}`,
    cause: error,
  });
}

/** A system error made by hand, for failures that the system reports only by doing less than it was asked. */
export function shortOfSpace(): Error {
  return Object.assign(new Error('only a part was written'), { code: 'ENOSPC' });
}

/**
 * The point that the log had reached. A log that was cut off is still a valid chain, only shorter: this small file
 * beside its folder reveals it. The file is written in place, within one sector, so that it is never left half old and
 * half new.
 */
export type Head = { readonly state: 'absent' | 'forged' } | ({ readonly state: 'sound' } & Link);

const size = 256;
const form = /^(\d{1,16}) ([0-9a-f]{64}) ([0-9a-f]{64}) *\n$/;

export function readHead(path: string, key: Key | null): Head {
  const file = readRegularFile(path, size);
  if (!file.ok) return { state: isAbsent(file.reason) ? 'absent' : 'forged' };
  const { bytes } = file.value;
  if (bytes.length === 0) return { state: 'absent' }; // created, and never written
  const [, seq = '', hash = '', mac = ''] = form.exec(bytes.toString('latin1')) ?? [];
  const link = { seq: Number(seq), hash };
  return hash !== '' && key?.mac('head', link) === mac ? { state: 'sound', ...link } : { state: 'forged' };
}

export interface HeadWriter {
  write(link: Link): void;
  sync(): void;
  close(): void;
}

export function openHead(path: string, key: Key): HeadWriter {
  const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(path, flags, 0o600);
  fchmodSync(descriptor, 0o600);
  return {
    write(link) {
      const text = `${link.seq} ${link.hash} ${key.mac('head', link)}`.padEnd(size - 1);
      if (writeSync(descriptor, `${text}\n`, 0, 'latin1') !== size) throw shortOfSpace();
    },
    sync: () => fdatasyncSync(descriptor),
    close: () => closeSync(descriptor),
  };
}

/** The point where a chain goes on. */
interface Settled {
  readonly link: Link;
  /** The event of the last record; null where there is none. */
  readonly event: AuditEvent | null;
  /** Whether the file that is to be written has no record yet. */
  readonly isEmpty: boolean;
  /** The fault of the log as it was found. It must be recorded in the log itself, or the next record would hide it. */
  readonly alarm: string | null;
  readonly size: number;
}

/** Bytes read at first; most last records fit into this. */
const firstBytes = 4096;

/** Finds out which record the next one follows. The lock must be held. */
export function settle(descriptor: number, places: Places, key: Key): Settled {
  const { size, line } = mended(descriptor);
  const isEmpty = line === null;
  const tail = isEmpty ? tailOfFull(places.folder, key) : tailOf(line, key);
  const event = tail === null || tail === 'forged' ? null : tail.event;
  return { ...following(tail, readHead(places.head, key)), event, isEmpty, size };
}

/**
 * Removes the text after the last line end, so that every line is a record. It was never one: its writer was ended in
 * the middle, and nothing was run on the strength of it. Had it been a record, the head would know.
 */
function mended(descriptor: number): { readonly size: number; readonly line: Line | null } {
  const { size } = fstatSync(descriptor);
  const line = lastLine(descriptor, size);
  const end = line?.end ?? 0;
  if (end === size) return { size, line };
  if (size - end <= lineLimit) {
    ftruncateSync(descriptor, end);
    return { size: end, line };
  }
  // No writer of records left so much. It stays where it is, for others to examine.
  writeSync(descriptor, '\n');
  return { size: size + 1, line: lastLine(descriptor, size + 1) };
}

function lastLine(descriptor: number, size: number): Line | null {
  const [line = null] = linesBackward(descriptor, size, firstBytes);
  return line;
}

/** The last record: none, one that nobody with the key has made, or a sound one. */
type Tail = null | 'forged' | (Link & { readonly event: AuditEvent });

function tailOf(line: Line | null, key: Key): Tail {
  if (line === null) return null;
  const checked = checkLine(line.bytes);
  return checked.ok && isVouched(checked.record, key) ? checked.record : 'forged';
}

/** The last record of the newest full file, where it is until the next file has its first record. */
function tailOfFull(folder: string, key: Key): Tail {
  const name = fullFiles(folder).at(-1);
  if (name === undefined) return null;
  const descriptor = openSync(join(folder, name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    return tailOf(lastLine(descriptor, fstatSync(descriptor).size), key) ?? 'forged';
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The link that the next record follows, and the alarm to raise. A log may be ahead of its head, whose writer was ended
 * in between, and never behind. Where it is behind, the chain goes on from the head: what is missing stays missing for
 * everyone to see, no matter who writes next.
 */
function following(tail: Tail, head: Head): Pick<Settled, 'link' | 'alarm'> {
  if (head.state !== 'sound') {
    if (tail === null && head.state === 'absent') return { link: noLink, alarm: null };
    return { link: tail === null || tail === 'forged' ? noLink : tail, alarm: `the head of the log was ${head.state}` };
  }
  const { seq, hash } = head;
  if (tail === null) return { link: head, alarm: seq === 0 ? null : `the log was missing, with records up to ${seq}` };
  if (tail === 'forged') return { link: head, alarm: 'the last record was changed' };
  if (tail.seq > seq || (tail.seq === seq && tail.hash === hash)) return { link: tail, alarm: null };
  return { link: head, alarm: `the log ended with record ${tail.seq} instead of ${seq}` };
}

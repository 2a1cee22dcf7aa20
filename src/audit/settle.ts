import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Head, readHead } from './head.ts';
import type { Key } from './key.ts';
import { type Line, linesBackward } from './lines.ts';
import { fullFiles, type Places } from './places.ts';
import { checkLine, isVouched, lineLimit } from './record.ts';
import { type AuditEvent, type Link, noLink } from './types.ts';

/** Where a chain goes on. */
export interface Settled {
  readonly link: Link;
  /** What the last record was; null where there is none. */
  readonly event: AuditEvent | null;
  /** Whether the file that is to be written has no record yet. */
  readonly isEmpty: boolean;
  /** What is wrong with the log as it was found. It must be said in the log itself, or the next record would hide it. */
  readonly alarm: string | null;
  readonly size: number;
}

/** Most last records fit in so much. */
const firstBytes = 4096;

/** Finds out what the next record follows. The lock must be held. */
export function settle(descriptor: number, places: Places, key: Key): Settled {
  const { size, line } = mended(descriptor);
  const isEmpty = line === null;
  const tail = isEmpty ? tailOfFull(places.folder, key) : tailOf(line, key);
  const event = tail === null || tail === 'forged' ? null : tail.event;
  return { ...following(tail, readHead(places.head, key)), event, isEmpty, size };
}

/**
 * What follows the last line end was never a record: its writer was ended in the middle, and nothing was run on the
 * strength of it. It is taken away, so that every line is a record. Had it been one, the head would know.
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
  // Nobody who writes records left so much. It stays where it is, for others to look at.
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

/** Between the renaming of a full file and the first record of the next one, the last record is in the full one. */
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
 * A log may be ahead of its head, whose writer was ended in between, and never behind. Where it is behind, the chain
 * goes on from the head: what is missing stays missing for everyone to see, whoever writes next.
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

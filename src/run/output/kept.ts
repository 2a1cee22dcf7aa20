import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { entriesOf, linkStatOf, readRegularFile } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { stateFolder } from '../../core/disk/own-folders.ts';
import { discard } from '../../core/disk/replace.ts';
import type { Environment } from '../../core/environment.ts';

type Stream = 'stdout' | 'stderr';

const mb = 1024 ** 2;

/** Bounds of what is kept: bytes of one execution, and executions, bytes and age of all. */
export interface OutputQuota {
  readonly oneBytes: number;
  readonly executions: number;
  readonly bytes: number;
  readonly ageMs: number;
}

const outputQuota: OutputQuota = {
  oneBytes: 16 * mb,
  executions: 500,
  bytes: 256 * mb,
  ageMs: 7 * 24 * 60 * 60 * 1000,
};

/** A piece of output, in the order in which it came. */
export interface OutputPiece {
  readonly stream: Stream;
  readonly bytes: Uint8Array;
}

/** The output of an execution, as far as it is kept. */
export interface KeptOutput {
  readonly pieces: readonly OutputPiece[];
  /** Bytes beyond the quota, which are lost. */
  readonly leftOut: number;
}

export function outputsFolder(environment: Environment): string {
  return join(stateFolder(environment), 'outputs');
}

const idForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const ending = '.output';

/**
 * The marks of the parts of a file: a byte each, followed by a length of four bytes and as many bytes. The last part says
 * how many bytes were left out.
 */
const marks = { stdout: 1, stderr: 2, leftOut: 3 } as const;
const headBytes = 5;

/** Bytes that are gathered before they are written: a run that writes byte by byte must not cost a call for each. */
const gatherBytes = 64 * 1024;

/** Keeps the output of one execution. */
export interface OutputRecorder {
  add(stream: Stream, bytes: Uint8Array): void;
  /** Writes what is left, and removes what is old or too much. */
  close(): void;
}

/**
 * Keeps the output of an execution in a file for this user alone, which is created with the first byte. It is there for
 * people who come back to it: where it cannot be written, the run goes on without.
 */
export function keepOutput(environment: Environment, id: string, quota = outputQuota): OutputRecorder {
  const folder = outputsFolder(environment);
  let descriptor: number | null = null;
  let waiting: OutputPiece[] = [];
  let [waitingBytes, kept, leftOut, hasFailed] = [0, 0, 0, false];

  function attempt(work: () => void): void {
    if (hasFailed) return;
    try {
      work();
    } catch {
      hasFailed = true;
    }
  }

  function opened(): number {
    makeFolder(folder);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    return openSync(join(folder, `${id}${ending}`), flags, 0o600);
  }

  function flush(): void {
    if (waiting.length === 0) return;
    descriptor ??= opened();
    writeWhole(descriptor, Buffer.concat(joined(waiting).map(({ stream, bytes }) => part(marks[stream], bytes))));
    [waiting, waitingBytes] = [[], 0];
  }

  return {
    add(stream, bytes) {
      const room = Math.max(0, quota.oneBytes - kept);
      const fits = bytes.subarray(0, room);
      leftOut += bytes.length - fits.length;
      kept += fits.length;
      if (fits.length === 0) return;
      waiting.push({ stream, bytes: fits });
      waitingBytes += fits.length;
      if (waitingBytes >= gatherBytes) attempt(flush);
    },
    close() {
      attempt(() => {
        flush();
        if (descriptor !== null && leftOut > 0) {
          writeWhole(descriptor, part(marks.leftOut, Buffer.from(String(leftOut))));
        }
      });
      if (descriptor === null) return;
      closeSync(descriptor);
      descriptor = null;
      pruneSoon(folder, kept, quota);
    },
  };
}

/** Neighbouring pieces of a stream as one. */
function joined(pieces: readonly OutputPiece[]): readonly OutputPiece[] {
  const runs: { readonly stream: Stream; readonly parts: Uint8Array[] }[] = [];
  for (const { stream, bytes } of pieces) {
    const last = runs.at(-1);
    if (last?.stream === stream) last.parts.push(bytes);
    else runs.push({ stream, parts: [bytes] });
  }
  return runs.map(({ stream, parts }) => ({ stream, bytes: Buffer.concat(parts) }));
}

function part(mark: number, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(mark, 0);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** Reads the output of an execution; null where none is kept. What a killed process left half written is left out. */
export function readOutput(environment: Environment, id: string, quota = outputQuota): KeptOutput | null {
  if (!idForm.test(id)) return null;
  // Each part has a head, and the smallest part is one byte.
  const read = readRegularFile(join(outputsFolder(environment), `${id}${ending}`), quota.oneBytes * (headBytes + 2));
  if (!read.ok) return null;
  const { bytes: all, stats } = read.value;
  if (process.getuid !== undefined && stats.uid !== process.getuid()) return null;
  const pieces: OutputPiece[] = [];
  let leftOut = 0;
  for (let at = 0; at + headBytes <= all.length; ) {
    const [mark, start] = [all.readUInt8(at), at + headBytes];
    const end = start + all.readUInt32BE(at + 1);
    if (end > all.length) break;
    const bytes = all.subarray(start, end);
    if (mark === marks.leftOut) leftOut = Number(bytes.toString('latin1')) || 0;
    else pieces.push({ stream: mark === marks.stderr ? 'stderr' : 'stdout', bytes });
    at = end;
  }
  return { pieces, leftOut };
}

/** Time and amount since the last look at the whole folder: a look at each run would cost more than the run's output. */
const since = { at: Number.NEGATIVE_INFINITY, executions: 0, bytes: 0 };
const lookEveryMs = 60_000;

function pruneSoon(folder: string, bytes: number, quota: OutputQuota): void {
  since.executions += 1;
  since.bytes += bytes;
  const isDue =
    Date.now() - since.at > lookEveryMs || since.executions > quota.executions / 10 || since.bytes > quota.bytes / 10;
  if (!isDue) return;
  Object.assign(since, { at: Date.now(), executions: 0, bytes: 0 });
  pruneOutputs(folder, quota);
}

/** Removes what is older than the quota allows, and the oldest of what is too much. */
export function pruneOutputs(folder: string, { executions, bytes, ageMs }: OutputQuota, now = Date.now()): void {
  const entries = entriesOf(folder);
  if (!entries.ok) return;
  const files = entries.value.flatMap(({ name }) => {
    const stats = linkStatOf(join(folder, name));
    return stats.ok ? [{ name, at: stats.value.mtimeMs, size: stats.value.size }] : [];
  });
  let [count, size] = [0, 0];
  for (const file of files.sort((one, other) => other.at - one.at)) {
    count += 1;
    size += file.size;
    if (count > executions || size > bytes || now - file.at > ageMs) discard(join(folder, file.name));
  }
}

import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { reasonOf } from '../../kernel/errors.ts';
import { entriesOf, readRegularFile, statOf } from '../../kernel/files.ts';
import { putFile } from '../../kernel/replace.ts';
import { byText } from '../../kernel/text.ts';

/**
 * A person who wants a file back wants it as it was before a certain day, which may be the first or the last time that
 * we touched it. So each text has its own file, with the time in its name; only the newest of them are kept.
 */
const keptBackups = 5;

const stamp = /^(\d{8}-\d{6})(?:-(\d+))?$/;

/** The draft of a file or of a backup: `.NAME.PROCESS.RANDOM`, behind the name of the file. */
const draft = /^(?:backup-[\d-]+\.)?(\d+)\.[0-9a-z]+$/;

/** A draft this old was left behind by a process that was killed. */
const draftAge = 60_000;

/** Keeps a text beside its file, for its owner alone; returns where. What is kept already is not kept twice. */
export function keepBackup(file: string, text: string, now = new Date()): string {
  const backups = backupsOf(file);
  const newest = backups.at(-1);
  if (newest !== undefined && isText(newest.path, text)) return newest.path;
  // Before the new one comes, so that a process that is killed in between leaves no more than there should be.
  for (const { path } of backups.slice(0, Math.max(0, backups.length + 1 - keptBackups))) rmSync(path, { force: true });
  const time = now.toISOString().replace(/\..*$/, '').replaceAll(/[-:]/g, '').replace('T', '-');
  const count = newest?.time === time ? newest.count + 1 : 1;
  const path = `${file}.backup-${time}${count === 1 ? '' : `-${count}`}`;
  putFile(path, text);
  return path;
}

interface Backup {
  readonly path: string;
  readonly time: string;
  /** Which one of that second it is. */
  readonly count: number;
}

/** Oldest first. The name is all that counts: a copy to another disk may change the times. */
function backupsOf(file: string): Backup[] {
  const start = `${basename(file)}.backup-`;
  return namesBeside(file)
    .flatMap((name): Backup[] => {
      const [, time, count] = (name.startsWith(start) && stamp.exec(name.slice(start.length))) || [];
      return time === undefined ? [] : [{ path: join(dirname(file), name), time, count: Number(count ?? 1) }];
    })
    .sort((one, other) => byText(one.time, other.time) || one.count - other.count);
}

function namesBeside(file: string): string[] {
  const entries = entriesOf(dirname(file));
  return entries.ok ? entries.value.filter((entry) => entry.isFile()).map(({ name }) => name) : [];
}

function isText(path: string, text: string): boolean {
  const bytes = Buffer.from(text);
  const read = readRegularFile(path, bytes.length);
  return read.ok && read.value.bytes.equals(bytes);
}

/** Removes what processes that were killed have left beside the file. */
export function sweepDrafts(file: string, now = Date.now()): void {
  const start = `.${basename(file)}.`;
  for (const name of namesBeside(file)) {
    const process = name.startsWith(start) ? draft.exec(name.slice(start.length))?.[1] : undefined;
    if (process === undefined || isRunning(Number(process))) continue;
    const path = join(dirname(file), name);
    const stats = statOf(path);
    if (stats.ok && now - stats.value.mtimeMs > draftAge) rmSync(path, { force: true });
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return reasonOf(error) !== 'ESRCH';
  }
}

import { join } from 'node:path';
import { createLock, type Held } from '../../audit/lock.ts';
import type { Environment } from '../../kernel/environment.ts';
import { makeFolder } from '../../kernel/make-folder.ts';
import { stateFolder } from '../../kernel/own-folders.ts';

/** All files together are written in less. */
const patienceMs = 10_000;

/**
 * Of two of us that change the same file at the same time, one would undo what the other has done. Where there is no
 * turn to be had, it is done without: a person waits, and the files themselves are looked at once more before each write.
 */
export function inTurn<T>(environment: Environment, action: () => T): T {
  const folder = stateFolder(environment);
  const lock = createLock(join(folder, 'setup.lock'));
  let held: Held | null = null;
  try {
    makeFolder(folder);
    held = lock.take(patienceMs);
  } catch {
    // Without.
  }
  try {
    return action();
  } finally {
    held?.release();
    lock.close();
  }
}

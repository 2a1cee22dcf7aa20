import { closeSync, fstatSync } from 'node:fs';
import type { Environment } from '../../kernel/environment.ts';
import { statOf } from '../../kernel/files.ts';
import { linesForward } from '../lines.ts';
import { followTail, type Tail } from '../tail.ts';
import { eventIn } from './line.ts';
import { openLog } from './open.ts';
import { activityPlaces, currentName } from './places.ts';
import type { ActivityEvent } from './types.ts';

/** What is written down from now on, until the signal is aborted. */
export async function* followEvents(environment: Environment, signal: AbortSignal): AsyncGenerator<ActivityEvent> {
  yield* followTail(createTail(environment), signal);
}

function createTail(environment: Environment): Tail<ActivityEvent> {
  const { folder, current } = activityPlaces(environment);
  let file = openLog(folder, currentName);
  let offset = file?.size ?? 0;

  function take(): ActivityEvent[] {
    if (file === null) return [];
    const found: ActivityEvent[] = [];
    const { size } = fstatSync(file.descriptor);
    if (size < offset) offset = 0; // somebody has emptied it
    for (const { bytes, end } of linesForward(file.descriptor, offset, size)) {
      const event = eventIn(bytes);
      if (event !== null) found.push(event);
      offset = end;
    }
    return found;
  }

  function close(): void {
    if (file !== null) closeSync(file.descriptor);
    file = null;
  }

  return {
    poll() {
      const found = take();
      const now = statOf(current);
      if (!now.ok || now.value.ino === file?.ino) return found;
      found.push(...take()); // what was written before the file was put aside
      close();
      [file, offset] = [openLog(folder, currentName), 0];
      return [...found, ...take()];
    },
    close,
  };
}

import type { Environment } from '../../kernel/environment.ts';
import { linesBackward } from '../lines.ts';
import { closeFiles, type OpenFile } from '../snapshot.ts';
import { eventIn } from './line.ts';
import { openLog } from './open.ts';
import { activityPlaces, currentName, fullNames } from './places.ts';
import type { ActivityEvent } from './types.ts';

/** Most who ask want the last few rows: these fit into so much. */
const firstBytes = 32 * 1024;

/** What was written down, the newest first, read from the end as far as it is asked for. Whatever is no event is left out. */
export function* eventsBackward(environment: Environment): Generator<ActivityEvent> {
  for (const file of filesBackward(environment)) {
    try {
      for (const { bytes } of linesBackward(file.descriptor, file.size, firstBytes)) {
        const event = eventIn(bytes);
        if (event !== null) yield event;
      }
    } finally {
      closeFiles([file]);
    }
  }
}

/** Each is opened when the newer ones are read; one that is put aside meanwhile is not read twice. */
function* filesBackward(environment: Environment): Generator<OpenFile> {
  const { folder } = activityPlaces(environment);
  const seen = new Set<number>();
  const current = openLog(folder, currentName);
  if (current !== null) {
    seen.add(current.ino);
    yield current;
  }
  for (const name of fullNames(folder)) {
    const file = openLog(folder, name);
    if (file === null) continue;
    if (seen.has(file.ino)) closeFiles([file]);
    else yield file;
    seen.add(file.ino);
  }
}

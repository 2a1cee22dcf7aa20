import { closeSync, fstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { linesBackward, linesForward } from './lines.ts';
import { currentName, fullFiles, type Places } from './places.ts';
import { parseRecord } from './record.ts';
import { type OpenFile, openFile } from './snapshot.ts';
import { followTail, type Tail } from './tail.ts';
import type { AuditRecord } from './types.ts';

/** The records that are written from now on, from file to file, until the signal is aborted. Takes over the file. */
export async function* followLog(
  places: Places,
  from: OpenFile | null,
  signal: AbortSignal,
): AsyncGenerator<AuditRecord> {
  yield* followTail(createTail(places, from), signal);
}

function createTail(places: Places, from: OpenFile | null): Tail<AuditRecord> {
  let file = from;
  let offset = from === null ? 0 : endOfLines(from);

  function take(): AuditRecord[] {
    if (file === null) return [];
    const found: AuditRecord[] = [];
    for (const { bytes, end } of linesForward(file.descriptor, offset, fstatSync(file.descriptor).size)) {
      const record = parseRecord(bytes);
      if (record !== null) found.push(record);
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
      for (let next = fileAfter(file, places); next !== null; next = fileAfter(file, places)) {
        found.push(...take()); // what was written before the file was put aside
        close();
        [file, offset] = [next, 0];
        found.push(...take());
      }
      return found;
    },
    close,
  };
}

function endOfLines({ descriptor, size }: OpenFile): number {
  const [last] = linesBackward(descriptor, size);
  return last?.end ?? 0;
}

/** The file that the log goes on in, where it is another one by now. */
function fileAfter(file: OpenFile | null, { folder, current }: Places): OpenFile | null {
  const now = statSync(current, { throwIfNoEntry: false });
  if (now === undefined || now.ino === file?.ino) return null;
  const names = fullFiles(folder);
  const place = names.findIndex((name) => inodeOf(join(folder, name)) === file?.ino);
  return openFile(folder, (place === -1 ? undefined : names[place + 1]) ?? currentName);
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

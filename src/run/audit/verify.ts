import { readRegularFile } from '../../core/disk/files.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import type { OnProgress } from '../../core/progress.ts';
import { count, flag, type Infer, list, nullable, object, text } from '../../core/schema/schema.ts';
import { createSlicer, type Slicer } from '../../core/time-slice.ts';
import { type Head, readHead } from './head.ts';
import { closeFiles, currentName, linesForward, type OpenFile, openFiles, type Places, placesIn } from './log-files.ts';
import { type Key, readKey } from './record.ts';
import { archivedSchema, type Broken, brokenSchema, createWalk, type Walk } from './walk.ts';

export const verifyResultSchema = object({
  ok: flag(),
  folder: text(),
  records: count(),
  files: count(),
  checkpoints: count(),
  key: nullable(text(), 'The fingerprint of the key that vouches for them.'),
  // The last valid record. Noted elsewhere, it proves later that nothing before it was changed.
  last: nullable(object({ seq: count(), hash: text() }), 'The last valid record.'),
  // Files that were put elsewhere, and of which only the last checkpoint is here.
  archived: list(archivedSchema),
  tornBytes: count('Bytes that a killed writer left at the end.'),
  broken: nullable(brokenSchema, 'The first record that was tampered with.'),
});
export type VerifyResult = Infer<typeof verifyResultSchema>;

/** Goes through all records in order, up to the first that is broken. Writes nothing and takes no lock. */
export async function verifyAudit(environment: Environment, onProgress?: OnProgress): Promise<VerifyResult> {
  const places = placesIn(environment);
  const key = keyAt(places);
  // The head first: whatever is written while we read makes the log longer than the head says, which it may be.
  const head = steadyHead(places, key);
  const files = openFiles(places);
  try {
    const known = head.state === 'sound' ? head : null;
    const walk = createWalk(key, known);
    const slicer = createSlicer(() =>
      onProgress?.({ what: 'Checking records', done: walk.link.seq, total: known?.seq }),
    );
    const { broken, tornBytes } = await walkThrough(files, walk, slicer);
    const found = broken ?? problemAround(walk, { places, key, head });
    const { records, checkpoints, archived, link } = walk;
    return {
      ok: found === null,
      folder: places.folder,
      records,
      files: files.length,
      checkpoints,
      key: key?.fingerprint() ?? null,
      last: link.seq === 0 ? null : { seq: link.seq, hash: link.hash },
      archived,
      tornBytes,
      broken: found,
    };
  } finally {
    closeFiles(files);
  }
}

/** Reads the key. One that cannot be used vouches for nothing, and is reported as such. */
function keyAt({ privateKey }: Places): Key | null {
  try {
    const key = readKey(privateKey);
    key?.fingerprint();
    return key;
  } catch (error) {
    if (error instanceof SkillError) throw error;
    return null;
  }
}

/** Reads the head until it is sound: it is written in place while we read, and may be seen half old and half new. */
function steadyHead({ head: path }: Places, key: Key | null): Head {
  let head = readHead(path, key);
  for (let attempt = 0; attempt < 20 && key !== null && head.state === 'forged'; attempt++) head = readHead(path, key);
  return head;
}

async function walkThrough(
  files: readonly OpenFile[],
  walk: Walk,
  slicer: Slicer,
): Promise<{ readonly broken: Broken | null; readonly tornBytes: number }> {
  let tornBytes = 0;
  for (const file of files) {
    let end = 0;
    walk.enter(file);
    for (const line of linesForward(file.descriptor, 0, file.size)) {
      const broken = walk.step(line);
      if (broken !== null) return { broken, tornBytes };
      end = line.end;
      if (slicer.isDue) await slicer.pause();
    }
    const broken = file.name === currentName ? null : walk.leave(file.size - end);
    if (broken !== null) return { broken, tornBytes };
    tornBytes = file.size - end;
  }
  return { broken: null, tornBytes };
}

interface Around {
  readonly places: Places;
  readonly key: Key | null;
  readonly head: Head;
}

/** The fault that there can be although every record is in order. */
function problemAround({ link, records }: Walk, { places, key, head }: Around): Broken | null {
  const at = { file: currentName, line: null, seq: null };
  const isEmpty = records === 0 && head.state === 'absent';
  if (isEmpty) return null;
  if (key === null) {
    const message = `the audit key is missing: ${places.privateKey}`;
    return { ...at, why: 'key', message };
  }
  if (head.state !== 'sound') {
    const message = `the head of the log is ${head.state === 'absent' ? 'missing' : 'not valid'}: ${places.head}`;
    return { ...at, why: 'head', message };
  }
  if (head.seq > link.seq) {
    const message = `records ${link.seq + 1} to ${head.seq} were cut off from the end`;
    return { ...at, seq: link.seq + 1, why: 'cut-off', message };
  }
  const beside = readRegularFile(places.publicKey, 4096);
  if (beside.ok && beside.value.bytes.toString('latin1') !== key.publicKey()) {
    return { ...at, why: 'key', message: `the public key beside the log is a different one: ${places.publicKey}` };
  }
  return null;
}

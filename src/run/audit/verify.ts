import { readRegularFile } from '../../core/disk/files.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import type { OnProgress } from '../../core/progress.ts';
import { choice, count, flag, type Infer, list, nullable, object, text } from '../../core/schema/schema.ts';
import { createSlicer, type Slicer } from '../../core/time-slice.ts';
import { type Head, readHead } from './head.ts';
import {
  closeFiles,
  currentName,
  type Line,
  linesForward,
  numberOf,
  type OpenFile,
  openFiles,
  type Places,
  placesIn,
} from './log-files.ts';
import { checkLine, isSigned, isVouched, type Key, readKey } from './record.ts';
import { type AuditRecord, type Link, noLink } from './types.ts';

/** Ways in which a log can be broken. */
const breaches = [
  // Text that is not what was hashed.
  'edited',
  // A record made, or made anew, by someone without the key.
  'forged',
  'missing',
  'reordered',
  // A record that stands there again.
  'repeated',
  // A record that does not follow the one before it.
  'unchained',
  'signature',
  'file-missing',
  'file-swapped',
  'cut-off',
  'head',
  'key',
  // A record saying that something was wrong when it was written.
  'alarm',
] as const;
export type Breach = (typeof breaches)[number];

const brokenSchema = object({
  file: text(),
  line: nullable(count()),
  seq: nullable(count()),
  why: choice(breaches),
  message: text(),
});
type Broken = Infer<typeof brokenSchema>;

const archivedSchema = object({ file: text(), from: count(), to: count() });
type Archived = Infer<typeof archivedSchema>;

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

/** A walk over all records in order. */
interface Walk {
  readonly records: number;
  readonly checkpoints: number;
  readonly archived: readonly Archived[];
  /** The last sound record. */
  readonly link: Link;
  enter(file: OpenFile): void;
  step(line: Line): Broken | null;
  /** Leaves a full file, after the end of which this many bytes were left over. */
  leave(leftOver: number): Broken | null;
}

type Problem = Pick<Broken, 'why' | 'message'> & Partial<Pick<Broken, 'file' | 'seq'>>;

function createWalk(key: Key | null, head: Link | null): Walk {
  const archived: Archived[] = [];
  let link = noLink;
  let [records, checkpoints, lineNumber] = [0, 0, 0];
  let file: OpenFile | null = null;
  let before: string | null = null;

  function step(line: Line): Broken | null {
    lineNumber++;
    const checked = checkLine(line.bytes);
    if (!checked.ok) {
      const message = checked.why === 'hash' ? 'its text does not match its hash' : 'this line is not a record';
      return broken({ why: 'edited', message }, checked.seq);
    }
    const { record } = checked;
    const problem = isStub(record, line) ? standInProblem(record) : (problemOfPlace(record, line) ?? problemOf(record));
    if (problem !== null) return broken(problem, record.seq);
    link = record;
    records++;
    if (record.event === 'checkpoint') checkpoints++;
    return null;
  }

  function broken(problem: Problem, seq: number | null): Broken {
    return { file: file?.name ?? '', line: lineNumber, seq, ...problem };
  }

  /** The problem of a record that does not stand where it should; null for none. */
  function problemOfPlace(record: AuditRecord, line: Line): Problem | null {
    const expected = link.seq + 1;
    if (record.seq > expected) return gap(record, line);
    if (record.seq < expected) return { why: 'repeated', message: `record ${record.seq} appears here again` };
    if (record.prev !== link.hash) return unchained();
    return lineNumber === 1 && before !== null ? problemOfBeginning(record) : null;
  }

  function gap(record: AuditRecord, line: Line): Problem {
    const [first, last] = [link.seq + 1, record.seq - 1];
    const range = first === last ? `record ${first} is` : `records ${first} to ${last} are`;
    if (lineNumber === 1 && record.event === 'continued' && record.file !== before) {
      return { why: 'file-missing', message: `${range} missing, with ${record.file}`, file: record.file, seq: first };
    }
    if (comesLater(first, line)) {
      return { why: 'reordered', message: `record ${record.seq} comes before record ${first}` };
    }
    return { why: 'missing', message: `${range} missing before it`, seq: first };
  }

  function comesLater(seq: number, { end }: Line): boolean {
    if (file === null) return false;
    const start = Buffer.from(`{"seq":${seq},`);
    for (const { bytes } of linesForward(file.descriptor, end, file.size)) {
      if (bytes.subarray(0, start.length).equals(start)) return true;
    }
    return false;
  }

  function unchained(): Problem {
    if (lineNumber === 1) return { why: 'file-swapped', message: `this file does not follow ${before ?? 'nothing'}` };
    return { why: 'unchained', message: `it does not follow the record ${link.seq} that is before it` };
  }

  function problemOfBeginning(record: AuditRecord): Problem | null {
    if (record.event === 'continued' && record.file === before) return null;
    return { why: 'file-swapped', message: `this file does not say that it follows ${before}` };
  }

  /** The problem of a record that is not what we have written, in a place that is right; null for none. */
  function problemOf(record: AuditRecord): Problem | null {
    if (key !== null && !isVouched(record, key)) {
      return { why: 'forged', message: 'it was written or rehashed without the key' };
    }
    if (key !== null && record.event === 'checkpoint' && !isSigned(record, key)) {
      return { why: 'signature', message: 'its signature was not made with the key' };
    }
    if (head?.seq === record.seq && head.hash !== record.hash) {
      return { why: 'edited', message: 'it is not the record that the head of the log names' };
    }
    return record.event === 'alarm' ? { why: 'alarm', message: `it says: ${record.why}` } : null;
  }

  /**
   * Whether a record is all that is here of an archived file: its last one, a checkpoint, alone, which vouches for
   * those before it.
   */
  function isStub(record: AuditRecord, { end }: Line): boolean {
    if (file === null || numberOf(file.name) === null) return false;
    return lineNumber === 1 && end === file.size && record.event === 'checkpoint' && record.seq > link.seq + 1;
  }

  function standInProblem(record: AuditRecord): Problem | null {
    const problem = problemOf(record);
    if (problem === null) archived.push({ file: file?.name ?? '', from: link.seq + 1, to: record.seq - 1 });
    return problem;
  }

  return {
    get records() {
      return records;
    },
    get checkpoints() {
      return checkpoints;
    },
    get link() {
      return link;
    },
    archived,
    step,
    enter(next) {
      before = file?.name ?? null;
      file = next;
      lineNumber = 0;
    },
    leave(leftOver) {
      if (leftOver === 0) return null;
      lineNumber++;
      return broken({ why: 'edited', message: 'something was added after the last record of a full file' }, null);
    },
  };
}

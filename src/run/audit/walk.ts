import { choice, count, type Infer, nullable, object, text } from '../../core/schema/schema.ts';
import { type Line, linesForward, numberOf, type OpenFile } from './log-files.ts';
import { checkLine, isSigned, isVouched, type Key } from './record.ts';
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

export const brokenSchema = object({
  file: text(),
  line: nullable(count()),
  seq: nullable(count()),
  why: choice(breaches),
  message: text(),
});
export type Broken = Infer<typeof brokenSchema>;

export const archivedSchema = object({ file: text(), from: count(), to: count() });
type Archived = Infer<typeof archivedSchema>;

/** A walk over all records in order. */
export interface Walk {
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

export function createWalk(key: Key | null, head: Link | null): Walk {
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

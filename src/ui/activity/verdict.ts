import type { Breach, VerifyResult } from '../../engine/operations/audit.ts';
import { counted } from '../../kernel/text.ts';

export interface Verdict {
  readonly tone: 'good' | 'bad';
  readonly title: string;
  readonly lines: readonly string[];
}

const titles: Readonly<Record<Breach, string>> = {
  edited: 'A record was changed.',
  forged: 'A record was made without the key.',
  missing: 'Records are missing.',
  reordered: 'Records were reordered.',
  repeated: 'A record is there twice.',
  unchained: 'A record does not follow the one before it.',
  signature: 'A checkpoint is not signed with the key.',
  'file-missing': 'A file of the log is missing.',
  'file-swapped': 'A file of the log is not the one that belongs there.',
  'cut-off': 'The end of the log was cut off.',
  head: 'The head of the log was changed.',
  key: 'The audit key is missing, or is not the right one.',
  alarm: 'The log says that something was wrong when it was written.',
};

/** What checking the chain has found, in words. */
export function verdictOf(result: VerifyResult): Verdict {
  const { broken } = result;
  if (broken === null) return { tone: 'good', title: soundTitle(result), lines: factsOf(result) };
  return {
    tone: 'bad',
    title: `The chain is broken. ${titles[broken.why]}`,
    lines: [placeOf(broken), ...factsOf(result), 'Leave the folder as it is, and compare it with a copy of yours.'],
  };
}

function soundTitle({ records }: VerifyResult): string {
  return records === 0 ? 'There is nothing to check yet.' : 'The chain is intact. Every record is as it was written.';
}

/** Where it is broken, as exactly as is known. */
function placeOf({ file, line, seq, message }: NonNullable<VerifyResult['broken']>): string {
  const place = [file, line === null ? '' : `line ${line}`, seq === null ? '' : `record ${seq}`];
  return `${place.filter((part) => part !== '').join(', ')}: ${message}.`;
}

function factsOf({ records, files, checkpoints, archived, tornBytes, last, key, folder }: VerifyResult): string[] {
  const until = last === null ? '' : `, up to record ${last.seq}`;
  return [
    ...(records === 0
      ? []
      : [`${counted(records, 'valid record')} in ${counted(files, 'file')}${until}.`, signedInWords(checkpoints, key)]),
    ...archived.map(
      ({ file, from, to }) => `Records ${from} to ${to} were archived; the checkpoint in ${file} vouches for them.`,
    ),
    ...(tornBytes === 0
      ? []
      : [`${counted(tornBytes, 'byte')} at the end never became a record: the process that wrote them was killed.`]),
    ...(last === null ? [] : [`Last valid record: ${last.hash}`]),
    ...(key === null ? [] : [`Key: ${key}`]),
    `Folder: ${folder}`,
  ];
}

function signedInWords(checkpoints: number, key: string | null): string {
  if (checkpoints === 0) return 'No checkpoint has been signed yet.';
  const signed = counted(checkpoints, 'signed checkpoint');
  // Without the key nobody can tell whose signature it is.
  return key === null ? `${signed}, not checked.` : `${signed}, with the right signature.`;
}

import { choice, count, flag, type Infer, integer, list, object, optional, text } from '../../../core/schema/schema.ts';
import type { OutputPiece } from '../../../run/output/kept.ts';
import { defineOperation } from '../../operation.ts';
import { bytesOf, factsOf, keptSchema, outputNamed } from '../../running/output.ts';

const pieceSchema = object({ stream: choice(['stdout', 'stderr']), text: text() });

const output = object({
  id: text(),
  ...keptSchema.fields,
  before: count('Bytes before the first piece that is told.'),
  pieces: list(pieceSchema, 'In the order in which it came, without secrets.'),
});
export type OutputOutput = Infer<typeof output>;

const mb = 1024 ** 2;

/** Tells the output of an execution on a server, which is kept for a while. */
export const outputOf = defineOperation({
  name: 'output',
  concernsSkills: false,
  effect: 'reads',
  input: {
    id: text('The execution, by its id in the audit log.'),
    stream: optional(choice(['stdout', 'stderr'], 'Only this stream.')),
    limit: integer('Bytes of the end to show.', { min: 1, max: 16 * mb, default: mb }),
  },
  output,
  async run(engine, { id, stream, limit }): Promise<OutputOutput> {
    const kept = outputNamed(engine, id);
    const wanted = kept.pieces.filter((one) => stream === undefined || one.stream === stream);
    const { pieces, before } = endOf(wanted, limit);
    return { id, ...factsOf(kept), before, pieces: decoded(pieces) };
  },
});

/** The last bytes of pieces, and how many come before them. */
function endOf(all: readonly OutputPiece[], limit: number): { pieces: readonly OutputPiece[]; before: number } {
  let before = Math.max(0, all.reduce((sum, { bytes }) => sum + bytes.length, 0) - limit);
  const cut = before;
  const pieces: OutputPiece[] = [];
  for (const { stream, bytes } of all) {
    const gone = Math.min(before, bytes.length);
    before -= gone;
    if (gone < bytes.length) pieces.push({ stream, bytes: bytes.subarray(gone) });
  }
  return { pieces, before: cut };
}

/** The pieces as text. A character may be split between two of them. */
function decoded(pieces: readonly OutputPiece[]): OutputOutput['pieces'] {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const texts = pieces.map(({ stream, bytes }) => ({ stream, text: decoders[stream].decode(bytes, { stream: true }) }));
  const rests = (['stdout', 'stderr'] as const).map((stream) => ({ stream, text: decoders[stream].decode() }));
  return [...texts, ...rests].filter((one) => one.text !== '');
}

export interface DownloadOutput {
  /** The name for the file that it is saved to. */
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** The bytes of kept output as they were written, without secrets: a file to be saved, or a picture to be drawn. */
export const download = defineOperation({
  name: 'download',
  concernsSkills: false,
  effect: 'reads',
  input: {
    id: text('The execution, by its id in the audit log.'),
    stream: optional(choice(['stdout', 'stderr'], 'Only this stream.')),
    picture: flag('As the picture that standard output is.', { default: false }),
  },
  async run(engine, { id, stream, picture }): Promise<DownloadOutput> {
    const kept = outputNamed(engine, id);
    const drawn = factsOf(kept).picture;
    const type = picture ? drawn : null;
    const ending = drawn !== null && stream === 'stdout' ? drawn.replace('image/', '') : 'txt';
    const name = `${id}${stream === undefined ? '' : `.${stream}`}.${ending}`;
    return {
      name,
      mimeType: type ?? 'application/octet-stream',
      bytes: bytesOf(kept, type === null ? stream : 'stdout'),
    };
  },
});

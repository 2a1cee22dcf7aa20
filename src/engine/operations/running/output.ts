import { choice, count, type Infer, integer, list, object, optional, text } from '../../../core/schema/schema.ts';
import type { OutputPiece } from '../../../run/output/kept.ts';
import { defineOperation } from '../../operation.ts';
import { factsOf, keptSchema, outputNamed } from '../../running/output.ts';

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

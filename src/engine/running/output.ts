import { SkillError } from '../../core/errors.ts';
import { count, type Infer, nullable, object, text } from '../../core/schema/schema.ts';
import { type KeptOutput, readOutput } from '../../run/output/kept.ts';
import { mediaTypeOf, pictureTypes } from '../../skill/mime.ts';
import type { Engine } from '../engine.ts';

/** Facts about the output that is kept of an execution. */
export const keptSchema = object({
  stdoutBytes: count(),
  stderrBytes: count(),
  leftOut: count('Bytes beyond what is kept of one execution.'),
  picture: nullable(text(), 'The media type of standard output, where it is a picture.'),
});
export type Kept = Infer<typeof keptSchema>;

/** The output that is kept of an execution, or an error that says why there is none. */
export function outputNamed({ environment }: Engine, id: string): KeptOutput {
  const found = readOutput(environment, id);
  if (found !== null) return found;
  throw new SkillError('not-found', 'no output of this execution is kept', {
    hint: 'It may have written nothing, have run outside a server, or be too old.',
  });
}

/** Facts about the output that is kept of an execution; null where none is. */
export function keptOf({ environment }: Engine, id: string): Kept | null {
  const found = readOutput(environment, id);
  return found === null ? null : factsOf(found);
}

export function factsOf(kept: KeptOutput): Kept {
  const stdout = bytesOf(kept, 'stdout');
  const type = mediaTypeOf(stdout, '');
  return {
    stdoutBytes: stdout.length,
    stderrBytes: bytesOf(kept, 'stderr').length,
    leftOut: kept.leftOut,
    picture: type !== null && pictureTypes.has(type) ? type : null,
  };
}

/** The bytes of one stream, or of both as they came. */
export function bytesOf({ pieces }: KeptOutput, stream: 'stdout' | 'stderr' | undefined): Buffer {
  return Buffer.concat(pieces.filter((one) => stream === undefined || one.stream === stream).map(({ bytes }) => bytes));
}

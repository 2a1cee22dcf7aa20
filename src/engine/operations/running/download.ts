import { choice, flag, optional, text } from '../../../core/schema/schema.ts';
import { defineOperation } from '../../operation.ts';
import { bytesOf, factsOf, outputNamed } from '../../running/output.ts';

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

import { distinctName } from '../../registry/resolve.ts';
import { chosenFields, chosenSkill } from '../browsing/chosen.ts';
import { defineOperation } from '../operation.ts';
import { readFilePart } from '../supporting-file.ts';

/** A part of a file that belongs to a skill. */
export interface ReadOutput {
  readonly skill: string;
  readonly path: string;
  readonly mimeType: string;
  /** Of the whole file. */
  readonly size: number;
  readonly encoding: 'utf8' | 'base64';
  readonly content: string;
  /** Where the next part begins, if there is one. */
  readonly nextOffset: number | null;
}

export const read = defineOperation({
  fields: {
    ...chosenFields,
    path: {
      kind: 'text',
      positional: true,
      required: true,
      value: 'PATH',
      description: "The file, by its path from the skill's folder.",
    },
    offset: { kind: 'integer', min: 0, default: 0, value: 'BYTES', description: 'Where to start, in bytes.' },
  },
  async run({ registry }, { name, file, path: asked, offset }): Promise<ReadOutput> {
    const snapshot = await registry.snapshot();
    const skill = chosenSkill(snapshot, { name, file });
    const { path, mimeType, size, encoding, content, nextOffset } = readFilePart(skill, asked, offset);
    return {
      skill: distinctName(snapshot, skill),
      path,
      mimeType,
      size,
      encoding: encoding === 'text' ? 'utf8' : encoding,
      content,
      nextOffset: nextOffset ?? null,
    };
  },
});

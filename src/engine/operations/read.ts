import { choice, count, type Infer, nullable, object, text } from '../../kernel/schema.ts';
import { distinctName } from '../../registry/resolve.ts';
import { chosenFields, chosenSkill } from '../browsing/chosen.ts';
import { defineOperation } from '../operation.ts';
import { readFilePart } from '../supporting-file.ts';

/** A part of a file that belongs to a skill. */
const output = object({
  skill: text(),
  path: text(),
  mimeType: text(),
  size: count('Of the whole file.'),
  encoding: choice(['utf8', 'base64']),
  content: text(),
  nextOffset: nullable(count(), 'Where the next part begins.'),
});
export type ReadOutput = Infer<typeof output>;

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
  output,
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

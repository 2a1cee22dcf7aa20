import { choice, count, type Infer, integer, nullable, object, text } from '../../../core/schema/schema.ts';
import { distinctName } from '../../../registry/resolve.ts';
import { chosenFields, chosenSkill } from '../../browsing/chosen.ts';
import { readFilePart } from '../../loading/supporting-file.ts';
import { defineOperation } from '../../operation.ts';

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
  name: 'read',
  right: 'see',
  effect: 'reads',
  input: {
    ...chosenFields,
    path: text("The file, by its path from the skill's folder."),
    offset: integer('Where to start, in bytes.', { min: 0, default: 0 }),
  },
  notes: ({ name, path }, output?: ReadOutput) => ({
    ...{ what: 'loaded', skill: output?.skill ?? name, detail: output?.path ?? path },
  }),
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

import { SkillError } from '../../../core/errors.ts';
import { choice, count, type Infer, integer, nullable, object, text } from '../../../core/schema/schema.ts';
import { distinctName } from '../../../registry/resolve.ts';
import { pictureTypes } from '../../../skill/mime.ts';
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

export interface PictureOutput {
  readonly mimeType: string;
  readonly bytes: Buffer;
}

const longest = 8 * 1024 * 1024;

/** Reads a whole picture of a skill. It belongs to a text that was loaded, and is not noted by itself. */
export const picture = defineOperation({
  name: 'picture',
  right: 'see',
  effect: 'reads',
  input: { ...chosenFields, path: text("The file, by its path from the skill's folder.") },
  async run({ registry }, { path, ...chosen }): Promise<PictureOutput> {
    const skill = chosenSkill(await registry.snapshot(), chosen);
    const parts: Buffer[] = [];
    let mimeType = '';
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const part = readFilePart(skill, path, offset);
      if (!pictureTypes.has(part.mimeType)) {
        throw new SkillError('usage', 'only images are served directly', { hint: 'The operation read has any file.' });
      }
      if (part.size > longest) throw new SkillError('unreadable', 'the image is too large to be shown');
      parts.push(Buffer.from(part.content, part.encoding === 'text' ? 'utf8' : part.encoding));
      mimeType = part.mimeType;
      offset = part.nextOffset;
    }
    return { mimeType, bytes: Buffer.concat(parts) };
  },
});

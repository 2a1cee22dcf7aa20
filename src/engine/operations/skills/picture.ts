import { SkillError } from '../../../core/errors.ts';
import { text } from '../../../core/schema/schema.ts';
import { chosenFields, chosenSkill } from '../../browsing/chosen.ts';
import { readFilePart } from '../../loading/supporting-file.ts';
import { defineOperation } from '../../operation.ts';

export interface PictureOutput {
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** Pictures that browsers draw and that cannot hold a script; anything else is shown as text, or not at all. */
const pictures: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
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
      if (!pictures.has(part.mimeType)) {
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

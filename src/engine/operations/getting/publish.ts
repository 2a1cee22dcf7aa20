import { resolve } from 'node:path';
import { SkillError } from '../../../core/errors.ts';
import { flag, type Infer, list, object, text } from '../../../core/schema/schema.ts';
import { type Published, writeSite } from '../../../get/install/site.ts';
import { ownSkill } from '../../getting/own-skill.ts';
import { defineOperation } from '../../operation.ts';

const output = object({
  folder: text(),
  skills: list(object({ name: text(), digest: text() })),
  files: list(text(), 'Files that were written.'),
  dryRun: flag(),
});
export type PublishOutput = Infer<typeof output>;

export const publish = defineOperation({
  name: 'publish',
  effect: 'acts',
  input: {
    skills: list(text(), 'The skills: their names, or the paths of their folders.', { default: [] }),
    to: text('The folder that a web server serves.'),
    dryRun: flag('Show what would be done, and do nothing.', { default: false }),
  },
  output,
  async run(engine, { skills, to, dryRun }): Promise<PublishOutput> {
    if (skills.length === 0) throw new SkillError('usage', 'missing skill: name what is to be published');
    const folder = resolve(engine.environment.cwd, to);
    const taken: Published[] = [];
    for (const skill of skills) taken.push(await ownSkill(engine, skill));
    const files = dryRun ? [] : writeSite(folder, taken);
    return { folder, skills: taken.map(({ name, kept }) => ({ name, digest: kept.digest })), files, dryRun };
  },
});

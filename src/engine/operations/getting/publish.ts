import { resolve } from 'node:path';
import { SkillError } from '../../../core/errors.ts';
import { flag, type Infer, list, nullable, object, optional, text } from '../../../core/schema/schema.ts';
import { type Published, writeSite } from '../../../get/install/site.ts';
import type { Engine } from '../../engine.ts';
import { ownSkill } from '../../getting/own-skill.ts';
import { defineOperation } from '../../operation.ts';

const output = object({
  folder: nullable(text(), 'The folder for a web server; null for a cluster.'),
  cluster: nullable(text(), 'The addresses of the cluster; null for a folder.'),
  channel: nullable(text(), 'The channel of its catalogue.'),
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
    to: optional(text('The folder that a web server serves, or the addresses of a cluster (that of the settings).')),
    channel: text('The channel of the catalogue of a cluster.', { default: 'stable' }),
    label: list(text(), 'A label of this version in the catalogue, as key=value; repeatable.', { default: [] }),
    dryRun: flag('Show what would be done, and do nothing.', { default: false }),
  },
  output,
  async run(engine, { skills, to, channel, label, dryRun }): Promise<PublishOutput> {
    if (skills.length === 0) throw new SkillError('usage', 'missing skill: name what is to be published');
    const place = placeFor(engine, to);
    const taken: Published[] = [];
    for (const skill of skills) taken.push(await ownSkill(engine, skill));
    const rows = taken.map(({ name, kept }) => ({ name, digest: kept.digest }));
    if ('folder' in place) {
      const files = dryRun ? [] : writeSite(place.folder, taken);
      return { folder: place.folder, cluster: null, channel: null, skills: rows, files, dryRun };
    }
    const { labelsIn, publishToCluster } = await import('../../cluster/publishing.ts');
    const given = { cluster: place.cluster, channel, labels: labelsIn(label) };
    if (!dryRun) await publishToCluster(engine, taken, given);
    return { folder: null, cluster: place.cluster, channel, skills: rows, files: [], dryRun };
  },
});

/** The place to publish to: a folder, or a cluster, which may be another one than that of the settings. */
function placeFor({ configuration, environment }: Engine, to = configuration.values.cluster) {
  if (to === undefined) {
    throw new SkillError('usage', 'missing place: publish --to a folder, or the addresses of a cluster', {
      hint: 'As in: repertoire publish pdf --to nats://127.0.0.1:4222',
    });
  }
  return /^(?:nats|tls):/.test(to) ? { cluster: to } : { folder: resolve(environment.cwd, to) };
}

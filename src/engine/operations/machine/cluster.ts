import type { Entry, Version } from '../../../cluster/catalogue.ts';
import { SkillError } from '../../../core/errors.ts';
import {
  choice,
  flag,
  type Infer,
  list,
  map,
  nullable,
  object,
  optional,
  text,
  time,
} from '../../../core/schema/schema.ts';
import type { OpenCatalogue } from '../../cluster/publishing.ts';
import { defineOperation } from '../../operation.ts';

const versionSchema = object({
  name: text(),
  digest: text('Of all its files, as grants and lock files have it.'),
  version: nullable(text(), 'The version that the skill gives itself.'),
  labels: map(text()),
  by: text('Who published it.'),
  at: time(),
  state: choice(['current', 'older', 'withdrawn'], 'Whether servers use it, used it before, or it was rolled back.'),
});
export type CatalogueVersion = Infer<typeof versionSchema>;

const quarantinedSchema = object({ digest: text(), reason: text(), by: text('Who put it there.'), at: time() });

const output = object({
  cluster: text('The addresses of its nodes.'),
  channel: text(),
  versions: list(versionSchema, 'The current version of each skill, or all versions of one, the newest first.'),
  problems: list(object({ key: text(), message: text() }), 'Entries that no server can use.'),
  quarantined: list(quarantinedSchema, 'Versions that no server loads or runs, whatever the channel.'),
  removed: flag('Whether the skill was taken out of the channel, or the version out of quarantine.'),
});
export type ClusterOutput = Infer<typeof output>;

const actions = ['list', 'history', 'rollback', 'remove', 'quarantine', 'release'] as const;

const input = {
  action: choice(actions, 'list, history, rollback or remove NAME, quarantine or release DIGEST.', {
    default: 'list',
  }),
  name: optional(text('The skill; for quarantine and release, the digest of the version.')),
  channel: text('The channel of the catalogue.', { default: 'stable' }),
  to: optional(text('Roll back to the version with this digest, or its beginning (the version before).')),
  reason: text('Why nobody should use the version, for whoever asks for it.', { default: 'put there by hand' }),
} as const;

type Input = Parameters<(typeof cluster)['run']>[1];

export const cluster = defineOperation({
  name: 'cluster',
  effect: 'acts',
  concernsSkills: false,
  input,
  output,
  async run(engine, given): Promise<ClusterOutput> {
    const [{ clusterOf }, { openCatalogue }] = await Promise.all([
      import('../../cluster/membership.ts'),
      import('../../cluster/publishing.ts'),
    ]);
    const joined = clusterOf(engine);
    const done = await perform[given.action](await openCatalogue(joined), given);
    return { cluster: joined.address, channel: given.channel, ...nothing, ...done };
  },
});

const nothing = { versions: [], problems: [], quarantined: [], removed: false };

type Perform = (catalogue: OpenCatalogue, input: Input) => Promise<Partial<ClusterOutput>>;

const perform: { readonly [A in (typeof actions)[number]]: Perform } = {
  async list({ keys, quarantine }, { channel }) {
    const [{ readChannel, toldBy }, { readQuarantined }, { patiently }] = await Promise.all([
      import('../../../cluster/catalogue.ts'),
      import('../../../cluster/quarantine.ts'),
      import('../../../cluster/patience.ts'),
    ]);
    const entries = await patiently(() => readChannel(keys, channel));
    const told = [...entries.values()].map((one) => ({ key: one.key, ...toldBy(one) }));
    return {
      versions: told.flatMap((one) => (one.kind === 'skill' ? rowOf(one.entry, one.current, one.current) : [])),
      problems: told.flatMap((one) => (one.kind === 'wrong' ? { key: one.key, message: one.problem } : [])),
      quarantined: [...(await patiently(() => readQuarantined(quarantine))).values()],
    };
  },

  async history({ keys }, { channel, name }) {
    const [{ keyOf, notThere, toldBy }, { patiently }] = await Promise.all([
      import('../../../cluster/catalogue.ts'),
      import('../../../cluster/patience.ts'),
    ]);
    const skill = named(name, 'history');
    const found = await patiently(() => keys.get(keyOf(channel, skill)));
    const told = found === null ? null : toldBy(found);
    if (told?.kind !== 'skill') throw notThere(channel, skill);
    return { versions: told.entry.versions.map((one) => rowOf(told.entry, one, told.current)).reverse() };
  },

  async rollback({ keys }, { channel, name, to }) {
    const [{ rollBack, currentOf }, { publisher }] = await Promise.all([
      import('../../../cluster/catalogue.ts'),
      import('../../cluster/publishing.ts'),
    ]);
    const entry = await rollBack(keys, { channel, name: named(name, 'rollback'), to, by: publisher() });
    const current = currentOf(entry);
    return { versions: current === undefined ? [] : [rowOf(entry, current, current)] };
  },

  async remove({ keys }, { channel, name }) {
    const { removeSkill } = await import('../../../cluster/catalogue.ts');
    await removeSkill(keys, channel, named(name, 'remove'));
    return { removed: true };
  },

  async quarantine({ quarantine }, { name, reason }) {
    const [{ putIntoQuarantine }, { publisher }] = await Promise.all([
      import('../../../cluster/quarantine.ts'),
      import('../../cluster/publishing.ts'),
    ]);
    const digest = named(name, 'quarantine');
    return { quarantined: [await putIntoQuarantine(quarantine, { digest, reason, by: publisher() })] };
  },

  async release({ quarantine }, { name }) {
    const { takeOutOfQuarantine } = await import('../../../cluster/quarantine.ts');
    await takeOutOfQuarantine(quarantine, named(name, 'release'));
    return { removed: true };
  },
};

function rowOf({ name }: Entry, version: Version, current: Version): CatalogueVersion {
  const { withdrawn, ...told } = version;
  const state = version === current ? 'current' : withdrawn === null ? 'older' : 'withdrawn';
  return { name, ...told, state };
}

function named(name: string | undefined, action: string): string {
  if (name !== undefined) return name;
  throw new SkillError('usage', `missing name: cluster ${action} NAME`);
}

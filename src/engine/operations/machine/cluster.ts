import type { Catalogue, Entry, Version } from '../../../cluster/catalogue.ts';
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

const output = object({
  cluster: text('The addresses of its nodes.'),
  channel: text(),
  versions: list(versionSchema, 'The current version of each skill, or all versions of one, the newest first.'),
  problems: list(object({ key: text(), message: text() }), 'Entries that no server can use.'),
  removed: flag('Whether the skill was taken out of the channel.'),
});
export type ClusterOutput = Infer<typeof output>;

const actions = ['list', 'history', 'rollback', 'remove'] as const;

const input = {
  action: choice(actions, 'list, history NAME, rollback NAME or remove NAME.', { default: 'list' }),
  name: optional(text('The skill.')),
  channel: text('The channel of the catalogue.', { default: 'stable' }),
  to: optional(text('Roll back to the version with this digest, or its beginning (the version before).')),
} as const;

type Input = Parameters<(typeof cluster)['run']>[1];

export const cluster = defineOperation({
  name: 'cluster',
  effect: 'acts',
  concernsSkills: false,
  input,
  output,
  async run(engine, given): Promise<ClusterOutput> {
    const { openCatalogue } = await import('../../cluster/publishing.ts');
    const keys = await openCatalogue(engine);
    const done = await perform[given.action](keys, given);
    const { cluster: address = '' } = engine.configuration.values;
    return { cluster: address, channel: given.channel, versions: [], problems: [], removed: false, ...done };
  },
});

type Perform = (keys: Catalogue, input: Input) => Promise<Partial<ClusterOutput>>;

const perform: { readonly [A in (typeof actions)[number]]: Perform } = {
  async list(keys, { channel }) {
    const { readChannel, toldBy } = await import('../../../cluster/catalogue.ts');
    const told = [...(await readChannel(keys, channel)).values()].map((one) => ({ key: one.key, ...toldBy(one) }));
    return {
      versions: told.flatMap((one) => (one.kind === 'skill' ? rowOf(one.entry, one.current, one.current) : [])),
      problems: told.flatMap((one) => (one.kind === 'wrong' ? { key: one.key, message: one.problem } : [])),
    };
  },

  async history(keys, { channel, name }) {
    const { keyOf, notThere, toldBy } = await import('../../../cluster/catalogue.ts');
    const skill = named(name, 'history');
    const found = await keys.get(keyOf(channel, skill));
    const told = found === null ? null : toldBy(found);
    if (told?.kind !== 'skill') throw notThere(channel, skill);
    return { versions: told.entry.versions.map((one) => rowOf(told.entry, one, told.current)).reverse() };
  },

  async rollback(keys, { channel, name, to }) {
    const [{ rollBack, currentOf }, { publisher }] = await Promise.all([
      import('../../../cluster/catalogue.ts'),
      import('../../cluster/publishing.ts'),
    ]);
    const entry = await rollBack(keys, { channel, name: named(name, 'rollback'), to, by: publisher() });
    const current = currentOf(entry);
    return { versions: current === undefined ? [] : [rowOf(entry, current, current)] };
  },

  async remove(keys, { channel, name }) {
    const { removeSkill } = await import('../../../cluster/catalogue.ts');
    await removeSkill(keys, channel, named(name, 'remove'));
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

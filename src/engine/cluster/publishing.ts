import { type Bundles, type Keys, openKeys, openObjects } from '../../cluster/buckets.ts';
import { putBundle } from '../../cluster/bundles.ts';
import { keyOf, publishVersion } from '../../cluster/catalogue.ts';
import { type Cluster, openCluster } from '../../cluster/connection.ts';
import { patiently } from '../../cluster/patience.ts';
import { userName } from '../../core/disk/owner.ts';
import { SkillError } from '../../core/errors.ts';
import type { Published } from '../../get/install/site.ts';
import { declaredVersion } from '../../skill/parse.ts';
import type { Engine } from '../engine.ts';

/** The catalogue of a cluster, opened for changes. */
export interface OpenCatalogue {
  readonly keys: Keys;
  readonly quarantine: Keys;
  readonly bundles: Bundles;
}

export async function openCatalogue(cluster: Cluster): Promise<OpenCatalogue> {
  const { names } = cluster;
  const connection = await cluster.reached();
  return patiently(async () => ({
    keys: await openKeys(connection, names.catalogue, 1),
    quarantine: await openKeys(connection, names.quarantine, 1),
    bundles: await openObjects(connection, names.bundles),
  }));
}

/** The person and the machine that a change of the catalogue is noted with. */
export function publisher(): string {
  return `${userName()}@${process.getBuiltinModule('node:os').hostname()}`;
}

export interface Publishing {
  /** The addresses of the cluster, which need not be that of the settings. */
  readonly cluster: string;
  readonly channel: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Puts skills into a channel: first all bundles, and then the names, so that no server ever looks for what is not there. */
export async function publishToCluster(
  { configuration, environment }: Engine,
  skills: readonly Published[],
  { cluster: address, channel, labels }: Publishing,
): Promise<void> {
  for (const { name } of skills) keyOf(channel, name); // throws before anything is sent
  const cluster = openCluster({ ...configuration.values, cluster: address }, environment);
  try {
    const { keys, bundles } = await openCatalogue(cluster);
    for (const { kept } of skills) await patiently(() => putBundle(bundles, kept));
    for (const { name, kept } of skills) {
      const { digest, folder } = kept;
      const version = declaredVersion(folder);
      await publishVersion(keys, { channel, name, digest, version, labels, by: publisher() });
    }
  } finally {
    await cluster.close();
  }
}

/** Labels as they are typed: `key=value`. */
export function labelsIn(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const [, key, value] = /^([a-z0-9][a-z0-9._-]{0,62})=(.{1,200})$/.exec(word) ?? [];
      if (key !== undefined && value !== undefined) return [key, value];
      throw new SkillError('usage', `'${word}' is not a label`, {
        hint: 'A label is a key and a value, as in team=web.',
      });
    }),
  );
}

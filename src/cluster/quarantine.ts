import { setTimeout as sleep } from 'node:timers/promises';
import type { KV } from '@nats-io/kv';
import { SkillError } from '../core/errors.ts';
import { type Infer, literal, object, text, time } from '../core/schema/schema.ts';
import { oneLine } from '../core/text/text.ts';
import { folderOfDigest } from '../get/install/store.ts';
import { heldBy, holdVersion, releaseVersion } from '../get/scan/store.ts';
import { openKeys } from './buckets.ts';
import { digestPattern } from './bundles.ts';
import { digestSchema } from './catalogue.ts';
import type { Cluster } from './connection.ts';
import { openNews, readWhole } from './news.ts';
import { patiently } from './patience.ts';
import { valueIn } from './values.ts';
import type { View } from './view.ts';

/** Milliseconds between two attempts to follow it. */
const pauseMs = 200;

const line = text(undefined, { blank: false, max: 1000 });

/** A version that nobody in the cluster may load or run. */
const quarantinedSchema = object({ format: literal(1), digest: digestSchema, reason: line, by: line, at: time() });
export type Quarantined = Omit<Infer<typeof quarantinedSchema>, 'format'>;

export async function putIntoQuarantine(
  keys: KV,
  { digest, reason, by }: Pick<Quarantined, 'digest' | 'reason' | 'by'>,
): Promise<Quarantined> {
  const quarantined = { digest, reason: oneLine(reason), by, at: new Date().toISOString() };
  await patiently(() => keys.put(keyOf(digest), JSON.stringify({ format: 1, ...quarantined })));
  return quarantined;
}

export async function takeOutOfQuarantine(keys: KV, digest: string): Promise<void> {
  const key = keyOf(digest);
  if ((await patiently(() => keys.get(key)))?.operation !== 'PUT')
    throw new SkillError('not-found', `${digest} is not in quarantine`);
  await patiently(() => keys.delete(key));
}

function keyOf(digest: string): string {
  if (digestPattern.test(digest)) return digest.slice('sha256:'.length);
  throw new SkillError('usage', `'${oneLine(digest)}' is not a digest`, {
    hint: 'It is sha256: and 64 hex digits; repertoire cluster list shows those of all skills.',
  });
}

/** The versions in quarantine, by digest. An entry that is not as we write them holds nothing. */
export async function readQuarantined(keys: KV): Promise<ReadonlyMap<string, Quarantined>> {
  const found = new Map<string, Quarantined>();
  for (const { key, operation, value } of (await readWhole(keys)).values()) {
    const one = operation === 'PUT' ? quarantinedIn(value) : null;
    if (one !== null && keyOf(one.digest) === key) found.set(one.digest, one);
  }
  return found;
}

function quarantinedIn(value: Uint8Array): Quarantined | null {
  const reading = valueIn(quarantinedSchema, value);
  if (!reading.ok) return null;
  const { format: _, ...quarantined } = reading.value;
  return quarantined;
}

/** Has the versions that are in quarantine, and no others, held on this machine. */
export async function holdQuarantined(
  keys: KV,
  { view, onChange }: { readonly view: View; readonly onChange: () => Promise<void> },
): Promise<void> {
  const { environment, cluster } = view;
  const by = `cluster ${cluster}`;
  const wanted = await readQuarantined(keys);
  const held = heldBy(environment, by);
  const [added, gone] = [
    [...wanted.values()].filter(({ digest }) => !held.has(digest)),
    [...held].filter(([digest]) => !wanted.has(digest)),
  ];
  for (const { digest, reason, by: person } of added) {
    const skill = { folder: folderOfDigest(environment, digest), name: digest.slice(0, 19) };
    const remedy = `repertoire cluster release ${digest}`;
    holdVersion(environment, skill, { digest, by, reason: `${reason} (${person})`, remedy });
  }
  for (const [digest, folder] of gone) releaseVersion(environment, folder, digest);
  if (added.length + gone.length > 0) await onChange();
}

/**
 * Holds what is in quarantine until the signal ends it, whenever that changes. Resolves when it has done so for the first
 * time.
 */
export function followQuarantine(cluster: Cluster, view: View, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    void (async () => {
      while (!signal.aborted) {
        await followOnce(cluster, view, signal, resolve).catch(() => {}); // the status of the connection tells why
        await sleep(pauseMs, undefined, { signal }).catch(() => {});
      }
    })();
  });
}

async function followOnce(cluster: Cluster, view: View, ended: AbortSignal, onHeld: () => void): Promise<void> {
  const holding = { view, onChange: async () => {} };
  const keys = await openKeys(await cluster.connected(), cluster.names.quarantine, 1);
  const lost = new AbortController();
  const endListening = cluster.onStatus(({ state }) => state === 'lost' && lost.abort());
  try {
    // Before the first look, so that nothing happens unseen between the two.
    const news = await openNews(keys, AbortSignal.any([ended, lost.signal]));
    await holdQuarantined(keys, holding);
    onHeld();
    await news(() => void holdQuarantined(keys, holding).catch(() => lost.abort()));
  } finally {
    endListening();
    lost.abort();
  }
}

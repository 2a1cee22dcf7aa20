import type { KV, KvEntry } from '@nats-io/kv';
import { SkillError } from '../core/errors.ts';
import { parsed, problem } from '../core/schema/parsed.ts';
import { type Infer, list, literal, map, nullable, object, parsedBy, text, time } from '../core/schema/schema.ts';
import { oneLine, shellWord } from '../core/text/text.ts';
import { digestPattern } from './bundles.ts';
import { checkName } from './names.ts';
import { readWhole } from './news.ts';
import { patiently } from './patience.ts';
import { valueIn } from './values.ts';

const line = (description?: string) => text(description, { blank: false, max: 1000 });

/** The digest of all files of a skill, as grants and lock files have it. */
export const digestSchema = parsedBy(
  text(),
  (value) => (digestPattern.test(value) ? parsed(value) : problem('must be sha256: and 64 hex digits', '')),
  'Of all its files, as grants and lock files have it.',
);

/** One version of a skill in the catalogue. */
export const versionSchema = object({
  digest: digestSchema,
  version: nullable(line(), 'The version that the skill gives itself.'),
  labels: map(line()),
  by: line('Who published it.'),
  at: time(),
  withdrawn: nullable(object({ by: line(), at: time() }), 'Who rolled it back, and when.'),
});
export type Version = Infer<typeof versionSchema>;

/** A skill in a channel, with its versions in the order in which they were published. */
const entrySchema = object({ format: literal(1), name: line(), versions: list(versionSchema) });
export type Entry = Infer<typeof entrySchema>;

/** Meaning of a value in the bucket: a skill, nothing any more, or something that no server can use. */
export type Told =
  | { readonly kind: 'skill'; readonly entry: Entry; readonly current: Version }
  | { readonly kind: 'gone' }
  | { readonly kind: 'wrong'; readonly problem: string };

/** Versions that are kept of a skill, and can be rolled back to. */
const mostVersions = 50;

/**
 * The key of a skill: its channel and its name, with each byte that is no lower-case letter, digit or hyphen written as
 * `=2f`. Such a key is the name of a file on every system, and no two names have the same one.
 */
export function keyOf(channel: string, name: string): string {
  checkName(channel, 'channel');
  const plain = Buffer.from(name)
    .toString('latin1')
    .replace(/[^a-z0-9-]/g, (one) => `=${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
  if (name !== '' && plain.length <= 200) return `${channel}.${plain}`;
  throw new SkillError('usage', `'${oneLine(name)}' cannot be the name of a skill in a catalogue: it is too long`);
}

/** The version that counts: the last one that nobody has rolled back. */
export function currentOf({ versions }: Entry): Version | undefined {
  return versions.findLast(({ withdrawn }) => withdrawn === null);
}

/** Reads a value of the bucket, which anyone may have put there. */
export function toldBy({ key, operation, value }: Pick<KvEntry, 'key' | 'operation' | 'value'>): Told {
  if (operation !== 'PUT') return { kind: 'gone' };
  const reading = valueIn(entrySchema, value);
  if (!reading.ok) return { kind: 'wrong', problem: reading.problem };
  const entry = reading.value;
  const [channel = ''] = key.split('.');
  try {
    if (keyOf(channel, entry.name) !== key) return { kind: 'wrong', problem: 'its name is not that of its key' };
  } catch {
    return { kind: 'wrong', problem: 'its name cannot be used' };
  }
  const current = currentOf(entry);
  return current === undefined ? { kind: 'gone' } : { kind: 'skill', entry, current };
}

/** Everything that a channel has, by key. */
export async function readChannel(keys: KV, channel: string): Promise<ReadonlyMap<string, KvEntry>> {
  checkName(channel, 'channel');
  return new Map([...(await readWhole(keys))].filter(([key]) => key.startsWith(`${channel}.`)));
}

export interface Publishing extends Pick<Version, 'digest' | 'version' | 'labels' | 'by'> {
  readonly channel: string;
  readonly name: string;
}

/** Makes a version the one that counts. */
export function publishVersion(keys: KV, { channel, name, ...given }: Publishing): Promise<Entry> {
  return change(keys, keyOf(channel, name), (entry) => {
    const before = entry?.versions.filter(({ digest }) => digest !== given.digest) ?? [];
    const added = { ...given, at: new Date().toISOString(), withdrawn: null };
    return { format: 1, name, versions: [...before, added].slice(-mostVersions) };
  });
}

/** Brings a version back: the one before, or one that is named. Those after it no longer count. */
export function rollBack(
  keys: KV,
  { channel, name, by, to }: { channel: string; name: string; by: string; to?: string | undefined },
): Promise<Entry> {
  let target = to;
  return change(keys, keyOf(channel, name), (entry) => {
    if (entry === null) throw notThere(channel, name);
    const at = targetIn(entry, target);
    target = entry.versions[at]?.digest; // where the answer to a first attempt is lost, a second goes back no further
    const withdrawn = { by, at: new Date().toISOString() };
    return {
      ...entry,
      versions: entry.versions.map((one, index) =>
        index < at ? one : { ...one, withdrawn: index === at ? null : (one.withdrawn ?? withdrawn) },
      ),
    };
  });
}

/** The place of the version to go back to. */
function targetIn(entry: Entry, to: string | undefined): number {
  const { name, versions } = entry;
  const hint = `repertoire cluster history ${shellWord(oneLine(name))} shows all versions.`;
  if (to === undefined) {
    const now = versions.findLastIndex(({ withdrawn }) => withdrawn === null);
    const before = versions.slice(0, now).findLastIndex(({ withdrawn }) => withdrawn === null);
    if (before >= 0) return before;
    throw new SkillError('not-found', `there is no version of '${oneLine(name)}' before this one`, { hint });
  }
  const wanted = to.replace(/^(?:sha256:)?/, 'sha256:');
  const found = versions.flatMap(({ digest }, index) => (digest.startsWith(wanted) ? [index] : []));
  const [only] = found;
  if (only !== undefined && found.length === 1 && wanted.length >= 15) return only;
  const what = found.length > 1 ? 'more than one version begins with' : 'there is no version';
  throw new SkillError('not-found', `${what} '${oneLine(to)}' of '${oneLine(name)}'`, { hint });
}

/** Takes a skill out of a channel, with all its versions. */
export async function removeSkill(keys: KV, channel: string, name: string): Promise<void> {
  const key = keyOf(channel, name);
  let wasThere = false;
  await patiently(async () => {
    const found = await keys.get(key);
    if (found?.operation === 'PUT') {
      wasThere = true;
      await keys.delete(key, { previousSeq: found.revision });
    } else if (!wasThere) throw notThere(channel, name);
  });
}

export function notThere(channel: string, name: string): SkillError {
  return new SkillError('not-found', `there is no skill '${oneLine(name)}' in the channel '${channel}'`, {
    hint: 'repertoire cluster list shows all of them.',
  });
}

/**
 * Changes an entry by compare-and-set: what is written was made from what is there, so that of two who write at once
 * neither undoes what the other did. An entry that cannot be read counts as none.
 */
function change(keys: KV, key: string, edit: (entry: Entry | null) => Entry): Promise<Entry> {
  return patiently(async () => {
    const found = await keys.get(key);
    const before = found?.operation === 'PUT' ? valueIn(entrySchema, found.value) : null;
    const entry = edit(before?.ok ? before.value : null);
    await keys.put(key, JSON.stringify(entry), { previousSeq: found?.revision ?? 0 });
    return entry;
  });
}

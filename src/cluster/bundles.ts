import { chmodSync, closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectStore } from '@nats-io/obj';
import { below } from '../core/disk/paths.ts';
import type { Environment } from '../core/environment.ts';
import { SkillError } from '../core/errors.ts';
import { sizeInWords } from '../core/text/quantities.ts';
import { archiveOf } from '../get/install/archive.ts';
import { type Kept, keep, kept } from '../get/install/store.ts';
import { extractArchive } from '../get/sources/archives/archive.ts';
import { usualLimits } from '../get/sources/limits.ts';
import { Placer, refusal } from '../get/sources/placer.ts';
import { createPrivateFolder, removeFolder } from '../get/sources/private-folder.ts';
import { digestFiles, executableMark } from '../run/policy/digest.ts';

/** The form of digests, which are the names of bundles. */
export const digestPattern = /^sha256:[0-9a-f]{64}$/;

/** Milliseconds without a byte after which a bundle is given up. */
const idleMs = 15_000;

/** Puts a skill into the store under the digest of its files, unless its very bytes are there. */
export async function putBundle(bundles: ObjectStore, skill: Kept): Promise<void> {
  const bytes = archiveOf(skill, '');
  const sum = process.getBuiltinModule('node:crypto').createHash('sha256').update(bytes).digest('base64url');
  const known = await bundles.info(skill.digest);
  const isThere = known !== null && !known.deleted && known.digest.replace(/=+$/, '') === `SHA-256=${sum}`;
  if (!isThere) await bundles.putBlob({ name: skill.digest }, bytes);
}

/**
 * Brings a skill by its digest: the copy that is kept here, or the one in the store. What the store has is a stranger's:
 * every path of it is judged, every byte counted, and nothing is kept but the very files that make up the digest.
 */
export async function bringBundle(
  environment: Environment,
  bundles: ObjectStore,
  digest: string,
  signal?: AbortSignal,
): Promise<Kept> {
  const known = await kept(environment, digest);
  if (known !== null) return known;
  const work = await createPrivateFolder(environment);
  try {
    const file = join(work, 'bundle');
    await download(bundles, digest, file, signal);
    return await keep(environment, (draft) => unpack(file, draft, digest, signal));
  } finally {
    await removeFolder(work);
  }
}

async function download(bundles: ObjectStore, digest: string, file: string, signal?: AbortSignal): Promise<void> {
  const found = await bundles.get(digest);
  if (found === null) throw new SkillError('not-found', `the bundle ${digest} is not in the cluster`);
  found.error.catch(() => {}); // reading it tells
  const reader = found.data.getReader();
  const descriptor = openSync(file, 'wx', 0o600);
  let sent = 0;
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), digest, signal);
      if (done) return;
      sent += value.length;
      if (sent > usualLimits.sentBytes) throw refusal(digest, '', `larger than ${sizeInWords(usualLimits.sentBytes)}`);
      for (let at = 0; at < value.length; ) at += writeSync(descriptor, value, at);
    }
  } finally {
    closeSync(descriptor);
    void reader.cancel().catch(() => {});
  }
}

async function inTime<T>(action: Promise<T>, digest: string, signal?: AbortSignal): Promise<T> {
  const ended = new AbortController();
  const waiting = AbortSignal.any([ended.signal, ...(signal === undefined ? [] : [signal])]);
  const late = sleep(idleMs, undefined, { signal: waiting }).then(() => {
    throw new SkillError('unavailable', `the bundle ${digest} does not arrive`);
  });
  return Promise.race([action, late]).finally(() => ended.abort());
}

/** Unpacks a bundle into an empty folder, for reading only. Other files than those of the digest are refused. */
async function unpack(file: string, folder: string, digest: string, signal?: AbortSignal): Promise<void> {
  const placer = new Placer(folder, {
    what: digest,
    limits: usualLimits,
    onProblem: ({ path, reason }) => {
      throw refusal(digest, path, reason);
    },
  });
  await extractArchive(file, placer, usualLimits, signal);
  const { digest: found, files } = await digestFiles(folder);
  if (found !== digest) throw refusal(digest, '', `its files have the digest ${found}`);
  for (const [path, one] of Object.entries(files)) {
    chmodSync(below(folder, path), one.endsWith(executableMark) ? 0o555 : 0o444);
  }
}

import { hostname } from 'node:os';
import { openObjects } from '../../../cluster/buckets.ts';
import { putBundle } from '../../../cluster/bundles.ts';
import type { Cluster } from '../../../cluster/connection.ts';
import { patiently } from '../../../cluster/patience.ts';
import { inputKeptMs } from '../../../cluster/workers/messages.ts';
import { createClusterRuntime } from '../../../cluster/workers/runtime.ts';
import { SkillError } from '../../../core/errors.ts';
import { digestFiles, linkMark } from '../../../run/policy/digest.ts';
import type { SandboxRuntime } from '../../../run/sandbox/types.ts';

/** The workers of a cluster as a runtime. */
export function createCalls(cluster: Cluster, maxPerSubject: number): SandboxRuntime {
  /** Digests of which the cluster is known to have the files. */
  const there = new Set<string>();
  return createClusterRuntime(cluster, {
    server: hostname(),
    maxPerSubject,
    async putBundle(connection, { skill, digest }, folder, again) {
      if (there.has(digest) && !again) return;
      const found = await digestFiles(folder);
      if (found.digest !== digest || Object.values(found.files).some((one) => one.startsWith(linkMark))) {
        const message = `skill '${skill}' cannot run on workers: it contains links, or something that is not a regular file`;
        throw new SkillError('unavailable', message, { hint: 'Put the files themselves in their place.' });
      }
      // Where a node has just died, a new leader is found meanwhile: nothing has been run yet.
      await patiently(async () =>
        putBundle(await openObjects(connection, cluster.names.bundles), { ...found, folder }),
      );
      there.add(digest);
    },
    async putInput(connection, id, bytes) {
      const inputs = await patiently(async () => {
        const store = await openObjects(connection, cluster.names.inputs, inputKeptMs);
        await store.putBlob({ name: id }, bytes);
        return store;
      });
      return async () => void (await inputs.delete(id));
    },
  });
}

import { rmSync } from 'node:fs';
import { placedFolders } from '../../../cluster/view.ts';
import { isThere, statOf } from '../../../core/disk/files.ts';
import { count, flag, type Infer, integer, list, object, text } from '../../../core/schema/schema.ts';
import { readLock } from '../../../get/install/lock-file.ts';
import { scopeFor } from '../../../get/install/places.ts';
import { knownBases } from '../../../get/install/presence.ts';
import { bytesOf, listStored } from '../../../get/install/store.ts';
import { inTurn } from '../../../get/install/transaction.ts';
import { listQuarantine } from '../../../get/scan/store.ts';
import type { Engine } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';

const output = object({
  removed: list(object({ folder: text(), bytes: count() })),
  bytes: count('Of all that was removed, or would be.'),
  kept: count('Copies that stay.'),
  dryRun: flag(),
});
export type PruneOutput = Infer<typeof output>;

const dayMs = 24 * 60 * 60 * 1000;

export const prune = defineOperation({
  name: 'prune',
  effect: 'acts',
  concernsSkills: false,
  input: {
    days: integer('Leave what was fetched in so many days: a project that is not known may need it.', {
      default: 30,
      min: 0,
    }),
    dryRun: flag('Show what would be removed, and remove nothing.', { default: false }),
  },
  output,
  async run(engine, { days, dryRun }, { onProgress }): Promise<PruneOutput> {
    const { environment } = engine;
    return inTurn(
      environment,
      async () => {
        const [needed, before] = [neededBy(engine), Date.now() - days * dayMs];
        const stored = listStored(environment);
        const unused = stored.filter(({ folder, digest }) => {
          const stats = statOf(folder);
          return !needed.has(digest) && !needed.has(folder) && stats.ok && stats.value.mtimeMs <= before;
        });
        const removed = unused.map(({ folder }) => ({ folder, bytes: bytesOf(folder) }));
        if (!dryRun) for (const { folder } of removed) rmSync(folder, { recursive: true, force: true });
        const bytes = removed.reduce((sum, one) => sum + one.bytes, 0);
        return { removed, bytes, kept: stored.length - removed.length, dryRun };
      },
      onProgress,
    );
  },
});

/**
 * The digests in the lock files of all known projects and of the user, and the folders of what is in quarantine or in
 * the catalogue of a cluster.
 */
function neededBy({ environment }: Engine): ReadonlySet<string> {
  const projects = [environment.cwd, ...knownBases(environment)].filter(isThere);
  const scopes = [
    scopeFor('global', environment),
    ...projects.map((cwd) => scopeFor('project', { ...environment, cwd })),
  ];
  const locked = scopes.flatMap((scope) => [...readLock(scope).entries.values()]);
  return new Set([
    ...locked.flatMap(({ repertoire }) => repertoire?.digest ?? []),
    ...listQuarantine(environment).keys(),
    ...placedFolders(environment),
  ]);
}

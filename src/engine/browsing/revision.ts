import { createSlicer, each, runSliced, type SlicedTask } from '../../core/time-slice.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { toolMarkOf } from '../searching/source.ts';

const known = new WeakMap<Snapshot, string>();

/** Calls back whenever a list of all skills would differ from the one before. Returns a function that ends it. */
export function followRevisions(registry: Registry, changed: (revision: string) => void): () => void {
  const slicer = createSlicer();
  let last: string | undefined;
  let isOver = false;
  /** Queue of comparisons, one after the other: each is with the one before. */
  let queue = Promise.resolve();
  const compare = (snapshot: Snapshot): void => {
    queue = queue.then(async () => {
      if (isOver || snapshot !== registry.current) return; // the next one is on its way
      const now = await runSliced(revisionSteps(snapshot), slicer);
      const isNews = last !== undefined && last !== now;
      last = now;
      if (isNews && !isOver) changed(now);
    });
  };
  if (registry.current !== undefined) compare(registry.current);
  const end = registry.observe({ began() {}, ended: compare, failed() {} });
  return () => {
    isOver = true;
    end();
  };
}

/**
 * A digest that changes whenever a list of all skills would: with every skill, the hidden ones too, with the state of
 * the files their tools come from, and with every diagnostic.
 */
export function* revisionSteps(snapshot: Snapshot): SlicedTask<string> {
  const before = known.get(snapshot);
  if (before !== undefined) return before;
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  const { folders } = snapshot.scan;
  yield* each(snapshot.skills, (skill) => {
    const { id, fullName, provider, location, digest } = skill;
    hash.update([id, fullName, provider, location, digest, toolMarkOf(skill, folders), '\n'].join('\0'));
  });
  yield* each(snapshot.diagnostics, ({ code, file, message }) => {
    hash.update([code, file, message, '\n'].join('\0'));
  });
  const revision = hash.digest('hex').slice(0, 32);
  known.set(snapshot, revision);
  return revision;
}

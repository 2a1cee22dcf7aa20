import { settlesWithin } from '../../kernel/settles-within.ts';
import { isOrphaned } from '../linux/owner.ts';
import type { Engine } from './engine.ts';
import { labels } from './names.ts';
import { remove } from './remove.ts';

/** How long an engine may take to list and remove them. What is left then, another sweep finds. */
const sweepMs = 10_000;

/** A container by what the engine knows it by. */
interface Orphan {
  readonly id: string;
  readonly part: string | undefined;
}

/** Removes the containers of processes that are gone for certain, as far as the engine does it in time. */
export async function sweepContainers(engine: Engine): Promise<void> {
  await settlesWithin(sweepMs, removeOrphans(engine));
}

/** Containers of processes that are gone for certain; containers outlive a reboot of the host, processes do not. */
export async function orphansOn({ docker }: Engine): Promise<readonly Orphan[]> {
  const listing = docker.listContainers({ all: true, filters: { label: [labels.owner] } });
  if (!(await settlesWithin(sweepMs, listing)))
    throw new Error('the container engine takes too long to list containers');
  const ours = await listing;
  const orphans = ours.filter((container) => isOrphaned(container.Labels[labels.owner] ?? ''));
  return orphans.map(({ Id, Labels }) => ({ id: Id, part: Labels[labels.part] }));
}

async function removeOrphans(engine: Engine): Promise<void> {
  const orphans = await orphansOn(engine);
  // A bridge goes last: its network is in use as long as the container of the tool is there.
  const bridges = orphans.filter(({ part }) => part === 'bridge');
  const tools = orphans.filter((orphan) => !bridges.includes(orphan));
  for (const group of [tools, bridges]) await Promise.all(group.map(({ id }) => remove(engine, id)));
}

import { within } from '../../kernel/patience.ts';
import { isOrphaned } from '../linux/owner.ts';
import type { Engine } from './engine.ts';
import { labels } from './names.ts';
import { remove } from './remove.ts';

/** How long an engine may take to list and remove them. What is left then, another sweep finds. */
const sweepMs = 10_000;

/**
 * Removes the containers of processes that are gone for certain; containers outlive a reboot of the host, processes do not. Returns those
 * that are still there.
 */
export async function sweepContainers(engine: Engine): Promise<readonly string[]> {
  const removal = removeOrphans(engine);
  if (await within(sweepMs, removal)) return removal;
  throw new Error('the container engine takes too long to list and remove containers');
}

async function removeOrphans(engine: Engine): Promise<readonly string[]> {
  const ours = await engine.docker.listContainers({ all: true, filters: { label: [labels.owner] } });
  const orphans = ours.filter((container) => isOrphaned(container.Labels[labels.owner] ?? ''));
  // A bridge goes last: its network is in use as long as the container of the tool is there.
  const bridges = orphans.filter((container) => container.Labels[labels.part] === 'bridge');
  const tools = orphans.filter((container) => !bridges.includes(container));
  const removed = new Set<string>();
  const removeOne = async ({ Id }: { readonly Id: string }): Promise<void> => {
    if (await remove(engine, Id)) removed.add(Id);
  };
  for (const group of [tools, bridges]) await Promise.all(group.map(removeOne));
  return orphans.map(({ Id }) => Id).filter((id) => !removed.has(id));
}

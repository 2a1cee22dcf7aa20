import { within } from '../../kernel/patience.ts';
import { isOrphaned } from '../linux/owner.ts';
import type { Engine } from './engine.ts';
import { labels } from './names.ts';
import { remove } from './remove.ts';

/** How long an engine may take to list and remove them. What is left then, another sweep finds. */
const sweepMs = 10_000;

/** Removes the containers of processes that are gone for certain; containers outlive a reboot of the host, processes do not. */
export async function sweepContainers(engine: Engine): Promise<void> {
  await within(sweepMs, removeOrphans(engine));
}

async function removeOrphans(engine: Engine): Promise<void> {
  const ours = await engine.docker.listContainers({ all: true, filters: { label: [labels.owner] } });
  const orphans = ours.filter((container) => isOrphaned(container.Labels[labels.owner] ?? ''));
  // A bridge goes last: its network is in use as long as the container of the tool is there.
  const bridges = orphans.filter((container) => container.Labels[labels.part] === 'bridge');
  const tools = orphans.filter((container) => !bridges.includes(container));
  for (const group of [tools, bridges]) await Promise.all(group.map(({ Id }) => remove(engine, Id)));
}

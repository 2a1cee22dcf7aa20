import type { IconName } from '../parts/icon.tsx';
import { session } from '../session.ts';

export interface MenuItem {
  readonly page: string;
  readonly title: string;
  readonly icon: IconName;
  /** The key that leads there after `g`. */
  readonly key: string;
  /** Pages during which the entry is marked. */
  readonly covers: readonly string[];
  /** Whether it is there only where the server takes part in a cluster. */
  readonly ofCluster?: true;
}

const items: readonly MenuItem[] = [
  { page: 'home', title: 'Home', icon: 'home', key: 'h', covers: ['home'] },
  { page: 'skills', title: 'Skills', icon: 'skills', key: 's', covers: ['skills', 'skill', 'new', 'run'] },
  { page: 'agents', title: 'Agents', icon: 'agents', key: 'a', covers: ['agents'] },
  { page: 'get', title: 'Get', icon: 'get', key: 'g', covers: ['get'] },
  { page: 'grants', title: 'Grants', icon: 'grants', key: 'r', covers: ['grants'] },
  { page: 'activity', title: 'Activity', icon: 'activity', key: 'v', covers: ['activity'] },
  { page: 'health', title: 'Health', icon: 'health', key: 'e', covers: ['health'] },
  { page: 'cluster', title: 'Cluster', icon: 'cluster', key: 'c', covers: ['cluster'], ofCluster: true },
];

/** The entries that this server has a page for. */
export function menu(): readonly MenuItem[] {
  const isMember = session.value?.cluster === true;
  return items.filter(({ ofCluster }) => isMember || ofCluster !== true);
}

export function titleOf(name: string): string {
  return items.find(({ covers }) => covers.includes(name))?.title ?? 'Not found';
}

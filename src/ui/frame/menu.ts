import type { OperationName } from '../../faces/web/operations.ts';
import type { IconName } from '../parts/icon.tsx';
import { may } from '../session.ts';

export interface MenuItem {
  readonly page: string;
  readonly title: string;
  readonly icon: IconName;
  /** The key that leads there after `g`. */
  readonly key: string;
  /** Pages during which the entry is marked. */
  readonly covers: readonly string[];
  /** The operation that its page shows. */
  readonly shows: OperationName;
}

const items: readonly MenuItem[] = [
  { page: 'home', title: 'Home', icon: 'home', key: 'h', covers: ['home'], shows: 'attention' },
  {
    ...{ page: 'skills', title: 'Skills', icon: 'skills', key: 's', shows: 'browse' },
    covers: ['skills', 'skill', 'new', 'run'],
  },
  { page: 'agents', title: 'Agents', icon: 'agents', key: 'a', covers: ['agents'], shows: 'agents' },
  { page: 'get', title: 'Get', icon: 'get', key: 'g', covers: ['get'], shows: 'locked' },
  { page: 'grants', title: 'Grants', icon: 'grants', key: 'r', covers: ['grants'], shows: 'grants' },
  { page: 'activity', title: 'Activity', icon: 'activity', key: 'v', covers: ['activity'], shows: 'activity' },
  { page: 'health', title: 'Health', icon: 'health', key: 'e', covers: ['health'], shows: 'health' },
  { page: 'cluster', title: 'Cluster', icon: 'cluster', key: 'c', covers: ['cluster'], shows: 'members' },
];

/** The entries whose pages the server answers for. */
export function menu(): readonly MenuItem[] {
  return items.filter(({ shows }) => may(shows));
}

export function titleOf(name: string): string {
  return items.find(({ covers }) => covers.includes(name))?.title ?? 'Not found';
}

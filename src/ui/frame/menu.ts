import type { IconName } from '../parts/icon.tsx';

export interface MenuItem {
  readonly page: string;
  readonly title: string;
  readonly icon: IconName;
  /** The key that leads there after `g`. */
  readonly key: string;
  /** Pages during which the entry is marked. */
  readonly covers: readonly string[];
}

export const menu: readonly MenuItem[] = [
  { page: 'home', title: 'Home', icon: 'home', key: 'h', covers: ['home'] },
  { page: 'skills', title: 'Skills', icon: 'skills', key: 's', covers: ['skills', 'skill', 'new', 'run'] },
  { page: 'agents', title: 'Agents', icon: 'agents', key: 'a', covers: ['agents'] },
  { page: 'get', title: 'Get', icon: 'get', key: 'g', covers: ['get'] },
  { page: 'grants', title: 'Grants', icon: 'grants', key: 'r', covers: ['grants'] },
  { page: 'activity', title: 'Activity', icon: 'activity', key: 'v', covers: ['activity'] },
  { page: 'health', title: 'Health', icon: 'health', key: 'e', covers: ['health'] },
];

export function titleOf(name: string): string {
  return menu.find(({ covers }) => covers.includes(name))?.title ?? 'Not found';
}

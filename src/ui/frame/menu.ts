import type { IconName } from '../parts/icon.tsx';

export interface MenuItem {
  readonly page: string;
  readonly title: string;
  readonly icon: IconName;
  /** Pages during which the entry is marked. */
  readonly covers: readonly string[];
}

export const menu: readonly MenuItem[] = [
  { page: 'skills', title: 'Skills', icon: 'skills', covers: ['skills', 'skill', 'run'] },
  { page: 'grants', title: 'Grants', icon: 'grants', covers: ['grants'] },
  { page: 'activity', title: 'Activity', icon: 'activity', covers: ['activity'] },
  { page: 'health', title: 'Health', icon: 'health', covers: ['health'] },
];

export function titleOf(name: string): string {
  return menu.find(({ covers }) => covers.includes(name))?.title ?? 'Not found';
}

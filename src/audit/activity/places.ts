import { join } from 'node:path';
import type { Environment } from '../../kernel/environment.ts';
import { entriesOf } from '../../kernel/files.ts';
import { stateFolder } from '../../kernel/own-folders.ts';
import { byText } from '../../kernel/text.ts';

export interface ActivityPlaces {
  readonly folder: string;
  /** What is being written; what is full is beside it, named by when it was put aside. */
  readonly current: string;
}

export const currentName = 'activity.jsonl';

export function activityPlaces(environment: Environment): ActivityPlaces {
  const folder = join(stateFolder(environment), 'activity');
  return { folder, current: join(folder, currentName) };
}

const fullName = /^activity-\d{13}-\d+\.jsonl$/;

/** Two processes may put a file aside at the same time: each gives it a name that the other does not. */
export function nameForFull(): string {
  return `activity-${String(Date.now()).padStart(13, '0')}-${process.pid}.jsonl`;
}

/** The names of the full files, the newest first. */
export function fullNames(folder: string): readonly string[] {
  const entries = entriesOf(folder);
  if (!entries.ok) return [];
  const names = entries.value.map(({ name }) => name).filter((name) => fullName.test(name));
  return names.sort((a, b) => byText(b, a));
}

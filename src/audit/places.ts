import { join } from 'node:path';
import type { Environment } from '../kernel/environment.ts';
import { entriesOf } from '../kernel/files.ts';
import { configFolder, stateFolder } from '../kernel/own-folders.ts';
import { byText } from '../kernel/text.ts';

/** Where everything lies. The head is kept outside the log's folder, and the key in another place altogether. */
export interface Places {
  readonly folder: string;
  /** What is being written; what is full is beside it, numbered. */
  readonly current: string;
  readonly head: string;
  readonly lock: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

export const currentName = 'audit.jsonl';

export function placesIn(environment: Environment): Places {
  const state = stateFolder(environment);
  const folder = join(state, 'audit');
  return {
    folder,
    current: join(folder, currentName),
    head: join(state, 'audit-head'),
    lock: join(folder, '.lock'),
    privateKey: join(configFolder(environment), 'audit-key.pem'),
    publicKey: join(folder, 'audit-key.pub'),
  };
}

const fullName = /^audit-(\d{6,})\.jsonl$/;

/** The number of a full file, or null for any other name. */
export function numberOf(name: string): number | null {
  const [, digits] = fullName.exec(name) ?? [];
  return digits === undefined ? null : Number(digits);
}

export function nameOf(number: number): string {
  return `audit-${String(number).padStart(6, '0')}.jsonl`;
}

/** The names of the full files, the oldest first. */
export function fullFiles(folder: string): readonly string[] {
  const entries = entriesOf(folder);
  if (!entries.ok) return [];
  const names = entries.value.map((entry) => entry.name).filter((name) => numberOf(name) !== null);
  return names.sort((a, b) => a.length - b.length || byText(a, b));
}

import { join } from 'node:path';
import { isObject, readJson } from '../../kernel/documents.ts';
import type { Environment } from '../../kernel/environment.ts';
import { reasonOf } from '../../kernel/errors.ts';
import { makeFolder } from '../../kernel/make-folder.ts';
import { stateFolder } from '../../kernel/own-folders.ts';
import { putFile } from '../../kernel/replace.ts';
import type { Scope } from '../agents/types.ts';
import type { Json } from '../edit/types.ts';
import { inWords } from './reasons.ts';

/** A folder that was trusted for an entry of ours, so that trust which a person gave is never taken back. */
export interface Given {
  readonly agent: string;
  readonly server: string;
  readonly scope: Scope;
  readonly folder: string;
  /** What the file said before. */
  readonly said: Json | null;
  /** Whether the table around it was added with it. */
  readonly isTableNew: boolean;
}

export function given(environment: Environment): readonly Given[] {
  const read = readJson(recordFile(environment));
  return read.kind === 'value' && Array.isArray(read.value) ? (read.value as readonly unknown[]).filter(isGiven) : [];
}

function isGiven(value: unknown): value is Given {
  return isObject(value) && ['agent', 'server', 'scope', 'folder'].every((key) => typeof value[key] === 'string');
}

/** Returns why it cannot be written, or null. */
export function recordGiven(environment: Environment, all: readonly Given[]): string | null {
  const file = recordFile(environment);
  try {
    makeFolder(stateFolder(environment));
    putFile(file, `${JSON.stringify(all, null, 2)}\n`);
    return null;
  } catch (error) {
    return `${file} cannot be written, so --remove will not take this back: ${inWords(reasonOf(error))}`;
  }
}

function recordFile(environment: Environment): string {
  return join(stateFolder(environment), 'trusted-folders.json');
}

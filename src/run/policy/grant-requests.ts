import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { stateFolder } from '../../core/disk/own-folders.ts';
import { putFile } from '../../core/disk/replace.ts';
import type { Environment } from '../../core/environment.ts';
import { sha256 } from '../../core/hash.ts';
import { readOwnFile } from '../../core/schema/own-file.ts';
import { type Infer, object, text } from '../../core/schema/schema.ts';

/** A grant that somebody has given and somebody else has to confirm. */
const requestSchema = object({
  about: text('The digest of what would be granted, to which files.'),
  subject: text('Who has given it.'),
});
export type GrantWaiting = Infer<typeof requestSchema>;

function fileFor(environment: Environment, folder: string): string {
  return join(stateFolder(environment), 'grant-requests', `${sha256(folder).slice(0, 32)}.json`);
}

/** The grant that waits for a second person, of the skill in this real folder. */
export function requestFor(environment: Environment, folder: string): GrantWaiting | null {
  return readOwnFile(requestSchema, fileFor(environment, folder), 64 * 1024);
}

export function keepRequest(environment: Environment, folder: string, waiting: GrantWaiting): void {
  const file = fileFor(environment, folder);
  makeFolder(join(file, '..'));
  putFile(file, JSON.stringify(waiting));
}

export function forgetRequest(environment: Environment, folder: string): void {
  rmSync(fileFor(environment, folder), { force: true });
}

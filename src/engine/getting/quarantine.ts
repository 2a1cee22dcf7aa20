import { join } from 'node:path';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { stateFolder } from '../../core/disk/own-folders.ts';
import { putFile } from '../../core/disk/replace.ts';
import type { Environment } from '../../core/environment.ts';
import type { Incoming } from '../../get/install/plan.ts';

/** Records a skill that the scan blocks. Its files stay in the store, where no agent looks. */
export function quarantine(environment: Environment, { name, kept, origin, scan }: Incoming): void {
  const folder = join(stateFolder(environment), 'quarantine');
  makeFolder(folder);
  const record = { version: 1, name, folder: kept.folder, source: origin.source, scan };
  putFile(join(folder, `${scan.digest.replace(/^sha256:/, '')}.json`), `${JSON.stringify(record)}\n`);
}

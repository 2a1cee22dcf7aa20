import { join } from 'node:path';
import { objectOf, readToml } from '../kernel/documents.ts';
import { isThere } from '../kernel/files.ts';
import { type Runtime, runtimes } from '../skill/kinds.ts';
import type { Skill } from '../skill/types.ts';

/** As its manifest says; scripts without a manifest are run natively. */
export async function runtimeOf({ id }: Pick<Skill, 'id'>): Promise<Runtime> {
  const manifest = await readToml(join(id, 'skill.toml'), id);
  if (manifest.kind === 'value') {
    const said = objectOf(manifest, 'skill')['runtime'];
    return runtimes.find((runtime) => runtime === said) ?? 'native';
  }
  return isThere(join(id, 'scripts')) ? 'native' : 'none';
}

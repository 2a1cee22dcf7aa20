import { join } from 'node:path';
import { isObject, objectOf, readToml } from '../kernel/documents.ts';
import { isThere } from '../kernel/files.ts';
import type { Skill } from '../skill/types.ts';

/** What a skill's tools run in; `none` for a skill that is instructions alone. */
export const runtimes = ['native', 'wasm', 'docker', 'none'] as const;
export type Runtime = (typeof runtimes)[number];

/** As its manifest says; scripts without a manifest are run natively. */
export async function runtimeOf({ id }: Pick<Skill, 'id'>): Promise<Runtime> {
  const manifest = await readToml(join(id, 'skill.toml'), id);
  if (manifest.kind === 'value') {
    const said = isObject(manifest.value) ? objectOf(manifest, 'skill')['runtime'] : undefined;
    return runtimes.find((runtime) => runtime === said) ?? 'native';
  }
  return isThere(join(id, 'scripts')) ? 'native' : 'none';
}

import { readRegularPart } from '../../core/disk/files.ts';
import { sampleBytes, typeByName, typeOf } from '../../skill/mime.ts';
import type { Skill } from '../../skill/types.ts';
import { locate } from './contained.ts';

const noBytes = new Uint8Array(0);

/** The media type of a file of a skill. Its first bytes are read only where its name does not tell. */
export function fileTypeOf(skill: Skill, path: string): string {
  const byName = typeByName(path);
  if (byName !== null) return byName;
  const place = locate(skill, path);
  const sample = place.ok ? readRegularPart(place.real, 0, sampleBytes) : null;
  return typeOf(path, sample?.ok ? sample.value.bytes : noBytes);
}

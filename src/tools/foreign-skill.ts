import { isObject } from '../kernel/documents.ts';
import { defaultLimits, limitForms } from '../policy/limits.ts';
import type { Limits } from '../policy/types.ts';
import { Findings, type Place, pass, within } from './findings.ts';
import { limitKeys } from './limits.ts';

/** Keys that say what is run, and where. */
const replacing = ['tools', 'runtime', 'module', 'image', 'folder', 'docker'];

/** Tables that may hold limits too. */
const limiting = ['limits', 'resources', 'capabilities'];

/**
 * What a project may say of a skill that it did not bring: nothing about what is run, and no limit above those that
 * the skill sets itself, or the defaults. Everything else is left out, each with a report at its line.
 */
export function withoutForeign(place: Place, own: Partial<Limits>): Place {
  return filtered(place, (inner, key) => {
    if (replacing.includes(key) || (key === 'source' && isImage(inner.value)))
      return ignored(inner, 'this project did not bring the skill, and cannot change what it runs');
    if (limiting.includes(key)) return filtered(inner, (one, name) => lowering(one, name, own)).value;
    return lowering(inner, key, own);
  });
}

/** `docker:image`, which sets the image. */
function isImage(source: unknown): boolean {
  return typeof source === 'string' && source.startsWith('docker:');
}

function filtered(place: Place, keep: (inner: Place, key: string) => unknown): Place {
  if (!isObject(place.value)) return place;
  const kept = Object.keys(place.value).map((key) => [key, keep(within(place, key), key)] as const);
  return { ...place, value: Object.fromEntries(kept.filter(([, value]) => value !== undefined)) };
}

/** The value, unless it is a limit that is higher than it is without it. */
function lowering(place: Place, key: string, own: Partial<Limits>): unknown {
  const name = key === 'output' ? 'max_output' : key;
  if (!Object.hasOwn(limitKeys, name)) return place.value;
  // What is wrong with it is reported when it is read.
  const set = limitKeys[name as keyof typeof limitKeys]({ ...place, findings: new Findings('', '') });
  if (set === undefined) return place.value;
  const most = own[set.limit] ?? defaultLimits[set.limit];
  if (set.amount <= most) return place.value;
  return ignored(place, `this project did not bring the skill, whose limit is ${limitForms[set.limit].inWords(most)}`);
}

function ignored(place: Place, why: string): undefined {
  return pass(
    place,
    `has no effect: ${why}`,
    "Set it in the skill's own skill.toml, or bring the skill with the project.",
  );
}

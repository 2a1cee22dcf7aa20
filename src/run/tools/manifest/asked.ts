import { union } from '../../policy/capabilities.ts';
import type { Capabilities } from '../../policy/types.ts';
import type { Toolbox } from '../types.ts';

/** The capabilities that a skill asks for as a whole: a grant is for all its tools, in all its instances. */
export function askedByAll({ capabilities, instances, tools }: Toolbox): Capabilities {
  const all = [...Object.values(instances), ...tools].map((one) => one.capabilities);
  return union(capabilities, ...all);
}

import { hostText } from '../../../run/policy/hosts.ts';
import { limitForms, limitNames } from '../../../run/policy/limits.ts';
import type { Permissions } from '../../../run/policy/types.ts';

/** Permissions of a run in words: each as a person would write it. */
export interface PermissionWords {
  readonly network: readonly string[];
  readonly folders: readonly string[];
  readonly limits: readonly (readonly [name: string, amount: string])[];
}

export function permissionWords({ network, mounts, missing, limits }: Permissions): PermissionWords {
  return {
    network: network.map(hostText),
    folders: [
      ...mounts.map(({ source, access }) => `${source} (${access})`),
      ...missing.map((path) => `${path} (granted, but it does not exist)`),
    ],
    limits: limitNames.map((name) => [limitForms[name].key, limitForms[name].inWords(limits[name])]),
  };
}

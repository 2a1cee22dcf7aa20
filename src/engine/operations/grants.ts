import { noCapabilities } from '../../policy/capabilities.ts';
import { changesInWords, changesSince } from '../../policy/changes.ts';
import { digestFiles } from '../../policy/digest.ts';
import { listGrants } from '../../policy/grants.ts';
import { type CapabilityItem, itemsOf } from '../../policy/items.ts';
import { outsideNow, withOutside } from '../../policy/outside.ts';
import type { Grant } from '../../policy/types.ts';
import { inWords } from '../../policy/words.ts';
import { defineOperation } from '../operation.ts';

export interface GrantRecord {
  readonly skill: string;
  readonly folder: string;
  readonly digest: string;
  readonly grantedAt: string;
  readonly may: readonly string[];
  /** The same, one by one. */
  readonly items: readonly CapabilityItem[];
  /** What it asks for too, and was not granted. */
  readonly withheld: readonly CapabilityItem[];
  /** Whether it still holds. */
  readonly valid: boolean;
  /** What has changed since, where it does not. */
  readonly changes: readonly string[];
}

export interface GrantsOutput {
  readonly grants: readonly GrantRecord[];
  /** Files of grants that cannot be read, and so allow nothing. */
  readonly problems: readonly string[];
}

export const grants = defineOperation({
  fields: {},
  async run({ environment }, _input, { onProgress }): Promise<GrantsOutput> {
    const { grants: all, problems } = listGrants(environment);
    const records: GrantRecord[] = [];
    for (const one of all) {
      onProgress?.({ what: 'Looking for changes in skills', done: records.length, total: all.length });
      records.push(await recordOf(one));
    }
    return { grants: records, problems };
  },
});

async function recordOf(grant: Grant): Promise<GrantRecord> {
  const changes = await changesOf(grant);
  return {
    skill: grant.name,
    folder: grant.skill,
    digest: grant.digest,
    grantedAt: grant.grantedAt,
    may: inWords(grant.capabilities),
    items: itemsOf(grant.capabilities),
    withheld: itemsOf(grant.withheld ?? noCapabilities),
    valid: changes.length === 0,
    changes,
  };
}

async function changesOf(grant: Grant): Promise<readonly string[]> {
  try {
    const { digest, files } = withOutside(await digestFiles(grant.skill), outsideNow(grant.files));
    return digest === grant.digest ? [] : changesInWords(changesSince(grant, files));
  } catch {
    return ['the skill is no longer there'];
  }
}

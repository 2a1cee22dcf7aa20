import { changesInWords, changesSince } from '../../policy/changes.ts';
import { digestFiles } from '../../policy/digest.ts';
import { listGrants } from '../../policy/grants.ts';
import { outsideIn, withOutside } from '../../policy/outside.ts';
import type { Grant } from '../../policy/types.ts';
import { inWords } from '../../policy/words.ts';
import { defineOperation } from '../operation.ts';

export interface GrantRecord {
  readonly skill: string;
  readonly folder: string;
  readonly digest: string;
  readonly grantedAt: string;
  readonly may: readonly string[];
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
  async run({ environment }): Promise<GrantsOutput> {
    const { grants: all, problems } = listGrants(environment);
    return { grants: await Promise.all(all.map(recordOf)), problems };
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
    valid: changes.length === 0,
    changes,
  };
}

async function changesOf(grant: Grant): Promise<readonly string[]> {
  try {
    const { digest, files } = withOutside(await digestFiles(grant.skill), outsideIn(grant.files));
    return digest === grant.digest ? [] : changesInWords(changesSince(grant, files));
  } catch {
    return ['the skill is no longer there'];
  }
}

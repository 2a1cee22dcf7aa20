import { flag, type Infer, list, object, text, time } from '../../../core/schema/schema.ts';
import { noCapabilities } from '../../../run/policy/capabilities.ts';
import { digestFiles, outsideNow, withOutside } from '../../../run/policy/digest.ts';
import { changesInWords, changesSince } from '../../../run/policy/effective.ts';
import { listGrants } from '../../../run/policy/grants.ts';
import { capabilitySchema, inWords, itemsOf } from '../../../run/policy/items.ts';
import type { Grant } from '../../../run/policy/types.ts';
import { defineOperation } from '../../operation.ts';

const grantSchema = object({
  skill: text(),
  folder: text(),
  digest: text('Of all files of the skill, as they were.'),
  grantedAt: time(),
  may: list(text(), 'What it may do, in words.'),
  items: list(capabilitySchema, 'The same, item by item.'),
  withheld: list(capabilitySchema, 'What it also asks for and was not granted.'),
  valid: flag('Whether it is still valid.'),
  changes: list(text(), 'What has changed since.'),
});
export type GrantRecord = Infer<typeof grantSchema>;

const output = object({
  grants: list(grantSchema),
  problems: list(text(), 'Grant files that cannot be read, and so grant nothing.'),
});
export type GrantsOutput = Infer<typeof output>;

export const grants = defineOperation({
  name: 'grants',
  effect: 'reads',
  input: {},
  output,
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

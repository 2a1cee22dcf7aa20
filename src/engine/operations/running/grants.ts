import type { Environment } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import { flag, type Infer, list, object, optional, text, time } from '../../../core/schema/schema.ts';
import { noCapabilities } from '../../../run/policy/capabilities.ts';
import { digestFiles, type FolderDigest, outsideNow, withOutside } from '../../../run/policy/digest.ts';
import { changesInWords, changesSince } from '../../../run/policy/effective.ts';
import { changedFiles, type FileChange, fileChangeSchema } from '../../../run/policy/grants.ts';
import { capabilitySchema, inWords, itemsOf } from '../../../run/policy/request.ts';
import type { Grant } from '../../../run/policy/types.ts';
import { defineOperation } from '../../operation.ts';
import { grantsOf, knownGrants, takeBack } from '../../running/permissions/granting.ts';

export type { FileChange };

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
  files: optional(list(fileChangeSchema, 'The files that have changed, with `diff`.')),
});
export type GrantRecord = Infer<typeof grantSchema>;

const output = object({
  grants: list(grantSchema),
  problems: list(text(), 'Grant files that cannot be read, and so grant nothing.'),
});
export type GrantsOutput = Infer<typeof output>;

export const grants = defineOperation({
  name: 'grants',
  right: 'grant',
  effect: 'reads',
  input: {
    skill: optional(text('Only the grant of this skill.')),
    diff: flag('Show how its files have changed since.', { default: false }),
  },
  output,
  async run(engine, { skill, diff }, { onProgress }): Promise<GrantsOutput> {
    const { environment } = engine;
    const { grants: known, problems } = await knownGrants(engine);
    const all = skill === undefined ? known : await grantsOf(engine, known, skill);
    const records: GrantRecord[] = [];
    for (const one of all) {
      onProgress?.({ what: 'Looking for changes in skills', done: records.length, total: all.length });
      records.push(await recordOf(one, environment, diff));
    }
    return { grants: records, problems };
  },
});

async function recordOf(grant: Grant, environment: Environment, diff: boolean): Promise<GrantRecord> {
  const now = await filesNow(grant);
  const changes = changesOf(grant, now);
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
    ...(diff && { files: changes.length === 0 || now === null ? [] : changedFiles(environment, grant, now.files) }),
  };
}

/** The files of a skill as they are now; null where it is no longer there. */
async function filesNow(grant: Grant): Promise<FolderDigest | null> {
  try {
    return withOutside(await digestFiles(grant.skill), outsideNow(grant.files));
  } catch {
    return null;
  }
}

function changesOf(grant: Grant, now: FolderDigest | null): readonly string[] {
  if (now === null) return ['the skill is no longer there'];
  return now.digest === grant.digest ? [] : changesInWords(changesSince(grant, now.files));
}

const revokeOutput = object({ revoked: list(text(), 'The skills whose grants are gone.') });
export type RevokeOutput = Infer<typeof revokeOutput>;

export const revoke = defineOperation({
  name: 'revoke',
  right: 'grant',
  effect: 'acts',
  input: {
    skill: optional(text('The skill that may no longer do what it was granted.')),
    all: flag('Every skill.', { default: false }),
  },
  output: revokeOutput,
  async run(engine, { skill, all }, request): Promise<RevokeOutput> {
    if (skill === undefined && !all) throw new SkillError('usage', 'name a skill, or use --all');
    const { grants: known } = await knownGrants(engine);
    const those = all ? known : await grantsOf(engine, known, skill ?? '');
    await takeBack(engine, those, request);
    return { revoked: those.map(({ name }) => name) };
  },
});

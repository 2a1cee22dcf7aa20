import type { Environment } from '../../core/environment.ts';
import { reasonOf } from '../../core/errors.ts';
import { flag, type Infer, list, nullable, object, text } from '../../core/schema/schema.ts';
import { noCapabilities } from '../../run/policy/capabilities.ts';
import type { FolderDigest } from '../../run/policy/digest.ts';
import { changesInWords, changesSince, refuseImpossible } from '../../run/policy/effective.ts';
import { readGrant } from '../../run/policy/grants.ts';
import { defaultCeilings, defaultLimits, limitRemark } from '../../run/policy/limits.ts';
import {
  type CapabilityItem,
  type CheckedRequest,
  capabilitySchema,
  checkRequest,
  checkRuntime,
  type FreePolicy,
  itemsOf,
  markedItems,
  needsGrant,
} from '../../run/policy/request.ts';
import type { Capabilities, Grant, OperatorPolicy } from '../../run/policy/types.ts';
import { askedByAll } from '../../run/tools/toolbox.ts';
import type { Toolbox } from '../../run/tools/types.ts';
import type { Skill } from '../../skill/types.ts';
import { runtimeOf } from '../running/target.ts';
import type { Outcome } from './details.ts';

export const inspectPermissionsSchema = object({
  items: list(
    object({
      ...capabilitySchema.fields,
      free: flag('Whether it is allowed without a grant.'),
      granted: flag('Whether a valid grant includes it.'),
      tools: list(text(), 'The tools that ask for it; empty where the whole skill does.'),
    }),
  ),
  grant: nullable(
    object({
      grantedAt: text(),
      digest: text(),
      valid: flag('Whether it is still valid.'),
      changes: list(text(), 'What has changed since, in words.'),
    }),
  ),
  impossible: nullable(text(), 'What cannot be granted, and why.'),
});
export type InspectPermissions = Infer<typeof inspectPermissionsSchema>;

/** Facts about a skill that are known before its permissions are. */
export interface Known {
  readonly skill: Skill;
  readonly toolbox: Toolbox;
  readonly policy: Outcome<OperatorPolicy>;
  /** Digest of its files as they are now. */
  readonly now: Outcome<FolderDigest>;
}

/** Policy in place of one that cannot be read: nothing is free then. */
export const noPolicy: FreePolicy = { commands: [], defaults: defaultLimits, ceilings: defaultCeilings };

export function permissionsIn(environment: Environment, known: Known): InspectPermissions {
  const policy = known.policy.ok ? known.policy.value : noPolicy;
  const all = askedByAll(known.toolbox);
  const needed = needsGrant(policy, all);
  // A limit that every run has is not a request.
  const asked = { ...all, limits: needed.limits };
  const { grant } = readGrant(environment, known.skill.id);
  const standing = grant === null ? null : standingOf(grant, known.now);
  const toGrant = new Set(itemsOf(needed).map(({ key }) => key));
  const held = standing?.valid ? (grant?.capabilities ?? noCapabilities) : noCapabilities;
  return {
    items: markedItems(asked, held, { limit: limitRemark(policy) }).map((item) => ({
      ...item,
      free: !toGrant.has(item.key),
      tools: askingFor(item, known.toolbox),
    })),
    grant: standing,
    impossible: impossibleIn(environment, asked, known),
  };
}

/** Reports whether a grant is still valid: it holds for the files as they were. */
function standingOf(grant: Grant, now: Outcome<FolderDigest>): InspectPermissions['grant'] {
  const { grantedAt, digest } = grant;
  if (!now.ok) return { grantedAt, digest, valid: false, changes: [now.reason] };
  const valid = now.value.digest === digest;
  const changes = valid ? [] : changesInWords(changesSince(grant, now.value.files));
  return { grantedAt, digest, valid, changes };
}

function askingFor({ key }: CapabilityItem, { tools }: Toolbox): string[] {
  const asking = tools.filter(({ capabilities }) => itemsOf(capabilities).some((one) => one.key === key));
  return asking.length === tools.length ? [] : asking.map(({ name }) => name);
}

/** Describes what stands in the way whatever is granted; null if nothing does. */
function impossibleIn(
  environment: Environment,
  asked: Capabilities,
  { skill, toolbox, policy, now }: Known,
): string | null {
  if (!policy.ok) return policy.reason;
  const refusal = refusalOf(skill.fullName, checkRequest(policy.value, asked, environment));
  const runtimes = new Set(toolbox.tools.map((tool) => runtimeOf({ tool })));
  const refused = [...runtimes].flatMap((runtime) => checkRuntime(policy.value, runtime)?.message ?? []);
  const all = [refusal, ...refused, now.ok ? null : now.reason].filter((reason) => reason !== null);
  return all.length === 0 ? null : all.join('; ');
}

function refusalOf(name: string, checked: CheckedRequest): string | null {
  try {
    refuseImpossible(name, checked);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

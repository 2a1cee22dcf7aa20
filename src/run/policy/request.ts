import { realPathOrSelf } from '../../core/disk/files.ts';
import type { Environment } from '../../core/environment.ts';
import { type Problem, problem } from '../../core/schema/parsed.ts';
import { byText } from '../../core/text/text.ts';
import { coversHost, noCapabilities } from './capabilities.ts';
import { inWords } from './items.ts';
import { type LimitPolicy, limitRemark } from './limits.ts';
import { coversName } from './names.ts';
import { coversPath, isPrivatePath } from './paths.ts';
import { checkPath } from './refused-paths.ts';
import type { Capabilities, Mount, OperatorPolicy, PathRule, RuntimeName } from './types.ts';

/** The part of a policy that says what every run has anyway. */
export type FreePolicy = Pick<OperatorPolicy, 'commands'> & LimitPolicy;

/** The capabilities that an operator has to grant: all but what every run has anyway. */
export function needsGrant(policy: FreePolicy, asked: Capabilities): Capabilities {
  return {
    ...asked,
    filesystem: asked.filesystem.filter((rule) => !isPrivatePath(rule)),
    commands: asked.commands.filter((name) => !policy.commands.includes(name)),
    limits: asked.limits.filter(({ limit, amount }) => amount > policy.defaults[limit]),
  };
}

/** The capabilities asked for beyond the default, in words, each path with a remark on it for this machine. */
export function askedInWords(policy: FreePolicy, asked: Capabilities, environment: Environment): string[] {
  const scratch = asked.filesystem.filter((rule) => isPrivatePath(rule) && rule.path !== '/tmp');
  const needed = needsGrant(policy, asked);
  const onPath = (rule: PathRule): string => {
    const checked = checkPath(rule, environment);
    if (!checked.ok) return ` (refused: ${checked.message})`;
    return checked.missing ? ' (which does not exist)' : '';
  };
  return inWords(
    { ...needed, filesystem: [...needed.filesystem, ...scratch] },
    { path: onPath, limit: limitRemark(policy) },
  );
}

/** The outcome of a request on this machine, as it is now. */
export interface CheckedRequest {
  /** Folders of the host that a run would see, outer ones first. */
  readonly mounts: readonly Mount[];
  /** Paths that do not exist: a run goes on without them. */
  readonly missing: readonly string[];
  /** The place where each path leads, or would lead once it is there. */
  readonly places: Readonly<Record<string, string>>;
  /** Reasons why a grant cannot be given at all: refused to everyone, or forbidden by the operator's policy. */
  readonly problems: readonly Problem[];
}

export function checkRequest(policy: OperatorPolicy, asked: Capabilities, environment: Environment): CheckedRequest {
  const needed = needsGrant(policy, asked);
  const mounts = new Map<string, Mount>();
  const missing = new Set<string>();
  const places: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const rule of needed.filesystem) {
    const checked = checkPath(rule, environment);
    if (!checked.ok) {
      problems.push(checked);
      continue;
    }
    const place = checked.mount?.source ?? checked.placeToBe ?? null;
    if (place !== null) places[rule.path] = place;
    const refusal = forbiddenMount(policy, rule, place ?? rule.path);
    if (refusal !== null) problems.push(refusal);
    else if (checked.missing) missing.add(rule.path);
    else if (checked.mount !== null && mounts.get(rule.path)?.access !== 'write') mounts.set(rule.path, checked.mount);
  }
  const inOrder = [...mounts.values()].sort((a, b) => byText(a.target, b.target));
  return { mounts: inOrder, missing: [...missing], places, problems: [...problems, ...forbidden(policy, needed)] };
}

function forbidden(policy: OperatorPolicy, needed: Capabilities): Problem[] {
  return forbiddenBy(policy, {
    ...noCapabilities,
    network: notIn(policy.network, needed.network, coversHost),
    env: notIn(policy.env, needed.env, coversName),
    secrets: notIn(policy.secrets, needed.secrets, coversName),
    commands: notIn(policy.grantableCommands, needed.commands, coversName),
    images: notIn(policy.images, needed.images, coversName),
  });
}

function notIn<T>(allowed: readonly T[] | null, asked: readonly T[], covers: (rule: T, item: T) => boolean): T[] {
  return allowed === null ? [] : asked.filter((item) => !allowed.some((rule) => covers(rule, item)));
}

/** The problem of a mount that the policy forbids, judging by where links lead on both sides. */
function forbiddenMount(policy: OperatorPolicy, rule: PathRule, path: string): Problem | null {
  const allowed = policy.filesystem?.map((one) => ({ ...one, path: realPathOrSelf(one.path) }));
  if (allowed === undefined || allowed.some((one) => coversPath(one, { access: rule.access, path }))) return null;
  return forbiddenBy(policy, { ...noCapabilities, filesystem: [rule] })[0] ?? null;
}

function forbiddenBy(policy: OperatorPolicy, capabilities: Capabilities): Problem[] {
  const remedy = `Change ${policy.file}, or ask whoever maintains it.`;
  return inWords(capabilities).map((words) =>
    problem(`the policy in ${policy.file} does not let any skill ${words}`, remedy),
  );
}

/** The objection of the policy to a runtime; null for none. */
export function checkRuntime(policy: OperatorPolicy, runtime: RuntimeName): Problem | null {
  if (policy.runtimes.includes(runtime)) return null;
  const remedy = `Add "${runtime}" to runtimes under [allow] in ${policy.file}, or ask whoever maintains it.`;
  return problem(`the policy in ${policy.file} does not let any skill use the runtime ${runtime}`, remedy);
}

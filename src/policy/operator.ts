import { join } from 'node:path';
import { type Environment, variable } from '../kernel/environment.ts';
import { SkillError } from '../kernel/errors.ts';
import { configFolder } from '../kernel/own-folders.ts';
import { expandPath } from '../kernel/paths.ts';
import { freeCommands } from './free-commands.ts';
import { atMost, defaultCeilings, defaultLimits } from './limits.ts';
import { meetHosts } from './matching.ts';
import { meetNames } from './names.ts';
import { type PolicyFile, readPolicyFile } from './operator-file.ts';
import { meetPaths } from './paths.ts';
import { type OperatorPolicy, runtimeNames } from './types.ts';

/** What holds where no operator has said anything. */
function defaultPolicy(): OperatorPolicy {
  const total = Math.max(4, 2 * process.getBuiltinModule('node:os').availableParallelism());
  return {
    file: null,
    network: null,
    filesystem: null,
    env: null,
    secrets: null,
    commands: freeCommands,
    grantableCommands: null,
    images: null,
    runtimes: runtimeNames,
    watchedLimits: true,
    defaults: defaultLimits,
    ceilings: defaultCeilings,
    maxConcurrent: total,
    maxConcurrentPerSkill: Math.max(2, total >> 1),
    maxQueue: 4096,
  };
}

/**
 * The operator's policy: that of the machine, and then the user's own, which can only take away from it. Where there
 * is none for the machine, the user is the operator. `REPERTOIRE_POLICY` names another file in place of the user's.
 */
export async function readPolicy(environment: Environment): Promise<OperatorPolicy> {
  const named = variable(environment, 'REPERTOIRE_POLICY');
  const own = named === undefined ? join(configFolder(environment), 'policy.toml') : expandPath(named, environment);
  const machine = await readPolicyFile(join(environment.systemDir, 'repertoire', 'policy.toml'), environment);
  const user = await readPolicyFile(own, environment);
  if (user === null && named !== undefined) {
    const hint = 'Create the file, or unset REPERTOIRE_POLICY.';
    throw new SkillError('config', `REPERTOIRE_POLICY names ${own}, which does not exist`, { hint });
  }
  const files = [machine, user].filter((file) => file !== null);
  const [first, ...others] = files;
  return first === undefined ? defaultPolicy() : others.reduce(narrowed, settled(first));
}

/** The first file, over what holds without it. */
function settled(file: PolicyFile): OperatorPolicy {
  const policy = defaultPolicy();
  const ceilings = { ...policy.ceilings, ...file.ceilings };
  const maxConcurrent = file.maxConcurrent ?? policy.maxConcurrent;
  return {
    ...policy,
    ...file,
    defaults: atMost({ ...policy.defaults, ...file.defaults }, ceilings),
    ceilings,
    maxConcurrent,
    maxConcurrentPerSkill: file.maxConcurrentPerSkill ?? Math.max(1, Math.min(2, maxConcurrent), maxConcurrent >> 1),
  };
}

/** A policy with another file laid over it, which can only take away. */
function narrowed(policy: OperatorPolicy, file: PolicyFile): OperatorPolicy {
  const ceilings = atMost({ ...policy.ceilings, ...file.ceilings }, policy.ceilings);
  const fewer = (key: 'maxConcurrent' | 'maxConcurrentPerSkill' | 'maxQueue') =>
    Math.min(policy[key], file[key] ?? policy[key]);
  return {
    file: `${policy.file} and ${file.file}`,
    network: meet(policy.network, file.network, meetHosts),
    filesystem: meet(policy.filesystem, file.filesystem, meetPaths),
    env: meet(policy.env, file.env, meetNames),
    secrets: meet(policy.secrets, file.secrets, meetNames),
    commands: policy.commands.filter((name) => file.commands?.includes(name) ?? true),
    grantableCommands: meet(policy.grantableCommands, file.grantableCommands, meetNames),
    images: meet(policy.images, file.images, meetNames),
    runtimes: policy.runtimes.filter((name) => file.runtimes?.includes(name) ?? true),
    watchedLimits: policy.watchedLimits && file.watchedLimits !== false,
    defaults: atMost({ ...policy.defaults, ...file.defaults }, ceilings),
    ceilings,
    maxConcurrent: fewer('maxConcurrent'),
    maxConcurrentPerSkill: fewer('maxConcurrentPerSkill'),
    maxQueue: fewer('maxQueue'),
  };
}

/** What two lists allow together. No list allows everything. */
function meet<T>(
  one: readonly T[] | null,
  other: readonly T[] | null | undefined,
  both: (a: T, b: T) => T | null,
): readonly T[] | null {
  if (one === null || other === null || other === undefined) return one ?? other ?? null;
  return one.flatMap((a) => other.map((b) => both(a, b)).filter((rule) => rule !== null));
}

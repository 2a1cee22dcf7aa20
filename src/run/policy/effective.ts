import { isInside } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { byText, oneLine } from '../../core/text/text.ts';
import { canonical, differenceBetween, isEmpty, union } from './capabilities.ts';
import type { FolderDigest } from './digest.ts';
import { limitRemark } from './limits.ts';
import { coversPath } from './names.ts';
import { type CheckedRequest, checkRequest, inWords, needsGrant, onlyOptions } from './request.ts';
import type { Capabilities, FileDigests, Grant, Limits, Mount, OperatorPolicy, Permissions } from './types.ts';

interface PermissionRequest {
  /** The skill, as people type it. */
  readonly name: string;
  readonly policy: OperatorPolicy;
  /** The capabilities that the tool asks for. */
  readonly asked: Capabilities;
  readonly grant: Grant | null;
  /** The reason why there is no grant although there is a file of one. */
  readonly grantProblem?: string | null;
  readonly digestNow: string;
  readonly filesNow: FileDigests;
  readonly environment: Environment;
  readonly limits: Limits;
}

/**
 * The permissions of a run: asked for, granted to these very files, and not forbidden. Throws where that is not all.
 */
export function permissionsFor(request: PermissionRequest): Permissions {
  const { policy, asked, environment, limits, name } = request;
  const checked = checkRequest(policy, asked, environment);
  refuseImpossible(name, checked);
  const needed = needsGrant(policy, asked);
  if (!isEmpty(needed)) refuseMoved(checked.mounts, granted(needed, request), name);
  const { mounts, missing } = checked;
  return { network: asked.network, mounts, missing, env: asked.env, secrets: asked.secrets, limits };
}

/** Refuses what a skill asks for and cannot have, all at once, with the way to grant what is left. */
export function refuseImpossible(
  name: string,
  { problems: [first, ...others] }: CheckedRequest,
  rest: Capabilities | null = null,
): void {
  if (first === undefined) return;
  const all = [first, ...others].map((one) => one.message).join('; ');
  throw new SkillError('denied', `skill '${name}' asks for permissions that cannot be granted: ${all}`, {
    hint:
      rest === null
        ? first.remedy
        : `${first.remedy}\nTo grant the rest: repertoire grant ${name} ${onlyOptions(rest)}`,
  });
}

/** The grant, if it is for these files and for all that is needed. */
function granted(needed: Capabilities, request: PermissionRequest): Grant {
  const { name, grant, grantProblem, digestNow, filesNow, policy } = request;
  const missing = grant === null ? needed : differenceBetween(needed, grant.capabilities);
  if (grant !== null && grant.digest !== digestNow) {
    const changes = changesInWords(changesSince(grant, filesNow)).join(', ') || 'its files have changed';
    const message = `the grant of skill '${name}' is no longer valid: ${changes}`;
    throw new SkillError('denied', message, { hint: `Review the change, then run: repertoire grant ${name}` });
  }
  if (grant !== null && isEmpty(missing)) return grant;
  const why = grantProblem ? ` (${grantProblem})` : '';
  const message = `skill '${name}' is not allowed to ${inWords(missing, { limit: limitRemark(policy) }).join('; ')}${why}`;
  throw new SkillError('denied', message, {
    hint: grant === null ? `Run: repertoire grant ${name}` : wider(name, grant, missing),
  });
}

/** The hint on how to allow more. A grant takes the place of the one before, so that all of it is named. */
function wider(name: string, { capabilities }: Grant, missing: Capabilities): string {
  return (
    `It was granted only a part of what it asks for. For all of it, run: repertoire grant ${name}\n` +
    `For just this as well: repertoire grant ${name} ${onlyOptions(union(capabilities, missing))}`
  );
}

/** Refuses links that have moved since they were granted: anyone who may write beside them could have moved them. */
function refuseMoved(mounts: readonly Mount[], { capabilities, places }: Grant, name: string): void {
  for (const { target, source, access } of mounts) {
    const covering = capabilities.filesystem.filter((rule) => coversPath(rule, { access, path: target }));
    const known = covering.map((rule) => places[rule.path]).filter((place) => place !== undefined);
    if (known.some((place) => isInside(place, source))) continue;
    const message =
      known.length === 0
        ? `${target} did not exist when it was granted to skill '${name}'`
        : `${target} now leads to ${oneLine(source)}, which it did not when it was granted to skill '${name}'`;
    throw new SkillError('denied', message, { hint: `If that is right, run: repertoire grant ${name}` });
  }
}

/** The changes in a skill since it was granted something: paths, in order. */
interface Changes {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export function changesSince({ files: before }: Pick<Grant, 'files'>, files: FileDigests): Changes {
  const paths = (one: FileDigests, holds: (path: string) => boolean) => Object.keys(one).filter(holds).sort(byText);
  return {
    changed: paths(files, (path) => Object.hasOwn(before, path) && before[path] !== files[path]),
    added: paths(files, (path) => !Object.hasOwn(before, path)),
    removed: paths(before, (path) => !Object.hasOwn(files, path)),
  };
}

const fewEnough = 5;

/** A sentence for each change, and a number for those that are too many. */
export function changesInWords({ changed, added, removed }: Changes): string[] {
  const all = [
    ...changed.map((path) => `${oneLine(path)} has changed`),
    ...added.map((path) => `${oneLine(path)} is new`),
    ...removed.map((path) => `${oneLine(path)} is gone`),
  ];
  return all.length <= fewEnough ? all : [...all.slice(0, fewEnough), `and ${all.length - fewEnough} more`];
}

interface GrantRequest extends FolderDigest {
  /** The real folder of the skill. */
  readonly skill: string;
  readonly name: string;
  /** The capabilities to be allowed, of those asked for. */
  readonly asked: Capabilities;
  /** The capabilities asked for too, and not to be allowed. */
  readonly withheld?: Capabilities;
  readonly policy: OperatorPolicy;
  readonly environment: Environment;
  readonly now: Date;
}

/** The grant of what is to be allowed, for the files as they are. Throws where it cannot be given. */
export function grantOf(request: GrantRequest): Grant {
  const { skill, name, digest, files, asked, withheld, policy, environment, now } = request;
  const checked = checkRequest(policy, asked, environment);
  refuseImpossible(name, checked);
  return {
    skill,
    name,
    digest,
    files,
    capabilities: canonical(needsGrant(policy, asked)),
    ...(withheld !== undefined && !isEmpty(withheld) && { withheld: canonical(withheld) }),
    places: checked.places,
    grantedAt: now.toISOString(),
  };
}

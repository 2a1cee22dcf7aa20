import type { Environment } from '../kernel/environment.ts';
import { canonical } from './capabilities.ts';
import type { FolderDigest } from './digest.ts';
import { refuseImpossible } from './effective.ts';
import { checkRequest, needsGrant } from './request.ts';
import type { Capabilities, Grant, OperatorPolicy } from './types.ts';

export interface GrantRequest extends FolderDigest {
  /** The real folder of the skill. */
  readonly skill: string;
  readonly name: string;
  readonly asked: Capabilities;
  readonly policy: OperatorPolicy;
  readonly environment: Environment;
  readonly now: Date;
}

/** The grant of all that is asked for, for the files as they are. Throws where it cannot be given. */
export function grantOf({ skill, name, digest, files, asked, policy, environment, now }: GrantRequest): Grant {
  const checked = checkRequest(policy, asked, environment);
  refuseImpossible(name, checked);
  return {
    skill,
    name,
    digest,
    files,
    capabilities: canonical(needsGrant(policy, asked)),
    places: Object.fromEntries(checked.mounts.map(({ target, source }) => [target, source])),
    grantedAt: now.toISOString(),
  };
}

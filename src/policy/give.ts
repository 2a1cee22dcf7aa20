import type { Environment } from '../kernel/environment.ts';
import { canonical, isEmpty } from './capabilities.ts';
import type { FolderDigest } from './digest.ts';
import { refuseImpossible } from './effective.ts';
import { checkRequest, needsGrant } from './request.ts';
import type { Capabilities, Grant, OperatorPolicy } from './types.ts';

export interface GrantRequest extends FolderDigest {
  /** The real folder of the skill. */
  readonly skill: string;
  readonly name: string;
  /** As far as it is to be allowed. */
  readonly asked: Capabilities;
  /** What it asks for too, and is not to be allowed. */
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

import { isRemoteName } from '../core/disk/own-folders.ts';
import { SkillError } from '../core/errors.ts';

/** Names of all that a cluster keeps. Several clusters can live in one NATS: each begins its names with its own. */
export interface Names {
  /** Bucket of the catalogue: a key for each name in each channel. */
  readonly catalogue: string;
  /** Bucket of the digests that nobody loads or runs. */
  readonly quarantine: string;
  /** Object store of skills as archives, by the digest of their files. */
  readonly bundles: string;
  /** Object store of parameters that are too long for a message, for as long as they are needed. */
  readonly inputs: string;
  /** Bucket of the jobs that any server can show. */
  readonly jobs: string;
  /** Bucket of the last signs of life of servers and workers. */
  readonly members: string;
  /** Bucket of the places that users have for executions. */
  readonly places: string;
  /** Bucket of the sessions that any server can continue. */
  readonly sessions: string;
  /** Bucket of the visits of the console that any server can continue. */
  readonly visits: string;
  /** Stream of the audit records of all nodes. */
  readonly records: string;
  /** Beginning of the subjects of messages. */
  readonly subjects: string;
}

export function namesOf(cluster: string): Names {
  checkName(cluster, 'cluster');
  return {
    catalogue: `${cluster}-catalogue`,
    quarantine: `${cluster}-quarantine`,
    bundles: `${cluster}-bundles`,
    inputs: `${cluster}-inputs`,
    jobs: `${cluster}-jobs`,
    members: `${cluster}-members`,
    places: `${cluster}-places`,
    sessions: `${cluster}-sessions`,
    visits: `${cluster}-visits`,
    records: `${cluster}-records`,
    subjects: `${cluster}.`,
  };
}

/** Refuses a name that could not stand in a subject, in a folder or before a colon. */
export function checkName(name: string, what: 'cluster' | 'channel'): void {
  if (isRemoteName(name)) return;
  const hint = 'Choose lower-case letters, digits and single hyphens, such as team.';
  throw new SkillError('usage', `'${name}' cannot name a ${what}`, { hint });
}

import type { Limits } from '../policy/types.ts';
import type { Enforcement, Outcome } from './types.ts';

export interface Surroundings {
  /** Outside, for everyone to read. */
  readonly file: string;
  /** Of this machine, where something listens. */
  readonly port: number;
  readonly abstract: string;
  /** Among the arguments of processes that must not be left. */
  readonly mark: string;
  readonly node: string;
  /** A folder outside that runs may write to where a probe says so; in it lies a Git repository. */
  readonly granted: string;
}

/** Where a probe that is granted a folder sees it. */
export const grantedTarget = '/granted';

export interface ProbeRun {
  readonly outcome: Outcome;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: number;
}

interface Judgement {
  readonly held: boolean;
  readonly detail: string;
}

export interface Probe {
  readonly id: string;
  readonly name: string;
  readonly expectation: string;
  readonly what: Enforcement['what'];
  readonly limits?: Partial<Limits>;
  /** Whether it may write to the folder outside. */
  readonly isGranted?: true;
  /** Whether it can be tried here at all; where it is not said, everywhere. */
  readonly isPossible?: () => boolean;
  /** The program and its arguments; the arguments alone where it is a module. */
  command(around: Surroundings): readonly string[];
  /** A module in place of a program. */
  module?(): Uint8Array;
  judge(run: ProbeRun, around: Surroundings): Judgement;
}

export const shell = (script: string, ...args: readonly string[]) => ['/bin/sh', '-c', script, 'probe', ...args];

/** The program says `ALIVE` at its end, so that one that broke off half-way is not taken for one that was refused. */
export function refused({ stdout }: ProbeRun): Judgement {
  const got = stdout.split('\n').filter((line) => line !== '' && line !== 'ALIVE');
  if (got.length > 0) return { held: false, detail: `it got through: ${got.slice(0, 3).join(', ')}` };
  return stdout.includes('ALIVE') ? { held: true, detail: 'refused' } : { held: false, detail: 'it failed' };
}

export function endedBy(reason: Outcome['reason']): Probe['judge'] {
  return ({ outcome }) => ({
    held: outcome.reason === reason,
    detail: outcome.message ?? `it ended with ${outcome.reason}`,
  });
}

export const cutAtLimit: Probe['judge'] = ({ outcome, bytes }) => ({
  held: outcome.reason === 'output_limit' && bytes === 65_536,
  detail: `${bytes} bytes came through`,
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Limits } from '../policy/types.ts';
import { findProgram } from './linux/system-view.ts';
import type { Enforcement, Outcome } from './types.ts';

export interface Surroundings {
  /** A file outside, readable by everyone. */
  readonly file: string;
  /** A port of this machine on which something listens. */
  readonly port: number;
  readonly abstract: string;
  /** An argument that marks processes which must not be left behind. */
  readonly mark: string;
  readonly node: string;
  /** A folder outside that runs may write to if a probe says so; it contains a Git repository. */
  readonly granted: string;
}

/** The path at which a probe sees a folder that it is granted. */
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
  /** Whether it can be tried here at all; everywhere if absent. */
  readonly isPossible?: () => boolean;
  /** The program and its arguments; the arguments alone if it is a module. */
  command(around: Surroundings): readonly string[];
  /** A module to run instead of a program. */
  module?(): Uint8Array;
  judge(run: ProbeRun, around: Surroundings): Judgement;
}

export const shell = (script: string, ...args: readonly string[]) => ['/bin/sh', '-c', script, 'probe', ...args];

/**
 * Judges a probe that must be refused. The program prints `ALIVE` at its end, so that one that broke off half-way is
 * not taken for one that was refused.
 */
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

/** Attacks on entries that stay unchanged where a tool may write: see `guards/`. */
export const guardProbes: readonly Probe[] = [
  {
    id: 'guarded',
    name: 'Git hooks in a folder that may be written to',
    expectation: 'none is made or changed, and the repository is not moved; other files are written',
    what: 'files',
    isGranted: true,
    command: () =>
      shell(
        `cd "$1" || exit; (echo x > .git/hooks/pre-commit) 2>/dev/null && echo hook; mv .git moved 2>/dev/null && echo moved
        echo x > notes && echo ALIVE`,
        grantedTarget,
      ),
    judge: refused,
  },
  {
    id: 'guarded-new',
    name: 'settings of an agent, made in a folder that may be written to',
    expectation: 'the run is ended, and what it made is renamed',
    what: 'files',
    isGranted: true,
    command: () => shell('mkdir "$1/.claude" && sleep 10', grantedTarget),
    judge: ({ outcome }, { granted }) => ({
      held: outcome.reason === 'denied' && !existsSync(join(granted, '.claude')),
      detail: outcome.message ?? `it ended with ${outcome.reason}`,
    }),
  },
  {
    id: 'setuid',
    name: 'files that run as somebody else (setuid, setgid)',
    expectation: 'none is made',
    what: 'user',
    isPossible: () => process.platform === 'linux',
    command: () =>
      shell(': > /tmp/mine; for m in 4755 2755; do chmod $m /tmp/mine 2>/dev/null && echo mode $m; done; echo ALIVE'),
    judge: refused,
  },
];

/** Numbers of the calls that map shared memory and fill it, by processor; the probe is skipped on others. */
const sharingCalls: Readonly<Record<string, readonly [map: number, read: number]>> = { x64: [9, 0], arm64: [222, 63] };

const sharing = `
  my ($map, $read, $bytes) = map { $_ + 0 } @ARGV;
  my $at = syscall($map, 0, $bytes, 3, 0x21, -1, 0);
  open(my $zeros, "<", "/dev/zero");
  exit 1 if $at < 0 || syscall($read, fileno($zeros), $at, $bytes) != $bytes;
  sleep 1; print "took";`;

function gotNoMore({ stdout, outcome }: ProbeRun): ReturnType<Probe['judge']> {
  const held = !stdout.includes('took') && (outcome.reason === 'memory' || outcome.exitCode !== 0);
  return { held, detail: outcome.message ?? (held ? 'it got no more' : 'it took all of it') };
}

/** Attacks on limits. */
export const limitProbes: readonly Probe[] = [
  {
    id: 'processes',
    name: 'sixty processes where 24 are allowed',
    expectation: 'no more than 24 are started',
    what: 'processes',
    command: () => shell('i=0; while [ $i -lt 60 ]; do sleep 30 & i=$((i+1)); echo made; done'),
    judge: ({ stdout }) => {
      const made = stdout.split('made').length - 1;
      return { held: made > 0 && made <= 24, detail: `${made} were started` };
    },
  },
  {
    id: 'memory',
    name: '200 MB of memory where 64 MB are allowed',
    expectation: 'it is stopped, or gets no more',
    what: 'memory',
    command: () => shell('[ "$(head -c "$1" /dev/zero | tail -c "$1" | wc -c)" -eq "$1" ] && echo took', '209715200'),
    judge: gotNoMore,
  },
  {
    id: 'memory-sum',
    name: '180 MB of memory in six processes where 64 MB are allowed',
    expectation: 'they are stopped',
    what: 'memory',
    command: () =>
      shell(
        'for i in 1 2 3 4 5 6; do (x=$(head -c "$1" /dev/zero | tr "\\0" x); sleep 30; echo $i) & done; wait',
        '31457280',
      ),
    judge: endedBy('memory'),
  },
  {
    id: 'memory-shared',
    name: '200 MB of shared memory where 64 MB are allowed',
    expectation: 'it is stopped, or gets no more',
    what: 'memory',
    isPossible: () => process.platform === 'linux' && process.arch in sharingCalls && findProgram('perl') !== null,
    command: () => {
      const numbers = [...(sharingCalls[process.arch] ?? []), 209_715_200];
      return [findProgram('perl') ?? 'perl', '-e', sharing, ...numbers.map(String)];
    },
    judge: gotNoMore,
  },
  {
    id: 'processor',
    name: '4 processes that use the processor for more than 1 s together',
    expectation: 'they are stopped when they have used 1 s',
    what: 'cpu',
    limits: { cpuSeconds: 1 },
    command: () => shell('for i in 1 2 3 4; do while :; do :; done & done; wait'),
    judge: ({ outcome }) => ({
      held: outcome.limit === 'cpuSeconds',
      detail: outcome.message ?? 'each was stopped by itself, or none was',
    }),
  },
  {
    id: 'scratch',
    name: '4 MB in a scratch folder of 1 MB',
    expectation: 'the folder is full',
    what: 'scratch',
    command: () => shell('head -c 4194304 /dev/zero > /tmp/fill 2>/dev/null && echo wrote all of it; echo ALIVE'),
    judge: refused,
  },
  {
    id: 'output',
    name: 'output without end',
    expectation: 'it is cut at the limit, to the byte',
    what: 'output',
    command: () => shell('exec tr "\\0" x < /dev/zero'),
    judge: cutAtLimit,
  },
  {
    id: 'deadline',
    name: 'a program that ignores signals to stop',
    expectation: 'it is killed at its deadline',
    what: 'time',
    limits: { timeoutMs: 700 },
    command: () => shell('trap "" TERM INT HUP; while :; do sleep 1; done'),
    judge: endedBy('timeout'),
  },
];

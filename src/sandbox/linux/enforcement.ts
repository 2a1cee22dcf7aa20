import type { Enforcement } from '../types.ts';
import type { Machine } from './machine.ts';
import type { LaunchPlan } from './plan.ts';

/** What holds a run to what, on this machine. */
export function enforcementOf(machine: Machine, plan: Pick<LaunchPlan, 'socket'>): readonly Enforcement[] {
  const group = machine.cgroups?.kind.name ?? null;
  return [
    { what: 'files', by: 'bubblewrap (mount namespace)' },
    {
      what: 'network',
      by: plan.socket === undefined ? 'bubblewrap (no network)' : 'bubblewrap (no network but the egress proxy)',
    },
    { what: 'processes', by: group === null ? 'rlimit, in a namespace of its own' : `${group} and rlimit` },
    { what: 'memory', by: group ?? 'watched, of the whole tree; rlimit (RLIMIT_DATA) behind it' },
    {
      what: 'cpu',
      by:
        group === null
          ? 'watched, of the whole tree; rlimit, per process, behind it'
          : `${group} (counted) and rlimit, per process`,
    },
    { what: 'time', by: 'timer, SIGKILL of the PID namespace' },
    { what: 'output', by: 'bytes counted, SIGKILL of the PID namespace' },
    { what: 'scratch', by: 'tmpfs of that size' },
    {
      what: 'user',
      by: `${machine.isRoot ? 'a user of its own' : 'your user'}, without privileges; ${
        machine.callFilter === null
          ? 'no filter of system calls on this processor'
          : 'our filter of system calls (seccomp)'
      }`,
    },
  ];
}

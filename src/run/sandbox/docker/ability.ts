import type { Enforcement, Readiness } from '../types.ts';

/** The parts of an engine's description of itself that matter here. */
export interface EngineInfo {
  readonly OSType?: string;
  readonly MemoryLimit?: boolean;
  readonly SwapLimit?: boolean;
  readonly PidsLimit?: boolean;
  readonly CpuCfsQuota?: boolean;
  readonly NCPU?: number;
  readonly CgroupDriver?: string;
  readonly CgroupVersion?: string;
  readonly SecurityOptions?: readonly string[] | null;
  /** The version of Buildah, which only Podman reports. */
  readonly BuildahVersion?: string;
  /** Runtimes by name. */
  readonly Runtimes?: Readonly<Record<string, unknown>> | null;
  readonly DefaultRuntime?: string;
}

interface Lack {
  readonly lacks: (info: EngineInfo) => boolean;
  readonly reason: string;
  readonly remedy: string;
}

const versionTwo = 'Use an engine that runs as root, or boot with cgroup v2 (`systemd.unified_cgroup_hierarchy=1`).';
const kernelOptions = 'Boot the kernel with `cgroup_enable=memory swapaccount=1`, or with cgroup v2.';

/** Shortcomings that make an engine useless here: it would start the container anyway, without the limit. */
const lacks: readonly Lack[] = [
  {
    lacks: (info) => info.OSType !== undefined && info.OSType !== 'linux',
    reason: 'the container engine does not run Linux containers',
    remedy: 'Switch the engine to Linux containers.',
  },
  {
    lacks: (info) => isRootless(info) && info.CgroupVersion === '1',
    reason: 'the container engine runs without root on cgroup v1, where it ignores every limit',
    remedy: versionTwo,
  },
  {
    lacks: (info) => info.CgroupDriver === 'none',
    reason: 'the container engine does not use cgroups, so it cannot enforce limits',
    remedy: versionTwo,
  },
  {
    lacks: (info) => info.MemoryLimit !== true,
    reason: 'the container engine cannot limit memory on this machine',
    remedy: kernelOptions,
  },
  {
    lacks: (info) => info.SwapLimit !== true,
    reason: 'the container engine cannot limit swap on this machine, so memory has no limit',
    remedy: kernelOptions,
  },
  {
    lacks: (info) => info.PidsLimit !== true,
    reason: 'the container engine cannot limit the number of processes on this machine',
    remedy: 'Boot a kernel with the `pids` cgroup controller, or with cgroup v2.',
  },
];

/** Tells whether the engine can enforce every limit and has the requested runtime. */
export function judge(info: EngineInfo, runtime?: string): Readiness {
  const lack = lacks.find((one) => one.lacks(info));
  if (lack !== undefined) return { ready: false, reason: lack.reason, remedy: lack.remedy };
  const problem = runtime === undefined ? null : problemWithRuntime(info, runtime);
  return problem ?? { ready: true, enforcement: enforcementBy(info, 'no network', runtime) };
}

/**
 * Returns why the requested runtime cannot be used, or null. Podman lists runtimes that are not installed and ignores
 * the one requested: it always uses the one it is configured with.
 */
function problemWithRuntime(info: EngineInfo, runtime: string): Readiness | null {
  const usable = isPodman(info) ? [info.DefaultRuntime ?? ''] : Object.keys(info.Runtimes ?? {});
  if (usable.includes(runtime)) return null;
  return {
    ready: false,
    reason: `the container engine has no runtime \`${runtime}\` to offer (it offers ${usable.join(', ') || 'none'})`,
    remedy: isPodman(info)
      ? `Set \`runtime = "${runtime}"\` below [engine] in containers.conf, and restart Podman's service; or change container_runtime.`
      : `Install ${runtime} and add it to the runtimes in the engine's configuration; or change container_runtime.`,
  };
}

export function isPodman(info: EngineInfo): boolean {
  return info.BuildahVersion !== undefined;
}

export function enforcementBy(info: EngineInfo, network: string, runtime?: string): Enforcement[] {
  // Runtimes with a kernel of their own ignore seccomp filters unless configured otherwise.
  const filter = `our filter of system calls (seccomp)${runtime === undefined ? '' : `, as far as ${runtime} applies it`}`;
  const share = info.CpuCfsQuota === true ? ', no more than one processor' : '';
  return [
    { what: 'files', by: `container${runtime === undefined ? '' : ` of ${runtime}`} (mount namespace, read-only)` },
    { what: 'network', by: `container (${network})` },
    { what: 'processes', by: 'cgroup' },
    { what: 'memory', by: 'cgroup' },
    { what: 'cpu', by: `cgroup (counted) and rlimit, per process${share}` },
    { what: 'time', by: 'timer, SIGKILL of the container' },
    { what: 'output', by: 'bytes counted, SIGKILL of the container' },
    { what: 'scratch', by: 'tmpfs of that size' },
    { what: 'user', by: `nobody, without privileges; ${filter}` },
  ];
}

function isRootless(info: EngineInfo): boolean {
  return (info.SecurityOptions ?? []).some((option) => /(^|=)rootless(,|$)/.test(option));
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { families, makingFlags, modeCalls, opaque, privilegeBits, refused } from '../linux/system-calls.ts';
import { type EngineInfo, isPodman } from './ability.ts';
import type { RunFolder } from './run-folder.ts';

/**
 * Calls that bubblewrap leaves no way to, and that containers are to be kept from: new namespaces and mounts; and what the
 * profiles of engines refuse, because ours takes their place.
 */
const refusedInContainers = [
  ...['unshare', 'setns', 'mount', 'umount', 'umount2', 'pivot_root', 'fsopen', 'fsconfig', 'fsmount', 'fspick'],
  ...['move_mount', 'open_tree', 'mount_setattr', 'statmount', 'listmount', 'fanotify_init', 'quotactl', 'quotactl_fd'],
  ...['init_module', 'finit_module', 'delete_module', 'create_module', 'query_module', 'get_kernel_syms', 'kexec_load'],
  ...['kexec_file_load', 'reboot', 'swapon', 'swapoff', 'acct', 'nfsservctl', 'uselib', 'ustat', 'sysfs', '_sysctl'],
  ...['settimeofday', 'stime', 'clock_settime', 'clock_adjtime', 'ioperm', 'iopl', 'vm86', 'vm86old', 'lookup_dcookie'],
  ...['open_by_handle_at', 'name_to_handle_at', 'kcmp', 'pidfd_getfd'],
  ...['mbind', 'move_pages', 'migrate_pages', 'set_mempolicy', 'get_mempolicy', 'vhangup', 'socketcall'],
];

/** All flags of `clone` that ask for a namespace: of mounts, groups, names, IPC, users, processes and the network. */
const namespaceFlags = [0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000];

const errors = { notPermitted: 1, noSuchCall: 38, noSuchFamily: 97 } as const;

interface Condition {
  readonly index: number;
  readonly value: number;
  readonly valueTwo?: number;
  readonly op: 'SCMP_CMP_EQ' | 'SCMP_CMP_GT' | 'SCMP_CMP_MASKED_EQ';
}

const hasBit = (index: number, bit: number): Condition => {
  return { index, value: bit, valueTwo: bit, op: 'SCMP_CMP_MASKED_EQ' };
};

function rule(names: readonly string[], error: keyof typeof errors, args: readonly Condition[] = []) {
  return { names, action: 'SCMP_ACT_ERRNO', errnoRet: errors[error], args };
}

/** All conditions of a rule must hold; for anything else there is another rule. */
function modeRules() {
  return Object.entries(modeCalls as Readonly<Record<string, { mode: number; flags?: number }>>).flatMap(
    ([name, { mode, flags }]) => {
      const making = flags === undefined ? [[]] : makingFlags.map((flag) => [hasBit(flags, flag)]);
      return making.flatMap((makes) =>
        privilegeBits.map((bit) => rule([name], 'notPermitted', [...makes, hasBit(mode, bit)])),
      );
    },
  );
}

function socketRules() {
  const last = Math.max(...families);
  const others = Array.from({ length: last }, (_, family) => family).filter((family) => !families.includes(family));
  const conditions: Condition[] = [
    ...others.map((value) => ({ index: 0, value, op: 'SCMP_CMP_EQ' as const })),
    { index: 0, value: last, op: 'SCMP_CMP_GT' },
  ];
  return conditions.map((condition) => rule(['socket'], 'noSuchFamily', [condition]));
}

const architectures: Readonly<Record<string, readonly string[]>> = {
  x64: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86'],
  arm64: ['SCMP_ARCH_AARCH64'],
};

/** The filter of system calls for containers, as engines take it: the rules of the native one, and more. */
export function callProfile(processor: string): string {
  const known = architectures[processor];
  return JSON.stringify({
    defaultAction: 'SCMP_ACT_ALLOW',
    ...(known && { architectures: known }),
    syscalls: [
      rule([...refused, ...refusedInContainers], 'notPermitted'),
      rule([...opaque, 'clone3'], 'noSuchCall'),
      ...namespaceFlags.map((flag) => rule(['clone'], 'notPermitted', [hasBit(0, flag)])),
      ...socketRules(),
      ...modeRules(),
    ],
  });
}

/** The security option that gives an engine the profile. Docker takes the text of it, and Podman the path of a file. */
export function callOption(info: EngineInfo, folder: RunFolder): string {
  const profile = callProfile(process.arch);
  if (!isPodman(info)) return `seccomp=${profile}`;
  const file = join(folder.path(), 'calls.json');
  writeFileSync(file, profile, { mode: 0o600 });
  return `seccomp=${file}`;
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * System calls that no namespace confines and no program of a skill needs: the keys of the user who started us, which
 * every process of theirs inherits; calls that measure or program the kernel; and kinds of sockets that bypass the
 * network namespace, such as those between a virtual machine and its host.
 */
export const refused = [
  ...(['add_key', 'request_key', 'keyctl'] as const),
  ...(['io_uring_setup', 'io_uring_enter', 'io_uring_register'] as const),
  ...(['bpf', 'perf_event_open', 'userfaultfd', 'syslog'] as const),
];

/** Calls that take their arguments in a block of memory, which no filter can read. Programs know older forms. */
export const opaque = ['openat2'] as const;

/** Calls for memory that no process has mapped, which only a control group counts. Programs fall back to a file. */
const uncounted = ['memfd_create', 'memfd_secret', 'shmget', 'msgget'] as const;

/**
 * Calls that set a file's mode, with the index of that argument. If there are flags as well, the mode counts only for a
 * file that is created. A file with the setuid or setgid bit would outlast the run, and others would run it as its
 * owner.
 */
export const modeCalls = {
  chmod: { mode: 1 },
  fchmod: { mode: 1 },
  fchmodat: { mode: 2 },
  fchmodat2: { mode: 2 },
  creat: { mode: 1 },
  open: { flags: 1, mode: 2 },
  openat: { flags: 2, mode: 3 },
  mknod: { mode: 1 },
  mknodat: { mode: 2 },
} as const satisfies Readonly<Record<string, { readonly flags?: number; readonly mode: number }>>;

/** The setuid and setgid bits. */
export const privilegeBits = [0o4000, 0o2000];
/** `O_CREAT`, and the bit that `O_TMPFILE` has besides `O_DIRECTORY`. */
export const makingFlags = [0o100, 0o20000000];

type ModeCall = keyof typeof modeCalls;
type Call = (typeof refused | typeof opaque | typeof uncounted)[number] | 'socket';

/** The numbers of a processor's system calls. */
interface Architecture {
  /** The architecture as the kernel reports it to a filter. */
  readonly audit: number;
  readonly calls: Readonly<Record<Call, number>>;
  /** Calls that set a mode; newer processors have fewer of them. */
  readonly modes: Readonly<Partial<Record<ModeCall, number>>>;
  /** Calls that do the same by other means, or in a form that no filter can inspect. */
  readonly others: readonly number[];
  /** Calls that do the same as the uncounted ones. */
  readonly uncounted: readonly number[];
  /** The number from which on calls belong to another ABI of the same processor. */
  readonly foreignFrom?: number;
}

const everywhere = { io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, openat2: 437 } as const;

const x64: Architecture = {
  audit: 0xc000_003e,
  calls: {
    ...everywhere,
    ...{ add_key: 248, request_key: 249, keyctl: 250 },
    ...{ bpf: 321, perf_event_open: 298, userfaultfd: 323, syslog: 103, socket: 41, memfd_create: 319, shmget: 29 },
    ...{ memfd_secret: 447, msgget: 68 },
  },
  modes: {
    ...{ chmod: 90, fchmod: 91, fchmodat: 268, fchmodat2: 452 },
    ...{ creat: 85, open: 2, openat: 257, mknod: 133, mknodat: 259 },
  },
  others: [],
  uncounted: [],
  foreignFrom: 0x4000_0000,
};

const x86: Architecture = {
  audit: 0x4000_0003,
  calls: {
    ...everywhere,
    ...{ add_key: 286, request_key: 287, keyctl: 288 },
    ...{ bpf: 357, perf_event_open: 336, userfaultfd: 374, syslog: 103, socket: 359, memfd_create: 356, shmget: 395 },
    ...{ memfd_secret: 447, msgget: 399 },
  },
  modes: {
    ...{ chmod: 15, fchmod: 94, fchmodat: 306, fchmodat2: 452 },
    ...{ creat: 8, open: 5, openat: 295, mknod: 14, mknodat: 297 },
  },
  others: [102], // `socketcall`: all calls for sockets in one
  uncounted: [117], // `ipc`: all calls for shared memory, semaphores and messages in one
};

const arm64: Architecture = {
  audit: 0xc000_00b7,
  calls: {
    ...everywhere,
    ...{ add_key: 217, request_key: 218, keyctl: 219 },
    ...{ bpf: 280, perf_event_open: 241, userfaultfd: 282, syslog: 116, socket: 198, memfd_create: 279, shmget: 194 },
    ...{ memfd_secret: 447, msgget: 186 },
  },
  modes: { fchmod: 52, fchmodat: 53, fchmodat2: 452, openat: 56, mknodat: 33 },
  others: [],
  uncounted: [],
};

const architectures: Readonly<Record<string, readonly Architecture[]>> = { x64: [x64, x86], arm64: [arm64] };

/** Address families that a namespace confines: Unix, IPv4, IPv6 and netlink. */
export const families = [1, 2, 10, 16];

export const errors = { notPermitted: 1, noSuchCall: 38, noSuchFamily: 97 } as const;

/** One instruction of a filter. */
type Step = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

/** Offsets in the data that a filter is given. */
const places = { number: 0, architecture: 4 } as const;

const load = (place: keyof typeof places): Step => [0x20, 0, 0, places[place]];
/** Loads the lower half of an argument, which is all that the kernel uses of a family, of flags and of a mode. */
const loadArgument = (index: number): Step => [0x20, 0, 0, 16 + 8 * index];
/** Continues with the next instruction if the value is equal, and else skips that many. */
const unless = (value: number, skip: number): Step => [0x15, 0, skip, value];
const below = (value: number, skip: number): Step => [0x35, 0, skip, value];
/** Continues with the next instruction if one of the bits is set, and else skips that many. */
const unlessAny = (bits: readonly number[], skip: number): Step => [
  0x45,
  0,
  skip,
  bits.reduce((all, bit) => all | bit, 0),
];
const allow: Step = [0x06, 0, 0, 0x7fff_0000];
const fail = (error: keyof typeof errors): Step => [0x06, 0, 0, 0x0005_0000 | errors[error]];

function stepsFor({ calls, modes, others, foreignFrom, ...more }: Architecture, counted: Counted): readonly Step[] {
  const numbers = [...refused.map((name) => calls[name]), ...others];
  const sockets = [loadArgument(0), ...families.flatMap((family) => [unless(family, 1), allow])];
  const unknown = counted === 'by a control group' ? [] : [...uncounted.map((name) => calls[name]), ...more.uncounted];
  return [
    load('number'),
    ...(foreignFrom === undefined ? [] : [below(foreignFrom, 1), fail('noSuchCall')]),
    ...numbers.flatMap((number) => [unless(number, 1), fail('notPermitted')]),
    ...[...opaque.map((name) => calls[name]), ...unknown].flatMap((number) => [unless(number, 1), fail('noSuchCall')]),
    ...Object.entries(modes).flatMap(([name, number]) => modeSteps(name as ModeCall, number)),
    unless(calls.socket, sockets.length + 1),
    ...sockets,
    fail('noSuchFamily'),
    allow,
  ];
}

function modeSteps(name: ModeCall, number: number): readonly Step[] {
  const { mode, flags } = modeCalls[name] as { readonly mode: number; readonly flags?: number };
  const judged = [loadArgument(mode), unlessAny(privilegeBits, 1), fail('notPermitted'), allow];
  const makes = flags === undefined ? [] : [loadArgument(flags), unlessAny(makingFlags, judged.length - 1)];
  return [unless(number, makes.length + judged.length), ...makes, ...judged];
}

/** The way in which the memory of a run is counted. */
type Counted = 'by a control group' | 'by its maps';

/** The filter in the kernel's format; null on a processor whose call numbers are not known here. */
export function callFilterFor(processor: string, counted: Counted): Buffer | null {
  const known = architectures[processor];
  if (known === undefined) return null;
  const steps = [
    load('architecture'),
    ...known.flatMap((one) => {
      const own = stepsFor(one, counted);
      return [unless(one.audit, own.length), ...own];
    }),
    fail('noSuchCall'),
  ];
  const bytes = Buffer.alloc(steps.length * 8);
  for (const [index, [code, whenTrue, whenFalse, value]] of steps.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}

/** Writes the filter to a file that every launch reads. */
export function writeCallFilter(folder: string, counted: Counted): string | null {
  const filter = callFilterFor(process.arch, counted);
  if (filter === null) return null;
  const path = join(folder, 'call-filter');
  writeFileSync(path, filter, { mode: 0o600 });
  return path;
}

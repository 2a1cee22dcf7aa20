import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What no namespace holds in, and no program of a skill needs: the keys of whoever started us, which every process of
 * theirs is handed on; what measures or programs the kernel; and kinds of sockets that lead around the network
 * namespace, as those between a virtual machine and its host do.
 */
const refused = [
  ...(['add_key', 'request_key', 'keyctl'] as const),
  ...(['io_uring_setup', 'io_uring_enter', 'io_uring_register'] as const),
  ...(['bpf', 'perf_event_open', 'userfaultfd', 'syslog'] as const),
];

type Call = (typeof refused)[number] | 'socket';

/** How a processor numbers its calls. */
interface Architecture {
  /** As the kernel names it to a filter. */
  readonly audit: number;
  readonly calls: Readonly<Record<Call, number>>;
  /** Calls that do the same by other ways, or in a form that no filter can look into. */
  readonly others: readonly number[];
  /** From here on the numbers are those of another form of the same processor. */
  readonly foreignFrom?: number;
}

const everywhere = { io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427 } as const;

const x64: Architecture = {
  audit: 0xc000_003e,
  calls: {
    ...everywhere,
    ...{ add_key: 248, request_key: 249, keyctl: 250 },
    ...{ bpf: 321, perf_event_open: 298, userfaultfd: 323, syslog: 103, socket: 41 },
  },
  others: [],
  foreignFrom: 0x4000_0000,
};

const x86: Architecture = {
  audit: 0x4000_0003,
  calls: {
    ...everywhere,
    ...{ add_key: 286, request_key: 287, keyctl: 288 },
    ...{ bpf: 357, perf_event_open: 336, userfaultfd: 374, syslog: 103, socket: 359 },
  },
  others: [102], // all calls for sockets in one
};

const arm64: Architecture = {
  audit: 0xc000_00b7,
  calls: {
    ...everywhere,
    ...{ add_key: 217, request_key: 218, keyctl: 219 },
    ...{ bpf: 280, perf_event_open: 241, userfaultfd: 282, syslog: 116, socket: 198 },
  },
  others: [],
};

const architectures: Readonly<Record<string, readonly Architecture[]>> = { x64: [x64, x86], arm64: [arm64] };

/** Unix, IPv4, IPv6 and netlink: the ones that are held in by a namespace. */
const families = [1, 2, 10, 16];

const errors = { notPermitted: 1, noSuchCall: 38, noSuchFamily: 97 } as const;

/** One step of a filter. */
type Step = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

/** Where things lie in what a filter is shown. */
const places = { number: 0, architecture: 4, firstArgument: 16 } as const;

const load = (place: keyof typeof places): Step => [0x20, 0, 0, places[place]];
/** Goes on with the next step where it is equal, and skips as many where not. */
const unless = (value: number, skip: number): Step => [0x15, 0, skip, value];
const below = (value: number, skip: number): Step => [0x35, 0, skip, value];
const allow: Step = [0x06, 0, 0, 0x7fff_0000];
const fail = (error: keyof typeof errors): Step => [0x06, 0, 0, 0x0005_0000 | errors[error]];

function stepsFor({ calls, others, foreignFrom }: Architecture): readonly Step[] {
  const numbers = [...refused.map((name) => calls[name]), ...others];
  const sockets = [load('firstArgument'), ...families.flatMap((family) => [unless(family, 1), allow])];
  return [
    load('number'),
    ...(foreignFrom === undefined ? [] : [below(foreignFrom, 1), fail('noSuchCall')]),
    ...numbers.flatMap((number) => [unless(number, 1), fail('notPermitted')]),
    unless(calls.socket, sockets.length + 1),
    ...sockets,
    fail('noSuchFamily'),
    allow,
  ];
}

/** The filter as the kernel takes it; null on a processor whose numbers are not known here. */
export function callFilterFor(processor: string): Buffer | null {
  const known = architectures[processor];
  if (known === undefined) return null;
  const steps = [
    load('architecture'),
    ...known.flatMap((one) => {
      const own = stepsFor(one);
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

/** Writes the filter to where every launch finds it. */
export function writeCallFilter(folder: string): string | null {
  const filter = callFilterFor(process.arch);
  if (filter === null) return null;
  const path = join(folder, 'call-filter');
  writeFileSync(path, filter, { mode: 0o600 });
  return path;
}

import { expect, it } from 'vitest';
import { callFilterFor } from './system-calls.ts';

const allowed = 0x7fff_0000;
const failing = (error: number) => 0x0005_0000 | error;

/** Evaluates a filter as the kernel would, with the few instructions that our filters use. */
function judge(filter: Buffer, call: { architecture: number; number: number; arguments?: readonly number[] }): number {
  const given = (call.arguments ?? [0]).map((value, index) => [16 + 8 * index, value]);
  const shown: Readonly<Record<number, number>> = {
    0: call.number,
    4: call.architecture,
    ...Object.fromEntries(given),
  };
  let held = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, value] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
    const skip = (is: boolean) => filter.readUInt8(at + (is ? 2 : 3)) * 8;
    if (code === 0x06) return value;
    if (code === 0x20) held = shown[value] ?? Number.NaN;
    else if (code === 0x15) at += skip(held === value);
    else if (code === 0x35) at += skip(held >= value);
    else if (code === 0x45) at += skip((held & value) !== 0);
    else throw new Error(`no such step: ${code}`);
  }
  throw new Error('it came to no end');
}

const processors = {
  x64: {
    architecture: 0xc000_003e,
    keyctl: 250,
    addKey: 248,
    ring: 425,
    socket: 41,
    read: 0,
    openat: 257,
    fchmodat: 268,
    memory: [319, 29],
  },
  'x64, in 32 bits': {
    ...{ architecture: 0x4000_0003, keyctl: 288, addKey: 286, ring: 425, socket: 359, read: 3 },
    ...{ openat: 295, fchmodat: 306, memory: [356, 395, 117] },
  },
  arm64: {
    architecture: 0xc000_00b7,
    keyctl: 219,
    addKey: 217,
    ring: 425,
    socket: 198,
    read: 63,
    openat: 56,
    fchmodat: 53,
    memory: [279, 194],
  },
} as const;

it.each(Object.entries(processors))(
  'the seccomp filter for %s refuses calls that lead around the namespaces',
  (name, calls) => {
    const { architecture, keyctl, addKey, ring, socket, read } = calls;
    const filter = callFilterFor(name.split(',')[0] ?? '', 'by a control group') as Buffer;
    for (const number of [keyctl, addKey, ring]) expect(judge(filter, { architecture, number })).toBe(failing(1));
    expect(judge(filter, { architecture, number: read })).toBe(allowed);
    for (const argument of [1, 2, 10, 16]) {
      expect(judge(filter, { architecture, number: socket, arguments: [argument] })).toBe(allowed);
    }
    for (const argument of [17, 38, 40, 44]) {
      expect(judge(filter, { architecture, number: socket, arguments: [argument] })).toBe(failing(97));
    }
  },
);

it.each(Object.entries(processors))('the seccomp filter for %s lets no file become setuid or setgid', (name, calls) => {
  const { architecture, openat, fchmodat } = calls;
  const filter = callFilterFor(name.split(',')[0] ?? '', 'by a control group') as Buffer;
  const judged = (number: number, ...given: number[]) => judge(filter, { architecture, number, arguments: given });
  const [creating, unnamed] = [0o100 | 1, 0o20200000 | 1];
  for (const mode of [0o4755, 0o2755, 0o6000]) {
    expect(judged(fchmodat, -100, 7, mode)).toBe(failing(1));
    for (const flags of [creating, unnamed]) expect(judged(openat, -100, 7, flags, mode)).toBe(failing(1));
    // No file is created here, so the fourth argument is whatever happened to be there.
    expect(judged(openat, -100, 7, 0, mode)).toBe(allowed);
  }
  for (const mode of [0, 0o755, 0o1777, 0o100644]) {
    expect(judged(fchmodat, -100, 7, mode)).toBe(allowed);
    expect(judged(openat, -100, 7, creating, mode)).toBe(allowed);
  }
  expect(judged(437, -100, 7, 7, 24)).toBe(failing(38));
});

it('the seccomp filter refuses calls of other processors and other ABIs', () => {
  const filter = callFilterFor('x64', 'by a control group') as Buffer;
  const foreign = 0x4000_0000;
  expect(judge(filter, { architecture: processors.x64.architecture, number: foreign + 250 })).toBe(failing(38));
  expect(judge(filter, { architecture: processors.arm64.architecture, number: 63 })).toBe(failing(38));
  expect(judge(filter, { architecture: 0x4000_0003, number: 102 })).toBe(failing(1));
  expect(callFilterFor('mips', 'by its maps')).toBeNull();
});

it.each(Object.entries(processors))(
  'the seccomp filter for %s refuses memory that only a control group would count',
  (name, calls) => {
    const processor = name.split(',')[0] ?? '';
    const { architecture, memory, read } = calls;
    const [counted, watched] = [
      callFilterFor(processor, 'by a control group'),
      callFilterFor(processor, 'by its maps'),
    ];
    for (const number of memory) {
      expect(judge(counted as Buffer, { architecture, number })).toBe(allowed);
      expect(judge(watched as Buffer, { architecture, number })).toBe(failing(38));
    }
    expect(judge(watched as Buffer, { architecture, number: read })).toBe(allowed);
  },
);

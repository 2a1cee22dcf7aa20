import { expect, it } from 'vitest';
import { callFilterFor } from './system-calls.ts';

const allowed = 0x7fff_0000;
const failing = (error: number) => 0x0005_0000 | error;

/** What the kernel would do: the few steps that our filters are made of. */
function judge(filter: Buffer, call: { architecture: number; number: number; argument?: number }): number {
  const shown: Readonly<Record<number, number>> = { 0: call.number, 4: call.architecture, 16: call.argument ?? 0 };
  let held = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, value] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
    const skip = (is: boolean) => filter.readUInt8(at + (is ? 2 : 3)) * 8;
    if (code === 0x06) return value;
    if (code === 0x20) held = shown[value] ?? Number.NaN;
    else if (code === 0x15) at += skip(held === value);
    else if (code === 0x35) at += skip(held >= value);
    else throw new Error(`no such step: ${code}`);
  }
  throw new Error('it came to no end');
}

const processors = {
  x64: { architecture: 0xc000_003e, keyctl: 250, addKey: 248, ring: 425, socket: 41, read: 0 },
  'x64, in 32 bits': { architecture: 0x4000_0003, keyctl: 288, addKey: 286, ring: 425, socket: 359, read: 3 },
  arm64: { architecture: 0xc000_00b7, keyctl: 219, addKey: 217, ring: 425, socket: 198, read: 63 },
} as const;

it.each(Object.entries(processors))('refuses on %s what leads around the namespaces', (name, calls) => {
  const { architecture, keyctl, addKey, ring, socket, read } = calls;
  const filter = callFilterFor(name.split(',')[0] ?? '') as Buffer;
  for (const number of [keyctl, addKey, ring]) expect(judge(filter, { architecture, number })).toBe(failing(1));
  expect(judge(filter, { architecture, number: read })).toBe(allowed);
  for (const argument of [1, 2, 10, 16]) {
    expect(judge(filter, { architecture, number: socket, argument })).toBe(allowed);
  }
  for (const argument of [17, 38, 40, 44]) {
    expect(judge(filter, { architecture, number: socket, argument })).toBe(failing(97));
  }
});

it('knows no calls of other processors, and of no other form of its own', () => {
  const filter = callFilterFor('x64') as Buffer;
  const foreign = 0x4000_0000;
  expect(judge(filter, { architecture: processors.x64.architecture, number: foreign + 250 })).toBe(failing(38));
  expect(judge(filter, { architecture: processors.arm64.architecture, number: 63 })).toBe(failing(38));
  expect(judge(filter, { architecture: 0x4000_0003, number: 102 })).toBe(failing(1));
  expect(callFilterFor('mips')).toBeNull();
});

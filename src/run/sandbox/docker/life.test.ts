import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Stream } from '../types.ts';
import { demultiplexer } from './life.ts';

function frame(type: number, body: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header[0] = type;
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}

function readAll(pieces: readonly Buffer[]): Record<Stream, Buffer> {
  const output: Record<Stream, Buffer[]> = { stdout: [], stderr: [] };
  const read = demultiplexer((stream, bytes) => void output[stream].push(Buffer.from(bytes)));
  for (const piece of pieces) read(piece);
  return { stdout: Buffer.concat(output.stdout), stderr: Buffer.concat(output.stderr) };
}

it('the reader of an attached stream puts every byte into its stream, however the frames are cut', () => {
  const frames = fc.array(fc.record({ type: fc.constantFrom(0, 1, 2, 3), body: fc.uint8Array({ maxLength: 40 }) }));
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 30 })), (list, cuts) => {
      const whole = Buffer.concat(list.map(({ type, body }) => frame(type, body)));
      const pieces: Buffer[] = [];
      let at = 0;
      for (const length of cuts) {
        pieces.push(whole.subarray(at, at + length));
        at += length;
      }
      pieces.push(whole.subarray(at));
      const of = (...types: number[]) =>
        Buffer.concat(list.filter(({ type }) => types.includes(type)).map(({ body }) => body));
      expect(readAll(pieces)).toEqual({ stdout: of(1), stderr: of(2, 3) });
    }),
    { numRuns: 200 },
  );
});

it('the reader of an attached stream takes a hundred thousand tiny frames at once', () => {
  const whole = Buffer.concat(Array.from({ length: 100_000 }, () => frame(1, Buffer.from('a'))));
  expect(readAll([whole]).stdout.length).toBe(100_000);
});

it('the reader of an attached stream hands on the part of a frame that never ends', () => {
  const endless = frame(2, Buffer.alloc(100));
  endless.writeUInt32BE(2 ** 32 - 1, 4);
  expect(readAll([endless]).stderr.length).toBe(100);
});

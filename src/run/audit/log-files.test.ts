import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { linesBackward, linesForward } from './log-files.ts';

const file = join(tmpdir(), `repertoire-lines-${process.pid}`);
afterAll(() => rmSync(file, { force: true }));

function opened<T>(content: string, read: (descriptor: number, size: number) => T): T {
  writeFileSync(file, content);
  const descriptor = openSync(file, 'r');
  try {
    return read(descriptor, Buffer.byteLength(content));
  } finally {
    closeSync(descriptor);
  }
}

describe('the lines of a log file', () => {
  it('are the same from both ends, and an unfinished last line is left out', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '') })),
        fc.string({ unit: fc.constant('z') }),
        fc.integer({ min: 1, max: 40 }),
        (lines, torn, first) => {
          const content = lines.map((line) => `${line}\n`).join('') + torn;
          opened(content, (descriptor, size) => {
            const forward = [...linesForward(descriptor, 0, size)].map(({ bytes, end }) => [bytes.toString(), end]);
            const backward = [...linesBackward(descriptor, size, first)].map(({ bytes, end }) => [
              bytes.toString(),
              end,
            ]);
            expect(forward.map(([text]) => text)).toEqual(lines);
            expect(backward.toReversed()).toEqual(forward);
            expect(forward.at(-1)?.[1] ?? 0).toBe(size - torn.length);
          });
        },
      ),
    );
  });

  it('are read across blocks, and one that is too long does no harm', () => {
    const lines = Array.from({ length: 3000 }, (_, place) => `${place} ${'x'.repeat(place % 400)}`);
    const long = 'y'.repeat(3_000_000);
    opened([...lines, long, 'last'].map((line) => `${line}\n`).join(''), (descriptor, size) => {
      const forward = [...linesForward(descriptor, 0, size)];
      expect(forward.slice(0, 3000).map(({ bytes }) => bytes.toString())).toEqual(lines);
      expect(forward[3000]?.bytes.length).toBeLessThan(1_000_000);
      expect(forward[3001]).toMatchObject({ end: size });
      const backward = [...linesBackward(descriptor, size)].toReversed();
      expect(backward.map(({ end }) => end)).toEqual(forward.map(({ end }) => end));
      expect(backward.slice(0, 3000).map(({ bytes }) => bytes.toString())).toEqual(lines);
    });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineOf } from './decode.ts';
import { describeWorld } from './world.ts';

/** `(component (type (list u8)) (type (func (param "it" 0) (result 0))) (import "f" (func (type 1))) (export "g" (func 0)))` */
const small = Buffer.from(
  `0061736d0d000100 070b 02 707d 4001 026974 00 0000 0a06 01 0001 66 0101 0b07 01 0001 67 0100 00`.replaceAll(' ', ''),
  'hex',
);

describe('the outline of a component', () => {
  it('has its functions with their types, and what it needs', () => {
    const bytes = { kind: 'list', of: { kind: 'u8' } };
    expect(outlineOf(small)).toEqual({
      needs: ['f'],
      functions: [{ name: 'g', interface: null, parameters: [['it', bytes]], result: bytes }],
    });
  });

  it('is no larger in memory for types that double again and again, and their function is no tool', () => {
    const doubled = Array.from({ length: 60 }, (_, at) => [0x6f, 2, at, at]).flat();
    const types = [62, 0x70, 0x7d, ...doubled, 0x40, 1, 2, 0x69, 0x74, 60, 1, 0];
    const others = Buffer.from('0a06010001660101 0b0701000167010000'.replaceAll(' ', ''), 'hex');
    others[others.indexOf(0x66) + 2] = 61;
    const section = Buffer.from([7, 0x80 | (types.length & 0x7f), types.length >> 7, ...types]);
    const outline = outlineOf(Buffer.concat([small.subarray(0, 8), section, others]));
    expect(describeWorld(outline, new Set(['f']))).toMatchObject({
      tools: [],
      problems: [expect.stringContaining('a type with too many parts')],
    });
  });

  it('is read in time, or refused by an error, whatever the bytes are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(small.length - 1), fc.nat(255)), { maxLength: 4 }),
        fc.uint8Array({ maxLength: 40 }),
        (changes, more) => {
          const bytes = Buffer.concat([small, more]);
          for (const [at, byte] of changes) bytes[at] = byte;
          try {
            expect(Array.isArray(outlineOf(bytes).functions)).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(Error);
            expect((error as Error).message).not.toMatch(/undefined|is not a function/);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('the tools of a component', () => {
  const named = (name: string, place: string | null) => ({ name, interface: place, parameters: [], result: null });

  it('have the name of their interface in front where another has theirs, and all of it where that is not enough', () => {
    const functions = [
      named('alone', 'a:b/c'),
      named('f', null),
      named('f', 'a:b/one@1.0.0'),
      named('f', 'a:b/two@1.0.0'),
      named('f', 'x:y/two@1.0.0'),
    ];
    const { tools } = describeWorld({ needs: [], functions }, new Set());
    expect(tools?.map(({ name }) => name)).toEqual(['alone', 'f', 'one-f', 'a-b-two-1-0-0-f', 'x-y-two-1-0-0-f']);
  });

  it('are named without comparing each with every other', () => {
    let looks = 0;
    const functions = Array.from({ length: 1000 }, (_, number) => ({
      ...named('', `a:b/c${number}`),
      get name() {
        looks += 1;
        return `f${number % 500}`;
      },
    }));
    expect(describeWorld({ needs: [], functions }, new Set()).tools).toHaveLength(1000);
    expect(looks).toBeLessThan(20 * functions.length);
  });
});

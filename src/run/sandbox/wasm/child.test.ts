import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { talkOver, verdictOf } from './child.ts';

it('messages of a WebAssembly child are read, however they are cut to pieces', async () => {
  const channel = new PassThrough();
  const talk = talkOver(channel);
  const text = '{"kind":"ready"}\n{"kind":"trap","message":"ü","memoryBytes":5}\n';
  for (const byte of Buffer.from(text, 'latin1')) channel.write(Buffer.of(byte));
  expect(await talk.ready).toBe(true);
  await new Promise((settle) => setImmediate(settle));
  expect(talk.last()).toMatchObject({ kind: 'trap', memoryBytes: 5 });
});

it('a WebAssembly child that was never ready is reported as such', async () => {
  const channel = new PassThrough();
  const talk = talkOver(channel);
  channel.end();
  channel.resume();
  expect(await talk.ready).toBe(false);
});

const malformed = [
  '{"kind":"exited","code":"0"}',
  '{"kind":"exited","code":0,"reached":5}',
  '{"kind":"exited","code":0,"reached":["patience"]}',
  '{"kind":"trap","message":"x"}',
];

it('unknown messages of a WebAssembly child are ignored', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json(), fc.constantFrom(...malformed)), async (line) => {
      const channel = new PassThrough();
      const talk = talkOver(channel);
      channel.end(`${line}\n`);
      await talk.closed;
      expect(talk.last()).toBeNull();
    }),
    { numRuns: 50 },
  );
});

it('messages of a WebAssembly child take bounded memory', async () => {
  const channel = new PassThrough();
  const talk = talkOver(channel);
  for (let count = 0; count < 100; count++) channel.write(Buffer.alloc(65_536, 'x'));
  channel.end();
  await talk.closed;
  expect(talk.last()).toBeNull();
});

const limits = {
  ...{ timeoutMs: 1000, memoryBytes: 1000, processes: 1, outputBytes: 1 },
  ...{ scratchBytes: 1, fileBytes: 1, cpuSeconds: 1 },
};
const exited = { reason: 'exited', exitCode: 0, signal: null, message: null, durationMs: 5 } as const;

describe('how a run ended', () => {
  it.each([
    ['its own code', { kind: 'exited', code: 300 }, exited, { reason: 'exited', exitCode: 300, message: null }],
    ['a trap', { kind: 'trap', message: 'x', memoryBytes: 10 }, exited, { reason: 'exited', exitCode: 134 }],
    ['a trap when memory is full', { kind: 'trap', message: 'x', memoryBytes: 900 }, exited, { reason: 'memory' }],
    ['nothing to run', { kind: 'unfit', message: 'x' }, exited, { reason: 'engine_error', exitCode: null }],
    ['too much to begin with', { kind: 'too-large', message: 'x' }, exited, { reason: 'memory' }],
    [
      'an engine that crashed',
      null,
      { ...exited, exitCode: 133, signal: 'SIGTRAP' },
      { reason: 'memory', signal: null },
    ],
    ['an engine that gave up', null, { ...exited, exitCode: 1 }, { reason: 'engine_error' }],
  ] as const)('is %s', (_, last, ending, expected) => {
    expect(verdictOf(ending, last, limits)).toMatchObject(expected);
  });

  it.each(['timeout', 'cancelled', 'output_limit', 'lost'] as const)(
    'stays %s, whatever the guest had said',
    (reason) => {
      const ending = { ...exited, exitCode: null, reason, message: 'why' };
      expect(verdictOf(ending, { kind: 'exited', code: 0 }, limits)).toEqual(ending);
    },
  );
});

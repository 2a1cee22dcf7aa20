import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { talkOver } from './channel.ts';

it('hears what a child says, however it is cut to pieces', async () => {
  const channel = new PassThrough();
  const talk = talkOver(channel);
  const text = '{"kind":"ready"}\n{"kind":"trap","message":"ü","memoryBytes":5}\n';
  for (const byte of Buffer.from(text, 'latin1')) channel.write(Buffer.of(byte));
  expect(await talk.ready).toBe(true);
  await new Promise((settle) => setImmediate(settle));
  expect(talk.last()).toMatchObject({ kind: 'trap', memoryBytes: 5 });
});

it('knows that a child was never ready', async () => {
  const channel = new PassThrough();
  const talk = talkOver(channel);
  channel.end();
  channel.resume();
  expect(await talk.ready).toBe(false);
});

it('takes nothing from a child that it does not know', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json(), fc.constant('{"kind":"exited","code":"0"}')), async (line) => {
      const channel = new PassThrough();
      const talk = talkOver(channel);
      channel.end(`${line}\n`);
      await talk.closed;
      expect(talk.last()).toBeNull();
    }),
    { numRuns: 50 },
  );
});

it('does not let a child fill our memory with words', async () => {
  const channel = new PassThrough();
  const talk = talkOver(channel);
  for (let count = 0; count < 100; count++) channel.write(Buffer.alloc(65_536, 'x'));
  channel.end();
  await talk.closed;
  expect(talk.last()).toBeNull();
});

import type { Readable, Writable } from 'node:stream';
import { readyWord } from './gate.ts';

const textLimit = 4096;

/** What the sandbox says of itself while it is set up, and when it ends. */
export interface Status {
  /** The number of the first process inside; null where there never was one. */
  readonly child: Promise<number | null>;
  /** Whether the first process waits to be told to go on; false where it never came to that. */
  readonly ready: Promise<boolean>;
  /** Settles when there is nobody left to say anything. */
  readonly gone: Promise<void>;
  exitCode(): number | null;
}

export function watchStatus(channel: Readable): Status {
  let text = '';
  const find = (pattern: RegExp) => pattern.exec(text)?.[1] ?? null;
  const when = <T>(found: () => T | null, never: T) =>
    new Promise<T>((settle) => {
      channel.on('data', () => {
        const value = found();
        if (value !== null) settle(value);
      });
      channel.once('close', () => settle(never));
    });
  const number = (value: string | null) => (value === null ? null : Number(value));
  channel.on('data', (bytes: Buffer) => {
    if (text.length < textLimit) text += bytes.toString('latin1');
  });
  return {
    child: when<number | null>(() => number(find(/"child-pid"\s*:\s*(\d+)/)), null),
    ready: when<boolean>(() => (text.includes(readyWord) ? true : null), false),
    gone: closeOf(channel),
    exitCode: () => number(find(/"exit-code"\s*:\s*(\d+)/)),
  };
}

export async function textOf(stream: Readable): Promise<string> {
  let text = '';
  stream.on('data', (bytes: Buffer) => {
    if (text.length < textLimit) text += bytes.toString('utf8');
  });
  await closeOf(stream);
  return text.trim();
}

export function closeOf(stream: Readable | Writable): Promise<void> {
  return new Promise((settle) => {
    if (stream.closed) settle();
    else stream.once('close', settle);
  });
}

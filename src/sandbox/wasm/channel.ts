import type { Duplex } from 'node:stream';
import type { Call, Order, Report } from './protocol.ts';

/** More than a child has to say. */
const longestTalk = 65_536;

/** What a child says over its channel. It is no more to be trusted than what it runs. */
export interface Talk {
  /** Settles with false where it ended without ever being ready. */
  readonly ready: Promise<boolean>;
  /** The last thing it said, beyond being ready. */
  last(): Exclude<Report, { kind: 'ready' }> | null;
  /** With the bytes that follow it, where the child expects some. */
  order(order: Order | Call, attached?: readonly Uint8Array[]): void;
  /** Settles when there is nothing more to come. */
  readonly closed: Promise<void>;
}

export function talkOver(channel: Duplex): Talk {
  let text = '';
  let last: ReturnType<Talk['last']> = null;
  let settle: (ready: boolean) => void = () => undefined;
  const ready = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  const hear = (line: string) => {
    const said = reportIn(line);
    if (said?.kind === 'ready') settle(true);
    else if (said !== null) last = said;
  };
  channel.on('data', (bytes: Buffer) => {
    if (text.length < longestTalk) text += bytes.toString('utf8');
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) hear(line);
  });
  const closed = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) channel.once(event, () => resolve());
  });
  void closed.then(() => {
    settle(false);
    channel.destroy();
  });
  // One that cannot be run says why and ends: an order written then would break the channel before that is read.
  const order: Talk['order'] = (given, attached = []) =>
    void ready.then((isReady) => {
      if (isReady) for (const piece of [`${JSON.stringify(given)}\n`, ...attached]) channel.write(piece);
    });
  return { ready, closed, last: () => last, order };
}

const fields: Readonly<Record<Report['kind'], readonly (readonly [string, string])[]>> = {
  ready: [],
  unfit: [['message', 'string']],
  'too-large': [['message', 'string']],
  exited: [['code', 'number']],
  trap: [
    ['message', 'string'],
    ['memoryBytes', 'number'],
  ],
};

function reportIn(line: string): Report | null {
  try {
    const said = JSON.parse(line) as Record<string, unknown>;
    const needed = fields[said['kind'] as Report['kind']];
    return needed?.every(([name, type]) => typeof said[name] === type) ? (said as unknown as Report) : null;
  } catch {
    return null;
  }
}

import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import { isIP } from 'node:net';
import { reasonOf, SkillError } from '../kernel/errors.ts';
import { parseHost } from './authority.ts';

/** The host in its one spelling; throws for what cannot be one. An empty host would mean every address there is. */
export function checkHost(host: string): string {
  const name = parseHost(host);
  if (name !== null) return name;
  throw new SkillError('usage', `'${host}' is not a host to listen on`, {
    hint: 'Give a name or an address without a port: --host 127.0.0.1',
  });
}

export function checkPort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  throw new SkillError('usage', `the port must be a whole number from 0 to 65535, not ${port}`, {
    hint: 'Give another port with --port; 0 takes any free one',
  });
}

/** Where to listen. `localhost` is always IPv4, whatever the machine's own table says: clients try that first or next. */
export async function addressOf(host: string): Promise<string> {
  if (host === 'localhost') return '127.0.0.1';
  if (isIP(host) !== 0) return host;
  try {
    const { address } = await lookup(host);
    return address;
  } catch (error) {
    throw new SkillError('usage', `no address was found for '${host}' (${reasonOf(error)})`, {
      hint: 'Give another host with --host',
      cause: error,
    });
  }
}

/** Resolves with the port. */
export async function bind(server: Server, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(bindError(error, address, port));
    server.once('error', failed);
    server.listen({ host: address, port }, () => {
      server.off('error', failed);
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}

interface Explanation {
  readonly text: (address: string, port: number) => string;
  readonly hint: string;
}

const elsewhere: Explanation = {
  text: (address) => `this machine has no address ${address}`,
  hint: 'Give another host with --host; 127.0.0.1 is always there',
};

const explanations: Readonly<Record<string, Explanation>> = {
  EADDRINUSE: {
    text: (address, port) => `port ${port} of ${address} is in use by another program`,
    hint: 'Give another port with --port; 0 takes any free one',
  },
  EACCES: {
    text: (address, port) => `this program may not listen on port ${port} of ${address}`,
    hint: 'Give a port of 1024 or more with --port',
  },
  EADDRNOTAVAIL: elsewhere,
  EAFNOSUPPORT: elsewhere,
  EINVAL: elsewhere,
};

function bindError(error: Error, address: string, port: number): SkillError {
  const reason = reasonOf(error);
  const known = explanations[reason];
  const text = known?.text(address, port) ?? `cannot listen on port ${port} of ${address}`;
  const hint = known?.hint ?? 'Give another host with --host or another port with --port';
  return new SkillError('usage', `${text} (${reason})`, { hint, cause: error });
}

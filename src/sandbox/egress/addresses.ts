import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { permitsAddress, permitsHost } from '../../policy/matching.ts';
import type { HostRule } from '../../policy/types.ts';

export type Destination =
  | { readonly ok: true; readonly addresses: readonly string[]; readonly port: number }
  | { readonly ok: false; readonly status: 403 | 502; readonly reason: string };

/** Looks a name up; a value, so that tests need no name server. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export const resolveHost: Resolve = async (host) => {
  if (isIP(host) !== 0) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
};

/**
 * Where a run may go, by address. The name is looked up once, and the addresses that were checked are the ones that are
 * dialled: a name server that answers differently the second time is not asked a second time.
 */
export async function destinationOf(
  rules: readonly HostRule[],
  host: string,
  port: number,
  resolve: Resolve,
): Promise<Destination> {
  if (!permitsHost(rules, host, port)) return refused(`${host}:${port} is not allowed for this run`);
  const addresses = await resolve(host).catch(() => null);
  if (addresses === null || addresses.length === 0) {
    return { ok: false, status: 502, reason: `${host} has no address` };
  }
  const permitted = addresses.filter((address) => permitsAddress(rules, host, address));
  if (permitted.length === 0) return refused(`${host} leads to ${addresses[0]}, which is not allowed for this run`);
  return { ok: true, addresses: permitted.slice(0, 3), port };
}

function refused(reason: string): Destination {
  return { ok: false, status: 403, reason };
}

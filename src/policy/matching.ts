import { isLoopback, isPrivateAddress, readAddress } from './addresses.ts';
import { requestedHost } from './hosts.ts';
import type { HostRule } from './types.ts';

/** Whether one of the rules is for this host and port. A host that is not written as hosts are is nobody's. */
export function permitsHost(rules: readonly HostRule[], host: string, port: number): boolean {
  const name = requestedHost(host);
  if (name === null || !Number.isInteger(port) || port < 1 || port > 65_535) return false;
  return rules.some((rule) => coversHost(rule, { host: name, below: false, port }));
}

/**
 * Whether a connection for this host may go to this address. Addresses that are not on the internet are reached by
 * those who were granted them as such: by the address itself, or by `localhost`. A name that merely leads to one does
 * not count, because whoever owns the name decides where it leads.
 */
export function permitsAddress(rules: readonly HostRule[], host: string, ip: string): boolean {
  const [name, target] = [requestedHost(host), requestedHost(ip)];
  if (name === null || target === null || !isAddress(target)) return false;
  if (isAddress(name) && name !== target) return false;
  if (!isPrivateAddress(ip)) return true;
  const isNamed = rules.some((rule) => !rule.below && rule.host === name);
  return isNamed && (name === target || (name === 'localhost' && isLoopback(ip)));
}

/** Whether all that the other rule allows is allowed by this one. */
export function coversHost(rule: HostRule, other: HostRule): boolean {
  return (rule.port === null || rule.port === other.port) && coversName(rule, other);
}

function coversName(rule: HostRule, other: HostRule): boolean {
  if (rule.host === other.host) return rule.below === other.below;
  return rule.below && !isAddress(other.host) && other.host.endsWith(`.${rule.host}`);
}

/** What both rules allow; null where that is nothing. */
export function meetHosts(one: HostRule, other: HostRule): HostRule | null {
  const port = one.port ?? other.port;
  if (other.port !== null && other.port !== port) return null;
  if (coversName(one, other)) return { ...other, port };
  return coversName(other, one) ? { ...one, port } : null;
}

/** Of a host in the form that rules have. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || readAddress(host) !== null;
}

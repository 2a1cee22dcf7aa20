import { SkillError } from '../../core/errors.ts';
import { looksSecret } from '../../core/text/secret-names.ts';

/** Whether an address is of this machine itself. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * Whether an address leads to this machine, and the one that named it came from another: strangers must not have us ask
 * services that only this machine reaches.
 */
export function leadsHere(address: string, namedAt: string | undefined): boolean {
  const isHere = (text: string): boolean => URL.canParse(text) && isLoopback(new URL(text));
  const isWeb =
    namedAt !== undefined && /^[a-z][a-z0-9+.-]+:\/\/|^[^/\\]+@[^/\\]+:/i.test(namedAt) && !/^file:/i.test(namedAt);
  return isWeb && isHere(address) && !isHere(namedAt);
}

/** Parameters of an address that are as good as a password. */
const secretParameter = /^(?:sig|signature|x-(?:amz|goog)-.*)$/i;

/** An address as it may be shown and kept: without user, password, tokens and what follows `#`. */
export function shownUrl(url: URL): string {
  const plain = bare(url);
  plain.hash = '';
  for (const key of [...plain.searchParams.keys()]) {
    if (looksSecret(key) || secretParameter.test(key)) plain.searchParams.delete(key);
  }
  return plain.href;
}

/** Refuses an address that others on the way could read or change. */
export function checkProtocol(url: URL, plainHttp = false): void {
  if (url.protocol === 'https:') return;
  if (url.protocol === 'http:' && (plainHttp || isLoopback(url))) return;
  const hint = 'Use https; plain HTTP is only for this machine itself, unless it is asked for.';
  throw new SkillError('denied', `${shownUrl(url)}: ${url.protocol.slice(0, -1)} is not used`, { hint });
}

/** An address without user and password. */
export function bare(url: URL): URL {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain;
}

/** A text that may hold addresses, without the credentials in them. Over SSH, a user alone is none. */
export function withoutCredentials(text: string): string {
  return text.replace(/(https?:\/\/)[^/@\s]*@/gi, '$1').replace(/([a-z]:\/\/)[^/@\s]*:[^/@\s]*@/gi, '$1');
}

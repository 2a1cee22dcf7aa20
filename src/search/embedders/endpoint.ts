import { SkillError } from '../../core/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { HttpEmbedderChoice } from './embedder.ts';

/** The service that embeddings are asked for, after everything about it was found to be in order. */
export interface Endpoint {
  readonly url: string;
  /** The address as people may see it: what follows a question mark may be a secret. */
  readonly shown: string;
  readonly model: string;
  readonly key: string | undefined;
}

const example = 'Give an address such as http://localhost:11434/v1 as embeddings_url.';
const keyRemedy = 'Give the key alone, as REPERTOIRE_EMBEDDINGS_KEY or embeddings_key in your user file.';

/** Resolves a base or a full address to the full one; throws for one that texts or a key must not be sent to. */
export function endpointOf({ url: given, model, key }: HttpEmbedderChoice): Endpoint {
  const url = parsed(given);
  if (url.username !== '' || url.password !== '') {
    throw wrong('the address of the embeddings service contains a user name or a password', keyRemedy);
  }
  if (key !== undefined) checkKey(key, url);
  if (model.trim() === '')
    throw wrong('the model of the embeddings service has no name', 'Give it as embeddings_model.');
  url.hash = '';
  url.pathname = pathOf(url.pathname);
  return { url: url.href, shown: url.origin + url.pathname, model, key };
}

/** Parses the address, and does not repeat it in errors: a slip in it may have left a password anywhere. */
function parsed(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url;
  throw wrong('the address of the embeddings service is not one of http or https', example);
}

/**
 * The path of the embeddings: a bare host serves the format below `/v1`, as nearly all do; a path is the base unless it
 * is the whole already.
 */
function pathOf(path: string): string {
  if (/\/embeddings\/?$/.test(path)) return path;
  const base = path.replace(/\/+$/, '');
  return `${base === '' ? '/v1' : base}/embeddings`;
}

function checkKey(key: string, { protocol, hostname, host }: URL): void {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw wrong('the embeddings key contains a space or a character that a header cannot carry', keyRemedy);
  }
  if (protocol === 'http:' && !isThisMachine(hostname)) {
    const hint = 'Use https, or leave the key out.';
    throw wrong(`the embeddings key would be sent to ${oneLine(host)} unencrypted`, hint);
  }
}

/**
 * Tells whether a host is this machine. A URL has its host in one spelling only: numbers in four parts, IPv6 in
 * brackets.
 */
function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function wrong(what: string, hint: string): SkillError {
  return new SkillError('usage', what, { hint });
}

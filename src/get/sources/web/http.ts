import { closeSync, openSync, writeSync } from 'node:fs';
import type { Environment } from '../../../core/environment.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { sizeInWords } from '../../../core/text/quantities.ts';
import { bare, checkProtocol, isLoopback, shownUrl } from '../addresses.ts';
import type { Limits } from '../limits.ts';
import type { FetchContext } from '../types.ts';
import { fetchThrough, proxyFor } from './proxy.ts';

/** A file that came from a server, and how it can be asked for again. */
export interface Download {
  /** The address that answered at last, without credentials. */
  readonly url: string;
  readonly etag?: string;
  readonly bytes: number;
  /** `sha256-` and Base64. */
  readonly integrity: string;
}

export type Asking = Pick<FetchContext, 'environment' | 'signal' | 'onProgress' | 'plainHttp'> & {
  readonly limits: Limits;
};

/** Downloads into a file, which must not exist. */
export async function download(address: string, file: string, asking: Asking): Promise<Download> {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    return await get(address, {
      ...asking,
      most: asking.limits.sentBytes,
      use: (chunk) => void writeSync(descriptor, chunk),
    });
  } finally {
    closeSync(descriptor);
  }
}

/** Downloads a document into memory. */
export async function downloadText(address: string, asking: Asking): Promise<Download & { readonly content: Buffer }> {
  const parts: Uint8Array[] = [];
  const most = asking.limits.documentBytes;
  const got = await get(address, { ...asking, most, use: (chunk) => parts.push(chunk) });
  return { ...got, content: Buffer.concat(parts) };
}

/** Asks what state a file is in, without fetching it. */
export async function head(address: string, asking: Asking): Promise<Pick<Download, 'url' | 'etag'>> {
  const alarm = createAlarm(address, asking);
  try {
    const { response, url } = await follow(address, 'HEAD', asking, alarm);
    return { url: shownUrl(url), ...etagOf(response) };
  } finally {
    alarm.off();
  }
}

interface Getting extends Asking {
  readonly most: number;
  readonly use: (chunk: Uint8Array) => void;
}

async function get(address: string, getting: Getting): Promise<Download> {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256');
  const alarm = createAlarm(address, getting);
  try {
    const { response, url } = await follow(address, 'GET', getting, alarm);
    const shown = shownUrl(url);
    const total = Number(response.headers.get('content-length') ?? Number.NaN);
    const tooMuch = new SkillError('unreadable', `${shown}: larger than ${sizeInWords(getting.most)}`);
    if (total > getting.most) throw tooMuch;
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > getting.most) throw tooMuch;
      alarm.hear(chunk.length);
      hash.update(chunk);
      getting.use(chunk);
      getting.onProgress?.({ what: `Downloading ${shown}`, done: bytes, ...(total > 0 && { total }) });
    }
    return { url: shown, ...etagOf(response), bytes, integrity: `sha256-${hash.digest('base64')}` };
  } catch (error) {
    throw alarm.reason ?? failure(error, address);
  } finally {
    alarm.off();
  }
}

function etagOf({ headers }: Response): { etag?: string } {
  const etag = headers.get('etag') ?? headers.get('last-modified');
  return etag === null ? {} : { etag };
}

/** Follows redirects by hand: each address is judged, and credentials go to nobody but the one they are for. */
async function follow(
  address: string,
  method: 'GET' | 'HEAD',
  { environment, limits, plainHttp }: Asking,
  { signal }: Alarm,
): Promise<{ response: Response; url: URL }> {
  let url = new URL(address);
  const isFromHere = isLoopback(url);
  const { origin } = url;
  const authorization = authorizationOf(url);
  for (let hops = 0; hops <= limits.redirects; hops++) {
    checkProtocol(url, plainHttp);
    const isSame = url.origin === origin;
    const headers = { 'accept-encoding': 'identity', ...(isSame && authorization !== null && { authorization }) };
    const response = await sent(bare(url).href, { method, signal, headers }, environment).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : failure(error, address);
    });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null)
      return { response: accepted(response, url), url };
    await response.body?.cancel();
    url = URL.canParse(location, url.href) ? new URL(location, url) : url;
    if (isLoopback(url) && !isFromHere) {
      throw new SkillError(
        'denied',
        `${shownUrl(new URL(address))}: sends us to this machine itself, which is refused`,
      );
    }
  }
  throw new SkillError('unreadable', `${shownUrl(new URL(address))}: redirects more than ${limits.redirects} times`);
}

/** Sends a request to the address itself, or through the proxy that the environment names for it. */
async function sent(
  url: string,
  init: { readonly method: string; readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> },
  environment: Environment,
): Promise<Response> {
  const proxy = proxyFor(new URL(url), environment);
  return proxy === null ? fetch(url, { ...init, redirect: 'manual' }) : fetchThrough(proxy, url, init);
}

function accepted(response: Response, url: URL): Response {
  if (response.ok) return response;
  void response.body?.cancel();
  const { status } = response;
  const [code, hint] =
    status === 404 || status === 410
      ? (['not-found', 'Check the address.'] as const)
      : [401, 403].includes(status)
        ? (['denied', 'The server wants to know who asks; private files come through Git or npm.'] as const)
        : (['unreadable', 'Try again later.'] as const);
  throw new SkillError(code, `${shownUrl(url)}: the server answers with ${status}`, { hint });
}

function authorizationOf({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function failure(error: unknown, address: string): unknown {
  if (error instanceof SkillError || (error instanceof Error && error.name === 'AbortError')) return error;
  const reason = reasonOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
  const hint = 'Check the address and the network.';
  return new SkillError('unreadable', `${shownUrl(new URL(address))}: cannot be reached (${reason})`, { hint });
}

/** Ends a connection that hangs, drips or takes for ever. */
interface Alarm {
  readonly signal: AbortSignal;
  readonly reason: unknown;
  hear(bytes: number): void;
  off(): void;
}

function createAlarm(address: string, { signal, limits }: Asking): Alarm {
  const { idleMs, bytesPerSecond, totalMs } = limits;
  const own = new AbortController();
  const shown = shownUrl(new URL(address));
  const end = (what: string) =>
    own.abort(new SkillError('unreadable', `${shown}: ${what}`, { hint: 'Try again later.' }));
  let heard = 0;
  const idle = setInterval(() => {
    if (heard === 0) end('the server went silent');
    else if (heard < (bytesPerSecond * idleMs) / 1000)
      end(`the server sends less than ${sizeInWords(bytesPerSecond)} a second`);
    heard = 0;
  }, idleMs);
  const total = setTimeout(() => end('the server did not come to an end'), totalMs);
  const either = signal === undefined ? own.signal : AbortSignal.any([signal, own.signal]);
  return {
    signal: either,
    get reason() {
      return either.aborted ? (either.reason as unknown) : undefined;
    },
    hear(bytes) {
      heard += bytes;
    },
    off: () => {
      clearInterval(idle);
      clearTimeout(total);
    },
  };
}

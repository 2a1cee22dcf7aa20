import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import {
  type FetchLike,
  type OAuthClientProvider,
  parseJSONRPCMessage,
  StreamableHTTPClientTransport,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { isObject } from '../../core/formats/documents.ts';
import { endGroup } from '../../core/process-group.ts';
import { settlesWithin } from '../../core/settles-within.ts';
import { createLineCutter } from '../../core/text/line-cutter.ts';
import { cut } from '../../core/text/text.ts';
import { isLoopback, type Target } from './target.ts';

export type { OAuthClientProvider } from '@modelcontextprotocol/client';

/** A transport that reports why its server can no longer be reached, which the protocol library keeps to itself. */
export interface Link {
  readonly transport: Transport;
  readonly failure: () => SkillError | null;
  /** Ends whatever was started, and everything that this has started. */
  readonly close: () => Promise<void>;
}

/** Remedies, which depend on who connects: by status of an answer, for silence, and for a command that does not start. */
export interface Remedies {
  readonly 401: string;
  readonly 403: string;
  readonly 404: string;
  readonly silent: (address: URL) => string;
  readonly command: string;
  readonly address: string;
}

interface Opening {
  readonly remedies: Remedies;
  /** Bytes of one message, beyond which a server is not listened to. */
  readonly messageLimit?: number | undefined;
}

/** Milliseconds that a server may take to end, or to learn that its client leaves. */
const leaveMs = 1000;

/** Bytes of a message: more than any server sends at once. */
const anyMessage = 64 * 1024 * 1024;

type Command = Extract<Target, { kind: 'process' }>;

/**
 * Starts a server as agents do, and speaks to it line by line. The library's own transport for this passes on our
 * variables, hides how a server ended, skips what is no message, and leaves behind what the server has started.
 */
export function openProcess(
  command: Command,
  opening: Opening & { readonly folder: string; readonly signal: AbortSignal | undefined },
): Link {
  const { folder, signal, remedies, messageLimit = anyMessage } = opening;
  const child = started(command, folder, remedies);
  let failure: SkillError | null = null;
  let said = '';
  let closing: Promise<void> | undefined;
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = (): void => endGroup(child);
  signal?.addEventListener('abort', stop, { once: true });

  const transport: Transport = {
    async start() {},
    async send(message) {
      if (failure !== null) throw failure;
      child.stdin.write(serializeMessage(message));
    },
    close: () => (closing ??= end()),
  };
  const fail = (error: SkillError): void => {
    failure ??= error;
    transport.onclose?.();
  };
  const ended = (code: number | null, ending: NodeJS.Signals | null): void => {
    const last = said.trim().split('\n').at(-1) ?? '';
    const how = code === null ? `was ended by ${ending}` : `ended with code ${code}`;
    const words = last === '' ? '' : `, saying: ${cut(last, 200)}`;
    fail(unavailable(`the server ${how}${words}`, 'Run its command in a terminal to see why.'));
  };
  child.once('error', (error) => fail(unstartable(command, error, remedies)));
  child.once('close', ended);
  // Processes that it left behind may hold its pipes open for as long as they like.
  child.once('exit', (code, ending) => setTimeout(ended, leaveMs, code, ending).unref());
  child.stdin.on('error', () => {}); // a server that has ended reads no more, and its end is reported
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  const endless = (): void => fail(garbled('an endless line'));
  const lines = createLineCutter(messageLimit, {
    onLine(line) {
      if (failure !== null) return;
      const message = messageIn(line.toString());
      if (message === null) fail(garbled(cut(line.toString(), 80)));
      else transport.onmessage?.(message);
    },
    onTooLong: endless,
  });
  let unended = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    unended = chunk.length - 1 - chunk.lastIndexOf('\n') + (chunk.includes('\n') ? 0 : unended);
    // A line that never ends is reported before its end.
    if (unended > messageLimit) endless();
    lines.push(chunk);
  });
  return { transport, failure: () => failure, close: () => transport.close() };

  async function end(): Promise<void> {
    signal?.removeEventListener('abort', stop);
    child.stdin.end();
    if (failure === null) await settlesWithin(leaveMs, closed);
    endGroup(child);
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
    child.unref();
    transport.onclose?.();
  }
}

function started(
  { command, args, env, cwd }: Command,
  folder: string,
  remedies: Remedies,
): ChildProcessWithoutNullStreams {
  try {
    // The server gets a process group, so that whatever it starts can be ended with it.
    return spawn(command, args, { cwd: cwd ?? folder, env, detached: process.platform !== 'win32' });
  } catch (error) {
    throw unstartable({ command, cwd }, error, remedies);
  }
}

/** Parses a line; null where it is no message of the protocol. */
function messageIn(line: string): ReturnType<typeof parseJSONRPCMessage> | null {
  try {
    const value: unknown = JSON.parse(line);
    // Some servers send an error with each answer, which is null where there is none.
    if (isObject(value) && value['error'] === null) delete value['error'];
    return parseJSONRPCMessage(value);
  } catch {
    return null;
  }
}

function unstartable(
  { command, cwd }: Pick<Command, 'command' | 'cwd'>,
  error: unknown,
  remedies: Remedies,
): SkillError {
  const place = cwd === null ? '' : ` in ${cut(cwd, 200)}`;
  const message = `${cut(command, 200)} cannot be started${place} (${reasonOf(error)})`;
  return unavailable(message, remedies.command);
}

function garbled(what: string): SkillError {
  return unavailable(`the server writes something other than the protocol to stdout: ${what}`, 'Is it an MCP server?');
}

/** A link over HTTP, at which a person may have to sign in. */
export interface AddressLink extends Link {
  /** Redeems what the authorization server has sent a person back with; the next link is then let in. */
  readonly finishAuth: (callback: URLSearchParams) => Promise<void>;
}

interface AddressOpening extends Opening {
  readonly signal: AbortSignal;
  /** Signs in where the server asks for it. */
  readonly provider?: OAuthClientProvider | undefined;
}

/** Connects to a server that is already running. No redirect is followed, so that a token goes nowhere else. */
export function openAddress(target: Extract<Target, { kind: 'address' }>, opening: AddressOpening): AddressLink {
  const { signal, remedies, provider, messageLimit = anyMessage } = opening;
  const own = addressOf(target.url, remedies);
  let failure: SkillError | null = null;
  const limitedFetch: FetchLike = async (address, init = {}) => {
    const signals = [init.signal ?? [], init.method === 'DELETE' ? [] : signal].flat();
    try {
      const response = await fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) });
      return limited(response, messageLimit, () => {
        failure = unavailable('the server does not stop answering', 'Is it an MCP server?');
        void transport.close();
      });
    } catch (error) {
      failure = unanswered(new URL(address), error, remedies);
      throw error;
    }
  };
  const watched: FetchLike = async (address, init = {}) => {
    const url = new URL(address);
    if (url.href !== own.href) {
      if (maySignInAt(url, own)) return limitedFetch(address, init);
      failure = insecure(url);
      throw failure;
    }
    // A GET opens a stream for unsolicited messages, for which nobody here has a use.
    if (init.method === 'GET') return new Response(null, { status: 405 });
    const answer = await limitedFetch(address, init);
    failure = null;
    if (answer.ok) return answer;
    const text = await answer.text();
    failure ??= refused(answer.status, text, remedies);
    return new Response(text === '' ? null : text, { status: answer.status, headers: answer.headers });
  };
  const transport = new StreamableHTTPClientTransport(own, {
    requestInit: { headers: { ...target.headers } },
    fetch: watched,
    ...(provider !== undefined && { authProvider: provider }),
    redirectPolicy: 'follow', // The library then leaves redirects to fetch, which is set not to follow them.
    reconnectionOptions: {
      ...{ initialReconnectionDelay: leaveMs, maxReconnectionDelay: leaveMs, reconnectionDelayGrowFactor: 1 },
      maxRetries: 0,
    },
  });
  return {
    transport,
    failure: () => failure,
    finishAuth: (callback) => transport.finishAuth(callback),
    async close() {
      await settlesWithin(
        leaveMs,
        transport.terminateSession().catch(() => null),
      );
      await transport.close();
    },
  };
}

/**
 * Tells whether a person may be signed in at an address that a server names: one that nobody listens in on, and no
 * server of this machine for one elsewhere.
 */
function maySignInAt(url: URL, server: URL): boolean {
  return isLoopback(url) ? isLoopback(server) : url.protocol === 'https:';
}

function insecure({ protocol, host }: URL): SkillError {
  const message = `the server wants you to sign in at ${protocol}//${cut(host, 200)}, which is not safe`;
  return unavailable(message, 'Ask whoever runs it: sign-in needs https, or a server on this machine.');
}

/** Returns the answer with a limit, which breaks off where it goes on without end. */
function limited(response: Response, messageLimit: number, onTooLong: () => void): Response {
  let length = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      length += bytes.length;
      if (length <= messageLimit) return controller.enqueue(bytes);
      controller.terminate();
      onTooLong();
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(counted) ?? null, { status, statusText, headers });
}

/** Explanations of statuses for people. Any other status is reported as it is. */
const refusals = {
  401: 'the server requires a different token',
  403: 'the server refuses this host name',
  404: 'there is no MCP server at this address',
} as const;

function refused(status: number, text: string, remedies: Remedies): SkillError {
  if (status === 401 || status === 403 || status === 404) return unavailable(refusals[status], remedies[status]);
  const said = cut(errorIn(text), 200);
  const words = `the server answers with status ${status}${said === '' ? '' : `: ${said}`}`;
  return unavailable(words, 'Is it an MCP server?');
}

/** The error message in an answer; empty where it is not in the form of the protocol. */
function errorIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly message?: unknown } };
    return typeof error?.message === 'string' ? error.message : '';
  } catch {
    return '';
  }
}

function addressOf(url: string, remedies: Remedies): URL {
  if (URL.canParse(url)) return new URL(url);
  throw unavailable('its address is not a URL', remedies.address);
}

function unanswered(url: URL, error: unknown, remedies: Remedies): SkillError {
  const { protocol, host, pathname } = url;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  // The query is left out: some addresses have a key in it.
  return unavailable(`nothing answers at ${protocol}//${host}${pathname} (${reasonOf(cause)})`, remedies.silent(url));
}

/** The error for a server that cannot be used, with a remedy. */
export function unavailable(message: string, hint: string): SkillError {
  return new SkillError('unavailable', message, { hint });
}

import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import {
  type FetchLike,
  parseJSONRPCMessage,
  StreamableHTTPClientTransport,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { isObject } from '../../core/formats/documents.ts';
import { settlesWithin } from '../../core/settles-within.ts';
import { createLineCutter } from '../../core/text/line-cutter.ts';
import { cut } from '../../core/text/text.ts';
import type { Target } from './target.ts';

/** A transport that reports why its server can no longer be reached, which the protocol library keeps to itself. */
export interface Link {
  readonly transport: Transport;
  readonly failure: () => SkillError | null;
  /** Ends whatever was started, and everything that this has started. */
  readonly close: () => Promise<void>;
}

/** Milliseconds that a server may take to end, or to learn that its client leaves. */
const leaveMs = 1000;

/** Bytes of a message: more than any server sends at once. */
const messageLimit = 64 * 1024 * 1024;

type Command = Extract<Target, { kind: 'process' }>;

/**
 * Starts a server as agents do, and speaks to it line by line. The library's own transport for this passes on our
 * variables, hides how a server ended, skips what is no message, and leaves behind what the server has started.
 */
export function openProcess(
  command: Command,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal | undefined },
): Link {
  const child = started(command, folder);
  let failure: SkillError | null = null;
  let said = '';
  let closing: Promise<void> | undefined;
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = (): void => killTree(child);
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
  child.once('error', (error) => fail(unstartable(command, error)));
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
    killTree(child);
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
    child.unref();
    transport.onclose?.();
  }
}

function started({ command, args, env, cwd }: Command, folder: string): ChildProcessWithoutNullStreams {
  try {
    // The server gets a process group, so that whatever it starts can be ended with it.
    return spawn(command, args, { cwd: cwd ?? folder, env, detached: process.platform !== 'win32' });
  } catch (error) {
    throw unstartable({ command, cwd }, error);
  }
}

/** Ends a server and everything that it has started, whether it is still there itself or not. */
function killTree(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // There is nothing left to end.
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

function unstartable({ command, cwd }: Pick<Command, 'command' | 'cwd'>, error: unknown): SkillError {
  const place = cwd === null ? '' : ` in ${cut(cwd, 200)}`;
  const message = `${cut(command, 200)} cannot be started${place} (${reasonOf(error)})`;
  return unavailable(message, 'Is the path in the entry still right?');
}

function garbled(what: string): SkillError {
  return unavailable(`the server writes something other than the protocol to stdout: ${what}`, 'Is it an MCP server?');
}

/** Connects to a server that is already running. No redirect is followed, so that a token goes nowhere else. */
export function openAddress({ url, headers }: Extract<Target, { kind: 'address' }>, signal: AbortSignal): Link {
  let failure: SkillError | null = null;
  const watched: FetchLike = async (address, init = {}) => {
    // A GET opens a stream for unsolicited messages, which a check has no use for.
    if (init.method === 'GET') return new Response(null, { status: 405 });
    const signals = [init.signal ?? [], init.method === 'DELETE' ? [] : signal].flat();
    try {
      const response = await fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) });
      const answer = limited(response, () => {
        failure = unavailable('the server does not stop answering', 'Is it an MCP server?');
        void transport.close();
      });
      failure = null;
      if (answer.ok) return answer;
      const text = await answer.text();
      failure ??= refused(answer.status, text);
      return new Response(text === '' ? null : text, { status: answer.status, headers: answer.headers });
    } catch (error) {
      failure = unanswered(url, error);
      throw error;
    }
  };
  const transport = new StreamableHTTPClientTransport(addressOf(url), {
    requestInit: { headers: { ...headers } },
    fetch: watched,
    redirectPolicy: 'follow', // The library then leaves redirects to fetch, which is set not to follow them.
    reconnectionOptions: {
      ...{ initialReconnectionDelay: leaveMs, maxReconnectionDelay: leaveMs, reconnectionDelayGrowFactor: 1 },
      maxRetries: 0,
    },
  });
  return {
    transport,
    failure: () => failure,
    async close() {
      await settlesWithin(
        leaveMs,
        transport.terminateSession().catch(() => null),
      );
      await transport.close();
    },
  };
}

/** Returns the answer with a limit, which breaks off where it goes on without end. */
function limited(response: Response, onTooLong: () => void): Response {
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
const refusals: Readonly<Record<number, readonly [string, string]>> = {
  401: ['the server requires a different token', 'Set REPERTOIRE_TOKEN to the token that the server was started with.'],
  403: ['the server refuses this host name', 'Start the server with --allowed-host and the name in the address.'],
  404: ['there is no MCP server at this address', 'Check the address: it ends in /mcp.'],
};

function refused(status: number, text: string): SkillError {
  const said = cut(errorIn(text), 200);
  const words = `the server answers with status ${status}${said === '' ? '' : `: ${said}`}`;
  const other = [words, 'Is it an MCP server?'] as const;
  return unavailable(...(refusals[status] ?? other));
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

function addressOf(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  throw unavailable('its address is not a URL', 'Correct the address in the entry.');
}

function unanswered(url: string, error: unknown): SkillError {
  const { protocol, host, pathname, port } = new URL(url);
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const hint = `Start the server: repertoire serve --http --port ${port || 80}`;
  // The query is left out: some addresses have a key in it.
  return unavailable(`nothing answers at ${protocol}//${host}${pathname} (${reasonOf(cause)})`, hint);
}

/** The error for a server that cannot be used, with a remedy. */
export function unavailable(message: string, hint: string): SkillError {
  return new SkillError('unavailable', message, { hint });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RequestOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { LiveEvent, RunEvent } from '../../src/faces/web/shapes.ts';
import { type Answer, ask as askPlainly } from '../http/server.ts';
import { program, type World } from './world.ts';

interface Asking extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>;
}

/** A console that is being served, and ways to ask it. */
export interface ServedConsole {
  /** Without a final slash. */
  readonly url: string;
  /** What a person opens. */
  readonly link: string;
  readonly token: string;
  readonly child: ChildProcess;
  /** Everything it has written to its log so far. */
  log(): string;
  /** As a program asks: with the token as a bearer. */
  ask(path: string, init?: Asking): Promise<Response>;
  /** The same for something that acts. */
  post(path: string, body: unknown, init?: Asking): Promise<Response>;
  /** What an operation answers, as long as it is no error. */
  told<T>(path: string): Promise<T>;
  /** As anybody asks: with these headers and no others. A path is sent as it is. */
  plain(path: string, options?: RequestOptions, body?: string | Buffer): Promise<Answer>;
  /** A connection that sends bytes as they are. */
  dial(): Promise<Socket>;
  /** Hands over the token as the page does; gives the cookie as a browser sends it. */
  signIn(): Promise<string>;
  /** Everything that is told from now on, until somebody stops. */
  events(): Promise<EventStream>;
  /** Runs a tool and gives every line of the answer. */
  run(body: unknown): Promise<readonly RunEvent[]>;
  end(): Promise<number | null>;
}

export interface EventStream {
  readonly told: readonly LiveEvent[];
  /** Resolves with the first that fits, be it told already. */
  until(fits: (event: LiveEvent) => boolean): Promise<LiveEvent>;
  stop(): void;
}

type Env = Readonly<Record<string, string>>;

export interface ServeOptions {
  /** `web` if not said. */
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Env;
}

const json = { 'Content-Type': 'application/json' };

interface Started {
  readonly child: ChildProcess;
  /** What the pattern found in the log. */
  readonly found: string;
  log(): string;
  end(): Promise<number | null>;
}

/** Starts the program and waits for what it says; ends it with the test. */
async function start(world: World, args: readonly string[], env: Env, wanted: RegExp): Promise<Started> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: world.project,
    env: world.environment(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const end = (): Promise<number | null> => {
    child.kill('SIGTERM');
    return ended;
  };
  onTestFinished(async () => void (await end()));
  const lines: string[] = [];
  const found = await new Promise<string>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line);
      const said = wanted.exec(line)?.[1];
      if (said !== undefined) resolve(said);
    });
    void ended.then((code) => reject(new Error(`it ended with ${code}: ${lines.join('\n')}`)));
  });
  return { child, found, log: () => lines.join('\n'), end };
}

/** A server that has no console; gives its address, without a final slash. */
export async function serveAlone(world: World, command: readonly string[]): Promise<string> {
  const { found } = await start(world, [...command, '--port', '0'], {}, /listening on (\S+)\/mcp$/);
  return found;
}

/** Starts the program as a person would who wants the console, and ends it with the test. */
export async function serveConsole(world: World, options: ServeOptions = {}): Promise<ServedConsole> {
  const { command = ['web', '--no-open'], args = [], env = {} } = options;
  const words = [...command, '--port', '0', ...args];
  const { found: link, ...started } = await start(world, words, env, /the console: (\S+)/);
  const [, url = '', token = ''] = /^(.*)\/#token=(.*)$/.exec(link) ?? [];
  const ask = (path: string, init: Asking = {}): Promise<Response> =>
    fetch(url + path, { ...init, headers: { Authorization: `Bearer ${token}`, ...init.headers } });
  const post = (path: string, body: unknown, init: Asking = {}): Promise<Response> =>
    ask(path, {
      ...init,
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...json, ...init.headers },
    });
  return {
    url,
    link,
    token,
    ...started,
    ask,
    post,
    async told<T>(path: string) {
      const answer = await ask(path);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    },
    plain: (path, options, body) =>
      askPlainly({ host: '127.0.0.1', port: new URL(url).port, path, agent: false, ...options }, body),
    async dial() {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => {}); // it may be cut off, which is what tests look for
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      return socket;
    },
    async signIn() {
      const body = JSON.stringify({ token });
      const answer = await fetch(`${url}/api/session`, { method: 'POST', body, headers: json });
      return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    },
    events: () => openEvents((init) => ask('/api/events', init)),
    async run(body) {
      const answer = await post('/api/run', body, { headers: { Accept: 'application/x-ndjson' } });
      const text = (await answer.text()).trimEnd();
      return text.split('\n').map((line) => JSON.parse(line) as RunEvent);
    },
  };
}

async function openEvents(ask: (init: Asking) => Promise<Response>): Promise<EventStream> {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const answer = await ask({ signal: stopping.signal });
  if (answer.body === null || answer.status !== 200) throw new Error(`no events: ${answer.status}`);
  const told: LiveEvent[] = [];
  const news = new EventTarget();
  void readEvents(answer.body, (event) => {
    told.push(event);
    news.dispatchEvent(new Event('told'));
  });
  return {
    told,
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = told.find(fits);
          if (found !== undefined) resolve(found);
        };
        look();
        news.addEventListener('told', look);
      }),
    stop: () => stopping.abort(),
  };
}

async function readEvents(body: ReadableStream<Uint8Array>, tell: (event: LiveEvent) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const bytes of body) {
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) if (block.startsWith('data: ')) tell(JSON.parse(block.slice(6)) as LiveEvent);
    }
  } catch {
    // Stopped, or the server has ended.
  }
}

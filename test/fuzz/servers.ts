import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { http as httpShape } from './shapes/http.ts';
import { jsonRpcLines } from './shapes/json.ts';
import type { Opened, Target, Usage } from './target.ts';

/** A server that does not answer, by the clock on the wall: so long that no load of the machine is taken for one. */
const timeoutMs = 240_000;
/** A leak comes to an end here, in mebibytes. */
const heapLimit = 256;

interface Server {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  usage(): Usage;
  close(): void;
}

const ticksPerSecond = 100;

/** What the system knows of a process; nothing where it does not tell, or the process has ended. */
function usageOf(pid: number | undefined): Usage {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
    const peak = /^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return { busyMs: (((user ?? 0) + (system ?? 0)) / ticksPerSecond) * 1000, peakMiB: Number(peak ?? 0) / 1024 };
  } catch {
    return { busyMs: 0, peakMiB: 0 };
  }
}

/** The built program, in a home of its own with one skill. */
function start(args: readonly string[]): Server {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-fuzz-'));
  mkdirSync(join(folder, '.claude/skills/pdf'), { recursive: true });
  writeFileSync(join(folder, '.claude/skills/pdf/SKILL.md'), '---\nname: pdf\ndescription: About PDF.\n---\n# PDF\n');
  const project = process.env['FUZZ_PROJECT'] ?? process.cwd();
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapLimit}`, join(project, 'dist/cli/bin.cjs'), ...args],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  child.stdin.on('error', () => {}); // it may have ended by then, which is looked at elsewhere
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    child,
    ended,
    usage: () => usageOf(child.pid),
    close() {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function within<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export const jsonRpc: Target = {
  inputs: 75_000,
  isSteady: false,
  shape: jsonRpcLines,
  words: [
    '{"jsonrpc":"2.0"',
    '"id":1',
    '"id":null',
    '"method":"',
    'initialize',
    'tools/call',
    'tools/list',
    'prompts/get',
    'resources/read',
    'skills/list',
    'server/discover',
    'completion/complete',
    'notifications/initialized',
    '"params":{',
    '"name":"skill"',
    '"arguments":{',
    '"_meta":{',
    '"cursor":"',
    '__proto__',
    '[',
    ']',
    '\\ud800',
    '1e400',
    '\r',
    '\n',
    'skill://claude/pdf/SKILL.md',
    'skills.search',
    'skill-engine/execute',
  ],
  async open(): Promise<Opened> {
    let server = talk();
    let number = 0;
    let isToldToStop = false;
    const check = async (input: Buffer): Promise<string> => {
      const id = `check ${number++}`;
      const answered = server.until(id);
      const ping = `\n{"jsonrpc":"2.0","id":"${id}","method":"ping"}\n`;
      server.child.stdin?.write(Buffer.concat([input, Buffer.from(ping)]));
      const said = await within('an answer', Promise.race([answered, server.ended]));
      const wasTold = isToldToStop;
      isToldToStop ||= input.includes('shutdown');
      if (Array.isArray(said)) return outcome(said);
      // To be told to stop is the one way to end, now or with what was sent before.
      assert.ok(said === 0 && isToldToStop, `the server ended with ${said}`);
      server.close();
      server = talk();
      isToldToStop = false;
      return wasTold ? check(input) : 'shutdown';
    };
    return {
      check,
      usage: () => server.usage(),
      close: () => server.close(),
    };
  },
};

interface Message {
  readonly id?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

/** A server and what it says: every line must be JSON-RPC. */
function talk() {
  const server = start(['serve']);
  let said: Message[] = [];
  let wanted: { readonly id: string; readonly resolve: (lines: Message[]) => void } | undefined;
  createInterface({ input: server.child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const value = JSON.parse(line) as Message | Message[];
    said.push(...(Array.isArray(value) ? value : [value]));
    if (said.at(-1)?.id !== wanted?.id) return;
    wanted?.resolve(said);
    said = [];
  });
  return {
    ...server,
    until: (id: string) =>
      new Promise<Message[]>((resolve) => {
        wanted = { id, resolve };
      }),
  };
}

function outcome(messages: readonly Message[]): string {
  const fault = messages.find(({ error }) => String(error?.message).startsWith('Internal error'));
  assert.equal(fault, undefined, 'the server took the fault upon itself');
  const codes = messages.map(({ error }) => (error === undefined ? 'result' : String(error.code)));
  return [...new Set(codes)].sort().join(' ');
}

/** Stands for a session that is open, in inputs. */
const anySession = '00000000-0000-4000-8000-000000000000';
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const initialize =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}';

export const http: Target = {
  inputs: 28_000,
  isSteady: false,
  shape: httpShape,
  words: [
    'POST /mcp HTTP/1.1\r\n',
    'GET / HTTP/1.1\r\n',
    'Host: 127.0.0.1\r\n',
    'Content-Type: application/json\r\n',
    'Accept: application/json, text/event-stream\r\n',
    'Content-Length: 5\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Mcp-Session-Id: x\r\n',
    `Mcp-Session-Id: ${anySession}\r\n`,
    'MCP-Protocol-Version: 2025-06-18\r\n',
    'Origin: http://evil\r\n',
    'Expect: 100-continue\r\n',
    'Upgrade: websocket\r\n',
    'Connection: keep-alive\r\n',
    '\r\n\r\n',
    '0\r\n\r\n',
    '/api/list',
    '..%2f',
    '%00',
    '\0',
    'HTTP/9.9',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  ],
  async open(): Promise<Opened> {
    const server = start(['serve', '--transport', 'http', '--port', '0', '--log-level', 'info']);
    const port = await within('the start', portOf(server.child));
    server.child.stderr?.resume();
    const good = (session: string, body = ping): Promise<string> =>
      exchange(port, request(port, session, body), '127.0.0.2', patient);
    const open = async (): Promise<string> => /^mcp-session-id: (\S+)/im.exec(await good('', initialize))?.[1] ?? '';
    let session = await open();
    return {
      async check(input) {
        const bytes = Buffer.from(input.toString('latin1').replaceAll(anySession, session), 'latin1');
        const said = await exchange(port, bytes, '127.0.0.1', quiet);
        assert.match(said, /^(?:$|HTTP\/1\.[01] [1-5]\d\d )/, 'the answer is not HTTP');
        const status = said.slice(9, 12);
        assert.notEqual(status, '500', said.slice(0, 500));
        // Another client is served all the same, if need be in another session: the input may have ended that one.
        const inSession = await good(session);
        if (/^HTTP\/1\.1 404 /.test(inSession)) session = await open();
        const answer = /^HTTP\/1\.1 404 /.test(inSession) ? await good(session) : inSession;
        assert.match(answer, /^HTTP\/1\.1 200 /, `a good request was answered with ${answer.slice(0, 500)}`);
        assert.equal(server.child.exitCode, null, 'the server has ended');
        return `${status} ${/"code":(-?\d+)/.exec(said)?.[1] ?? ''}`;
      },
      usage: () => server.usage(),
      close: () => server.close(),
    };
  },
};

function request(port: number, session: string, body: string): Buffer {
  const lines = [
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
    ...(session === '' ? [] : [`Mcp-Session-Id: ${session}`]),
    'Connection: close',
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

async function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      const port = /listening on \S+:(\d+)/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
}

/** Silence, after which whoever sent something that may not even be a request has no more to say, and no longer listens. */
const quiet = { untilEndMs: 20, untilGoneMs: 250 };
/** Whoever sent a request waits: one who seems to leave need not be answered. */
const patient = { untilEndMs: timeoutMs, untilGoneMs: timeoutMs };

/** Sends bytes and returns what comes back until the other side closes, or says nothing more for a while. */
async function exchange(port: number, bytes: Buffer, localAddress: string, silence: typeof quiet): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    let said = '';
    const leave = (): void => {
      socket.destroy();
      resolve(said);
    };
    const end = (): void => {
      socket.end();
      socket.setTimeout(silence.untilGoneMs, leave);
    };
    socket.on('connect', () => socket.write(bytes, () => socket.setTimeout(silence.untilEndMs).once('timeout', end)));
    socket.on('data', (data) => {
      said += data.toString('latin1');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNREFUSED' ? reject(error) : leave()));
    socket.on('close', leave);
  });
}

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Opened, Target, Usage } from './target.ts';

/** A server that does not answer, by the clock on the wall: so long that no load of the machine is taken for one. */
const patienceMs = 240_000;
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
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${patienceMs} ms`)), patienceMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export const jsonRpc: Target = {
  inputs: 15_000,
  isSteady: false,
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
  readonly error?: { readonly code?: unknown };
}

/** A server and what it says: every line must be JSON-RPC. */
function talk() {
  const server = start(['mcp']);
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
  const codes = messages.map(({ error }) => (error === undefined ? 'result' : String(error.code)));
  return [...new Set(codes)].sort().join(' ');
}

export const http: Target = {
  inputs: 10_000,
  isSteady: false,
  words: [
    'POST /mcp HTTP/1.1\r\n',
    'GET / HTTP/1.1\r\n',
    'Host: 127.0.0.1\r\n',
    'Content-Type: application/json\r\n',
    'Accept: application/json, text/event-stream\r\n',
    'Content-Length: 5\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Mcp-Session-Id: x\r\n',
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
    const server = start(['mcp', '--transport', 'http', '--port', '0', '--log-level', 'info']);
    const port = await within('the start', portOf(server.child));
    server.child.stderr?.resume();
    return {
      async check(input) {
        const said = await exchange(port, input, '127.0.0.1', quietMs);
        assert.match(said, /^(?:$|HTTP\/1\.[01] [1-5]\d\d )/, 'the answer is not HTTP');
        const status = said.slice(9, 12);
        assert.notEqual(status, '500', said.slice(0, 500));
        // Another client is served all the same.
        const good = await exchange(port, ping(port), '127.0.0.2', patienceMs);
        assert.match(good, /^HTTP\/1\.1 (?:200|4\d\d) /, `a good request was answered with ${good.slice(0, 200)}`);
        assert.equal(server.child.exitCode, null, 'the server has ended');
        return `${status} ${/"code":(-?\d+)/.exec(said)?.[1] ?? ''}`;
      },
      usage: () => server.usage(),
      close: () => server.close(),
    };
  },
};

function ping(port: number): Buffer {
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const lines = [
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
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

/** For so long an answer may fail to come to what may not even be a request. */
const quietMs = 250;

/** Sends bytes and returns what comes back until the other side closes, or says nothing more for a while. */
async function exchange(port: number, bytes: Buffer, localAddress: string, quiet: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    let said = '';
    const end = (): void => {
      socket.destroy();
      resolve(said);
    };
    socket.on('connect', () => socket.end(bytes));
    socket.on('data', (data) => {
      said += data.toString('latin1');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNREFUSED' ? reject(error) : end()));
    socket.on('close', end);
    socket.setTimeout(quiet, end);
  });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** What an engine says of itself when it can do everything. */
export const ableEngine = {
  OSType: 'linux',
  MemoryLimit: true,
  SwapLimit: true,
  PidsLimit: true,
  CpuCfsQuota: true,
  NCPU: 2,
  CgroupDriver: 'systemd',
  CgroupVersion: '2',
  SecurityOptions: ['name=seccomp,profile=builtin', 'name=cgroupns'],
};

export interface FakeEngine {
  readonly socket: string;
  readonly host: string;
  /** Method and path of every request, in order. */
  readonly requests: string[];
  /** What was sent along with those that sent something. */
  readonly bodies: string[];
  /** How many connections are open. */
  connections(): Promise<number>;
}

/** Answers a request, or gives `undefined` to leave it without an answer. */
export type Answer = (method: string, path: string) => { status?: number; body: unknown } | undefined;

/** An engine that answers what it is told to, for what no real one does on demand. */
export async function startFakeEngine(answer: Answer): Promise<FakeEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-fake-'));
  const socket = join(folder, 'engine.sock');
  const requests: string[] = [];
  const bodies: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const method = request.method ?? '';
    requests.push(`${method} ${path.replace(/\?.*$/, '')}`);
    const said = answer(method, path);
    request.setEncoding('utf8');
    request.on('data', (text: string) => bodies.push(text));
    if (said === undefined) return;
    response.writeHead(said.status ?? 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(said.body));
  });
  // The streams of a container: open, and silent.
  server.on('upgrade', (request, stream) => {
    requests.push(`${request.method} ${request.url?.replace(/\?.*$/, '')}`);
    stream.on('error', () => undefined);
    stream.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
  });
  await new Promise<void>((settle) => server.listen(socket, settle));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const connections = () =>
    new Promise<number>((settle, fail) => server.getConnections((error, open) => (error ? fail(error) : settle(open))));
  return { socket, host: `unix://${socket}`, requests, bodies, connections };
}

/** Says of itself what it is told to, and knows nothing else. */
export function engineThatSays(info: object): Promise<FakeEngine> {
  return startFakeEngine((_method, path) => {
    if (path === '/_ping') return { body: 'OK' };
    if (path.startsWith('/info')) return { body: info };
    return { status: 404, body: { message: 'no such thing' } };
  });
}

/** A container as an engine lists it, and what it tells of it where it tells anything. */
interface Listed {
  readonly Id: string;
  readonly told?: object | undefined;
}

/** Runs containers that say nothing and go on until they are removed. Those that were there before it does not remove. */
export async function engineThatRuns(before: readonly Listed[] = []): Promise<FakeEngine> {
  const answers: readonly [RegExp, () => ReturnType<Answer>][] = [
    [/^GET \/_ping/, () => ({ body: 'OK' })],
    [/^GET \/info/, () => ({ body: ableEngine })],
    [/^GET \/images\//, () => ({ body: { Id: 'sha256:1', Config: {} } })],
    [/^GET \/containers\/json/, () => ({ body: before })],
    [/^POST \/containers\/create/, () => ({ status: 201, body: { Id: 'abc' } })],
    [
      /^GET \/containers\/abc\/json/,
      () => ({ body: { ...JSON.parse(engine.bodies[0] ?? ''), State: { Running: true } } }),
    ],
    [/^POST \/containers\/abc\/start/, () => ({ status: 204, body: '' })],
    [/^DELETE \/containers\/repertoire-/, () => ({ status: 204, body: '' })],
  ];
  const engine: FakeEngine = await startFakeEngine((method, path) => {
    const listed = before.find(({ Id }) => method === 'GET' && path === `/containers/${Id}/json`);
    if (listed?.told !== undefined) return { body: listed.told };
    const [, answer] = answers.find(([pattern]) => pattern.test(`${method} ${path}`)) ?? [];
    return answer === undefined ? { status: 500, body: { message: 'it cannot' } } : answer();
  });
  return engine;
}

import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../support/listen.ts';
import { createWorld, program, type World } from '../support/world.ts';
import type { Report } from './agents.ts';

/** What the check says of a server of this kind, in the file of Codex. */
async function checked(world: World, entry: { command: string; args: readonly string[] }, more = '') {
  const lines = [`command = ${JSON.stringify(entry.command)}`, `args = ${JSON.stringify(entry.args)}`, more];
  world.write('home/.codex/config.toml', `[mcp_servers.repertoire]\n${lines.join('\n')}\n`);
  const run = await world.run(['setup', '--check', 'codex', '--json']);
  expect(run.code, run.stderr).toBeLessThanOrEqual(1);
  return run.json<Report>().checks?.[0];
}

const shell = (script: string) => ({ command: '/bin/sh', args: ['-c', script] });

/** What a server may say of itself to be listened to. */
const handshake = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'hostile', version: '1.0.0' },
};

/** A server that answers each request with what the function makes of it, once it has introduced itself. */
function server(answer: string, introduction: object = handshake) {
  const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const answer = method === 'initialize' ? { result: ${JSON.stringify(introduction)} } : (${answer})(method);
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });`;
  return { command: process.execPath, args: ['-e', script] };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** An answer as an event, in a stream that does not end. */
async function keepOpen(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, method } = JSON.parse(await text(request)) as { id?: number; method: string };
  if (id === undefined) return void response.writeHead(202).end();
  const result = method === 'initialize' ? handshake : { tools: [] };
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
}

/** One line of an answer, for as long as anybody reads it. */
function goOn(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const more = Buffer.alloc(1024 * 1024, 'x');
  const write = (): void => {
    while (response.write(more));
  };
  response.on('drain', write);
  write();
}

/** An answer that says why there is none. */
function explain(_: IncomingMessage, response: ServerResponse): void {
  const error = { code: -32000, message: 'closed on Sundays' };
  response.writeHead(400, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}

/** The address of a server that lives as long as the test. */
async function listening(answer: Answer): Promise<string> {
  return `http://127.0.0.1:${await listenOn(createServer(answer))}/mcp`;
}

describe('setup --check, against servers that', () => {
  it('write without end', async () => {
    const check = await checked(createWorld(), shell('tr "\\0" x < /dev/zero'), 'startup_timeout_sec = 60');
    expect(check?.reason).toContain('other than the protocol to stdout: an endless line');
  });

  it('end, and leave somebody behind who holds their pipes open', async () => {
    const world = createWorld();
    const left = world.path('left');
    onTestFinished(() => {
      process.kill(Number(readFileSync(left, 'utf8')));
    });
    const check = await checked(world, shell(`setsid sleep 600 & echo $! > ${left}; exit 7`));
    expect(check?.reason).toContain('ended with code 7');
  });

  it('cannot be started as their entry says', async () => {
    const world = createWorld();
    expect((await checked(world, { command: '/bin/sh', args: ['a\0b'] }))?.reason).toContain('cannot be started');
    expect((await checked(world, shell('true'), 'env = { A = "x\\u0000y" }'))?.reason).toContain('cannot be started');
    expect((await checked(world, shell('true'), 'cwd = "/nowhere"'))?.reason).toContain('in /nowhere');
  });

  it('have in their words what is a variable to other agents', async () => {
    const check = await checked(createWorld(), shell(`echo $\{NOT_SET:-nothing}$\{NOT_SET}ness >&2; exit 3`));
    expect(check?.reason).toContain('saying: nothingness');
  });

  it.each([
    ['() => ({ error: null, result: { tools: [] } })', 'no tool called skill'],
    ['() => ({ result: null })', 'other than the protocol to stdout: {"jsonrpc"'],
    [
      '() => ({ result: { tools: [null, 1, "skill"] } })',
      'does not speak the protocol (Invalid result for tools/list)',
    ],
    ['() => ({ error: "out of order" })', 'out of order'],
    ['() => ({ error: { code: 1, message: "broken" } })', 'tools/list was answered with an error: broken'],
  ])('answer %s', async (answer, reason) => {
    expect((await checked(createWorld(), server(answer)))?.reason).toContain(reason);
  });

  it('do not introduce themselves, or without a tool', async () => {
    const nameless = await checked(createWorld(), server('() => ({})', {}));
    expect(nameless?.reason).toBe('the server does not speak the protocol (Invalid result for initialize)');
    const toolless = await checked(createWorld(), server('() => ({})', { ...handshake, capabilities: {} }));
    expect(toolless?.reason).toBe('the server has no tool called skill');
  });

  it('have thousands of tools that the agent does not take', async () => {
    const tools =
      'Array.from({ length: 5000 }, (_, at) => ({ name: at === 0 ? "skill" : "t!" + at, inputSchema: { type: "object" } }))';
    const check = await checked(createWorld(), server(`() => ({ result: { tools: ${tools} } })`));
    expect(check?.reason).toContain('does not accept tools called t!1, t!2');
    expect(check?.reason?.length).toBeLessThan(300);
  });

  it.each([
    ['never answer', () => {}, 'waits'],
    ['answer with a page', (_, to) => to.end('<html>'), 'does not speak the protocol'],
    ['send their clients elsewhere', (_, to) => to.writeHead(302, { Location: '/elsewhere' }).end(), 'status 302'],
    ['answer, and keep the stream open', keepOpen, 'no tool called skill'],
    ['answer without end', goOn, 'does not stop answering'],
    ['refuse, and say why', explain, 'status 400: closed on Sundays'],
  ] satisfies [string, Answer, string][])('stand at an address, and %s', async (_, answer, reason) => {
    const world = createWorld();
    const paths: (string | undefined)[] = [];
    const url = await listening((request, response) => {
      paths.push(request.url);
      return answer(request, response);
    });
    // A busy machine may have no time to ask in two seconds; it is given more until it has asked.
    for (let seconds = reason === 'waits' ? 2 : 60; paths.length === 0; seconds *= 2) {
      const entry = `url = "${url}"\nstartup_timeout_sec = ${seconds}`;
      world.write('home/.codex/config.toml', `[mcp_servers.repertoire]\n${entry}\n`);
      const run = await world.run(['setup', '--check', '--json']);
      const expected = reason === 'waits' ? `waits ${seconds} s` : reason;
      expect(run.json<Report>().checks?.[0]?.reason).toContain(expected);
    }
    expect(new Set(paths)).toEqual(new Set(['/mcp']));
  });

  it('stand at an address, with a limit that is no time', async () => {
    const world = createWorld();
    const address = 'url = "http://127.0.0.1:9/mcp"';
    for (const limit of ['inf', '0.0005', '1e12']) {
      world.write('home/.codex/config.toml', `[mcp_servers.repertoire]\n${address}\nstartup_timeout_sec = ${limit}\n`);
      const run = await world.run(['setup', '--check', '--json']);
      expect(run.code, run.stderr).toBe(1);
    }
  });
});

describe('setup --check, in a project that others have filled', () => {
  it.each([
    ['grant', 'evil', '--all'],
    ['run', 'evil', 'tool'],
    ['serve', '--embeddings-url', 'https://example.com/take-it'],
    ['serve', '--embeddings-url=https://example.com/take-it'],
    ['serve', '--http', '--host', '0.0.0.0'],
    ['serve', '--unsafe-no-sandbox'],
  ])('does not have this program %s %s', async (...args) => {
    const world = createWorld();
    const entry = { command: process.execPath, args: [program, ...args] };
    world.writeJson('project/.cursor/mcp.json', { mcpServers: { repertoire: entry } });
    const run = await world.run(['setup', '--check', '--json']);
    expect(run.json<Report>().checks?.[0]?.reason).toContain('was not started');
  });

  it('has it serve what the person has chosen', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf');
    await world.run(['setup', 'cursor', '--project', '--skill-dir', 'more', '--no-plugins']);
    const run = await world.run(['setup', '--check', '--json']);
    expect(run.json<Report>().checks?.[0]).toMatchObject({ works: true, loaded: 'pdf' });
  });
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';

const ping = (id: number | string, more: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', ...more });
const limit = 10 * 1024 * 1024;

/** Both before the library is loaded and after. */
it.each(['opening', 'library'])('takes lines however they are cut: %s', async (when) => {
  const server = startStdio(createWorld(), ['mcp']);
  if (when === 'library') await server.request('prompts/list');
  const answers = (...ids: (number | string)[]) => Promise.all(ids.map((id) => server.next((one) => one.id === id)));

  const joined = answers(101, 102, 103);
  server.write(`${ping(101)}\n${ping(102)}\r\n\r\n \t\n${ping(103)}\n`);
  expect((await joined).map(({ result }) => result)).toEqual([{}, {}, {}]);

  const split = answers('é 😀');
  for (const byte of Buffer.from(`${ping('é 😀')}\n`)) server.write(Buffer.of(byte));
  expect((await split)[0]?.result).toEqual({});

  const halves = answers(104, 105);
  server.write(`${ping(104)}\n${ping(105).slice(0, 20)}`);
  setTimeout(() => server.write(`${ping(105).slice(20)}\n`), 50);
  expect((await halves).map(({ result }) => result)).toEqual([{}, {}]);
});

it('a last line without a line end is answered, and nothing is lost at the end of input', async () => {
  const server = startStdio(createWorld(), ['mcp']);
  const answer = server.next(({ id }) => id === 'last');
  server.write(ping('last'));
  expect(await server.end()).toBe(0);
  expect((await answer).result).toEqual({});
});

it('a message of 10 MiB is taken, and a longer one refused without ending the server', async () => {
  const server = startStdio(createWorld(), ['mcp']);
  const bare = ping(1, { params: { pad: '' } }).length;
  const exact = server.next(({ id }) => id === 1);
  server.write(`${ping(1, { params: { pad: 'x'.repeat(limit - bare) } })}\n`);
  expect((await exact).result).toEqual({});
  const refused = server.next(({ error }) => error !== undefined);
  server.write(`${ping(2, { params: { pad: 'x'.repeat(limit - bare + 1) } })}\n`);
  expect(await refused).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32600, message: `Invalid request: longer than ${limit} bytes` },
  });
  const most = (): number => {
    const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  };
  const before = most();
  // One that never ends takes no memory: 200 MiB of it are let go as they come.
  const endless = Buffer.alloc(4 * 1024 * 1024, 'y');
  for (let at = 0; at < 50; at++) {
    await new Promise<void>((resolve) => server.child.stdin?.write(endless, () => resolve()));
  }
  const again = server.next(({ error }) => error !== undefined);
  server.write('\n');
  expect((await again).error?.code).toBe(-32600);
  expect(most() - before).toBeLessThan(100);
  expect(await server.request('ping')).toEqual({});
});

it('stdout carries messages only, one per line [S1-INIT-01 S1-INIT-02 C2-STDIO-01 S4-MSG-01]', async () => {
  const world = createWorld();
  world.skill('project/skills/two-lines', { body: '\nOne\r\nTwo\u2028Three\n' });
  const server = startStdio(world, ['serve', '--log-level', 'debug']);
  server.write('garbage\n\u0000\n[]\n"text"\nnull\n{}\n');
  await server.initialize();
  await server.tools();
  expect(await server.load('two-lines')).toContain('One\r\nTwo\u2028Three\n');
  await server.ask('no/such/method');
  await server.end();
  const written = server.stdout.split('\n');
  expect(written.pop()).toBe('');
  for (const line of written) {
    const message = JSON.parse(line) as Record<string, unknown>;
    expect(message['jsonrpc']).toBe('2.0');
    expect('result' in message || 'error' in message || 'method' in message).toBe(true);
    expect(line).not.toContain('\r');
  }
  expect(server.stderr).toContain('ready: 1 skill');
});

it('a server survives malformed input on stdin, and answers what can be answered', async () => {
  const server = startStdio(createWorld(), ['serve']);
  const deep = 200_000;
  const cruel: [string | Uint8Array, number][] = [
    ['{', -32700],
    [Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), -32700], // not UTF-8
    [
      Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":"'), Buffer.of(0xc3), Buffer.from('","method":"ping"}')]),
      -32700,
    ],
    [`${'['.repeat(deep)}${']'.repeat(deep)}`, -32600],
    [`{"jsonrpc":"2.0","id":1,"method":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`, -32600],
    ['{"jsonrpc":"2.0","id":1e400,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":5}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600],
    ['{"jsonrpc":"2.0","id":1}', -32600],
  ];
  for (const [text, code] of cruel) {
    const answer = server.next(({ error }) => error !== undefined);
    server.write(text);
    server.write('\n');
    expect((await answer).error?.code, text.toString().slice(0, 100)).toBe(code);
  }
  // A field of their own making is no reason to refuse a request; nor is a prototype in it a way in.
  const lenient = server.next(({ id }) => id === 7);
  server.write('{"jsonrpc":"2.0","id":7,"method":"ping","extra":1,"__proto__":{"result":5}}\n');
  expect((await lenient).result).toEqual({});
  // Answers to questions never asked, and notifications that nobody knows, are let go.
  server.write('{"jsonrpc":"2.0","id":99,"result":{}}\n{"jsonrpc":"2.0","id":98,"error":{"code":1,"message":"no"}}\n');
  server.notify('notifications/unheard-of', { a: 1 });
  const count = server.messages.length;
  expect((await server.ask('prompts/list')).error).toBeUndefined();
  expect(server.messages.length).toBe(count + 1);
});

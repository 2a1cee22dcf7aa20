import { createServer, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listenOn } from '../support/listen.ts';
import { users, Workshop } from './workshop.ts';

/** Asks the proxy for each address, as a request or as a tunnel; and then goes around it. */
const asking = `import { request } from 'node:http';
import { connect } from 'node:net';
const [direct, ...all] = process.argv.slice(2);
const proxy = process.env.HTTP_PROXY && new URL(process.env.HTTP_PROXY);
const ask = (text) => new Promise((resolve) => {
  const tunnel = text.startsWith('CONNECT ');
  const path = tunnel ? text.slice('CONNECT '.length) : text;
  const asked = request({ host: proxy.hostname, port: proxy.port, method: tunnel ? 'CONNECT' : 'GET', path, headers: { host: 'x' } });
  asked.on('connect', (response, socket) => { socket.destroy(); resolve(response.statusCode); });
  asked.on('response', (response) => { response.resume(); resolve(response.statusCode); });
  asked.on('error', (error) => resolve(error.code));
  asked.end();
});
const around = (address) => new Promise((resolve) => {
  const [host, port] = address.split(':');
  const socket = connect({ host, port: Number(port), timeout: 1000 });
  for (const event of ['connect', 'error', 'timeout']) socket.once(event, () => { socket.destroy(); resolve(event); });
});
const answers = {};
for (const text of all) answers[text] = proxy ? await ask(text) : 'no proxy';
console.log(JSON.stringify({ answers, around: await around(direct) }));
`;

function serverOn(asked: IncomingMessage[] = []): Promise<number> {
  const server = createServer((request, response) => {
    asked.push(request);
    response.end('here');
  });
  return listenOn(server);
}

interface Asked {
  readonly answers: Readonly<Record<string, number | string>>;
  readonly around: string;
}

describe.each(users)('the network, as %s', (user) => {
  it('is the hosts that the manifest names and the operator granted: no other, no look-alike, and no way around [C4-CAP-01 S4-PERM-02 S4-RES-03]', async () => {
    const shop = new Workshop(user);
    const seen: IncomingMessage[] = [];
    const [port, other] = [await serverOn(seen), await serverOn(seen)];
    shop.skill(
      `[capabilities]
network = ["127.0.0.1:${port}", "*.example.com"]
[tools.ask]
script = "scripts/ask.mjs"
[tools.curl]
command = ["curl", "--silent", "--max-time", "5", "{url}"]
parameters = { url = { type = "string" } }
`,
      { 'scripts/ask.mjs': asking },
    );
    const granted = await shop.grant();
    expect(granted.stdout).toContain('talk to every host below example.com on any port');
    expect(granted.stdout).toContain(`talk to 127.0.0.1 on port ${port}`);
    const allowed = [`http://127.0.0.1:${port}/`, `CONNECT 127.0.0.1:${port}`];
    const refused = [
      // Another port, another address, another spelling of the same one.
      `http://127.0.0.1:${other}/`,
      `http://127.0.0.2:${port}/`,
      `http://localhost:${port}/`,
      `http://[::1]:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://2130706433:${other}/`,
      `http://127.1:${other}/`,
      // Look-alikes of what was granted, and where clouds keep their keys.
      'http://example.com/',
      'http://notexample.com/',
      'http://api.example.com.evil.org/',
      'http://api.example.com@evil.org/',
      'http://169.254.169.254/latest/meta-data/',
      'CONNECT notexample.com:443',
      `CONNECT 127.0.0.1:${other}`,
    ];
    const { stdout, denials, stderr } = await shop.result([
      'demo:ask',
      '--',
      `127.0.0.1:${port}`,
      ...allowed,
      ...refused,
    ]);
    expect(stderr).toBe('');
    const { answers, around } = JSON.parse(stdout) as Asked;
    expect(Object.entries(answers).filter(([, status]) => status === 200)).toEqual(allowed.map((one) => [one, 200]));
    // An address with a user in it is not even understood.
    expect(refused.filter((one) => answers[one] !== (one.includes('@') ? 400 : 403))).toEqual([]);
    expect(around).not.toBe('connect');
    expect(seen).toHaveLength(1);
    expect(denials.map(({ what }) => what)).toContain('network');
    expect(denials.map(({ detail }) => detail).join('\n')).toContain('notexample.com');
    // What people really use.
    const [got, not] = await Promise.all([
      shop.run(['run', 'demo:curl', '--param', `url=http://127.0.0.1:${port}/`]),
      shop.run(['run', 'demo:curl', '--param', `url=http://127.0.0.1:${other}/`]),
    ]);
    expect([got.code, got.stdout]).toEqual([0, 'here']);
    expect(not.stdout).not.toBe('here');
    expect(not.stderr).toMatch(new RegExp(`^denied: network: .*127\\.0\\.0\\.1:${other}`, 'm'));
    expect(seen).toHaveLength(2);
  });
});

describe('the network', () => {
  it('of two runs at the same time is two lists', async () => {
    const shop = new Workshop();
    const ports = await Promise.all([serverOn(), serverOn()]);
    for (const [index, port] of ports.entries()) {
      shop.skill(`[capabilities]\nnetwork = ["127.0.0.1:${port}"]\n`, { 'scripts/ask.mjs': asking }, `net-${index}`);
      await shop.grant(`net-${index}`);
    }
    const urls = ports.map((port) => `http://127.0.0.1:${port}/`);
    const all = await Promise.all(
      [0, 1, 0, 1].map((index) => shop.result([`net-${index}`, '--', '127.0.0.1:9', ...urls])),
    );
    for (const [index, { stdout }] of all.entries()) {
      const { answers } = JSON.parse(stdout) as Asked;
      expect(urls.map((url) => answers[url])).toEqual(index % 2 === 0 ? [200, 403] : [403, 200]);
    }
  });

  it('has to be named: no way to ask for all of it, or for what is no host', async () => {
    const shop = new Workshop();
    const wrong = ['"*"', '"*.com"', '"http://example.com/"', '"exa mple.com"', '"10.0.0.0/8"'];
    for (const [index, host] of wrong.entries()) {
      shop.skill(`[capabilities]\nnetwork = [${host}]\n[tools.t]\ncommand = ["true"]\n`, {}, `bad-${index}`);
    }
    const runs = await Promise.all(wrong.map((_, index) => shop.run(['grant', `bad-${index}`, '--yes'])));
    expect(runs.map(({ code }, index) => [wrong[index], code])).toEqual(wrong.map((host) => [host, 1]));
    for (const { stderr } of runs) expect(stderr).toContain('skill.toml:2');
  });
});

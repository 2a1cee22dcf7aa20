import { chmodSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostRule } from '../../src/run/policy/types.ts';
import type { RunSpec, Task } from '../../src/run/sandbox/types.ts';
import { finish, openFile, openFolder, specFor } from './contract.ts';
import { type Driver, identities, runtimeOf } from './identities.ts';

const servers: Server[] = [];

async function serverSaying(text: string): Promise<number> {
  const server = createServer((_, response) => void response.end(text));
  servers.push(server);
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

afterAll(() => {
  for (const server of servers) server.close();
});

/** Asks the proxy, as its variables say; and then the host itself, as if there were none. */
const asking = `
  use IO::Socket::INET;
  my ($proxy) = $ENV{http_proxy} =~ m{http://(.*)};
  for my $url (@ARGV) {
    my $s = IO::Socket::INET->new(PeerAddr => $proxy // "127.0.0.1:3128", Timeout => 5) or do { print "$url: no proxy\\n"; next };
    print $s "GET $url HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n"; local $/; my $t = <$s>;
    my ($status) = $t =~ m{^HTTP/1.1 (\\d+)}; my ($body) = $t =~ m{\\r\\n\\r\\n(.*)}s; $body =~ s/[^\\x20-\\x7e]//g;
    print "$url: $status $body\\n";
  }
  my ($direct) = $ARGV[0] =~ m{//([^/]*)};
  print IO::Socket::INET->new(PeerAddr => $direct, Timeout => 3) ? "DIRECT\\n" : "not direct\\n";`;

function ask(...urls: string[]): Task {
  return { kind: 'command', program: '/usr/bin/perl', args: ['-e', asking, ...urls] };
}

const loopback = (port: number): HostRule => ({ host: '127.0.0.1', below: false, port });

for (const identity of identities) {
  describe(`the network of native, as ${identity}`, () => {
    let driver: Driver;
    beforeAll(async () => {
      driver = await runtimeOf(identity);
    });
    afterAll(() => driver.close());
    const run = (task: Task, more: Partial<RunSpec>) =>
      finish(driver.runtime, specFor(task, openFolder('skill'), more));

    it('reaches what was granted through its proxy, and nothing otherwise', async () => {
      const [open, closed] = [await serverSaying('granted'), await serverSaying('not granted')];
      const urls = [`http://127.0.0.1:${open}/`, `http://127.0.0.1:${closed}/`, `http://localhost:${open}/`];
      const { stdout, outcome } = await run(ask(...urls), { network: [loopback(open)] });
      expect(stdout).toContain(`${urls[0]}: 200 granted\n`);
      expect(stdout).toContain(`${urls[1]}: 403 `);
      expect(stdout).toContain(`${urls[2]}: 403 `);
      expect(stdout).toContain('not direct\n');
      expect(outcome.reason).toBe('exited');
      expect(outcome.denials.map(({ detail }) => detail)).toEqual([
        expect.stringContaining(`127.0.0.1:${closed}`),
        expect.stringContaining(`localhost:${open}`),
      ]);
    });

    it('has no proxy where nothing was granted', async () => {
      const port = await serverSaying('not granted');
      const { stdout } = await run(ask(`http://127.0.0.1:${port}/`), {});
      expect(stdout).toBe(`http://127.0.0.1:${port}/: no proxy\nnot direct\n`);
    });

    it('keeps the lists of two runs of the same moment apart', async () => {
      const ports = await Promise.all([serverSaying('one'), serverSaying('two')]);
      const urls = ports.map((port) => `http://127.0.0.1:${port}/`);
      const both = await Promise.all(ports.map((port) => run(ask(...urls), { network: [loopback(port)] })));
      expect(both[0]?.stdout).toMatch(/: 200 one\n.*: 403 /);
      expect(both[1]?.stdout).toMatch(/: 403 .*\n.*: 200 two\n/);
    });

    it('tells programs of the proxy in every way they know', async () => {
      const task: Task = { kind: 'command', program: '/usr/bin/env', args: [] };
      const { stdout } = await run(task, { network: [loopback(9)] });
      for (const name of ['http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
        expect(stdout).toContain(`${name}=http://127.0.0.1:3128\n`);
      }
      expect(stdout).toMatch(/^NO_PROXY=$/m);
    });

    it('runs a skill that lies where others cannot go', async () => {
      const home = openFolder('home');
      mkdirSync(join(home, 'skill'));
      openFile(join(home, 'skill', 'data'), 'of the skill');
      chmodSync(home, identity === 'yourself' ? 0o700 : 0o755);
      const port = await serverSaying('granted');
      const task: Task = { kind: 'command', program: '/bin/cat', args: ['data'] };
      const spec = specFor(task, join(home, 'skill'), { folder: 'skill', network: [loopback(port)] });
      expect(await finish(driver.runtime, spec)).toMatchObject({ stdout: 'of the skill', outcome: { exitCode: 0 } });
    });
  });
}

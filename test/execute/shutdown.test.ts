import { describe, expect, it } from 'vitest';
import { openSession } from '../serve/http.ts';
import { connectStdio, type StdioServer, startHttp } from '../support/mcp.ts';
import type { World } from '../support/world.ts';
import { asleep, auditOf, callOf, gone, lab, longSleep } from './library.ts';

/** Ends a server in one of the ways there are, with a run under way. */
async function ended(
  world: World,
  server: StdioServer,
  begin: (seconds: string) => void,
  end: () => void,
): Promise<void> {
  const seconds = longSleep();
  begin(seconds);
  await asleep(seconds);
  end();
  expect(await server.exited).toBe(0);
  await gone(seconds);
  expect(await auditOf(world)).toMatchObject([{ result: 'cancelled', tool: 'sleep' }]);
  expect((await world.run(['audit', 'verify'])).code).toBe(0);
}

describe('a server that ends with a run under way', () => {
  it.each([
    ['SIGTERM', (server: StdioServer) => server.child.kill('SIGTERM')],
    ['SIGINT', (server: StdioServer) => server.child.kill('SIGINT')],
    ['the end of its input', (server: StdioServer) => server.child.stdin?.end()],
    ['the wish of its client', (server: StdioServer) => server.send({ id: 99, method: 'shutdown' })],
  ])('over stdio by %s kills it, writes its record and leaves with 0', async (_how, end) => {
    const world = lab({ sleep: 'exec sleep "$1"' });
    const server = await connectStdio(world, ['serve']);
    const begin = (seconds: string) => server.send({ id: 1, method: 'tools/call', params: callOf('sleep', seconds) });
    await ended(world, server, begin, () => end(server));
  });

  it('over HTTP does the same', async () => {
    const world = lab({ sleep: 'exec sleep "$1"' });
    const { url, process } = await startHttp(world);
    const session = await openSession(url);
    const begin = (seconds: string) => void session.ask('tools/call', callOf('sleep', seconds)).catch(() => {});
    await ended(world, process, begin, () => process.child.kill('SIGTERM'));
  });

  it('does the same with a job, which is then lost or done, and never running', async () => {
    const world = lab({ sleep: 'exec sleep "$1"' });
    const server = await connectStdio(world, ['serve', '--detach-after', '200']);
    await ended(
      world,
      server,
      (seconds) => server.send({ id: 1, method: 'tools/call', params: callOf('sleep', seconds) }),
      () => server.child.kill('SIGTERM'),
    );
    const { jobs } = (await world.run(['jobs', '--json'])).json<{ jobs: { state: string }[] }>();
    expect(jobs.map(({ state }) => state)).not.toContain('running');
  });
});

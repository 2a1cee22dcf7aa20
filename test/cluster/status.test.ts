import { describe, expect, it } from 'vitest';
import type { MembersOutput } from '../../src/engine/operations/machine/members.ts';
import { Workshop } from '../run/workshop.ts';
import { startHttp } from '../support/mcp.ts';
import { type NatsCluster, startNats } from '../support/nats.ts';
import { shTool, startTestWorker } from './team.ts';

async function statusOf({ url }: NatsCluster): Promise<MembersOutput> {
  return (await new Workshop().run(['cluster', 'status', '--cluster', url, '--json'])).json();
}

describe('repertoire cluster status', () => {
  it('tells of servers, how far they are behind, and of those that were lost', async () => {
    const nats = await startNats(3);
    const shop = new Workshop();
    const server = await startHttp(shop.world, ['serve', '--http', '--cluster', nats.url]);
    await expect.poll(async () => (await statusOf(nats)).servers).toMatchObject([{ state: 'ready', lag: 0 }]);
    shop.skill(shTool('hello', 'echo hello'));
    await shop.run(['publish', 'demo', '--to', nats.url]);
    await expect
      .poll(() => statusOf(nats))
      .toMatchObject({
        catalogue: { revision: 1, copies: [{ leads: true }, { leads: false, lag: 0 }, { leads: false, lag: 0 }] },
        servers: [{ state: 'ready', lag: 0, channel: 'stable', heartbeat: expect.any(String), queues: [] }],
      });
    await shop.run(['run', 'demo:hello']);
    await expect
      .poll(async () => (await statusOf(nats)).chains)
      .toMatchObject([{ node: expect.any(String), host: expect.any(String), last: shop.records().length }]);
    server.process.child.kill('SIGKILL');
    await server.process.exited;
    expect((await statusOf(nats)).servers).toMatchObject([{ state: 'lost', pid: server.process.child.pid }]);
    const { stdout } = await shop.run(['cluster', 'status', '--cluster', nats.url]);
    expect(stdout).toMatch(
      /3 nodes, 1 server, 0 workers, revision 1\n[\s\S]* lost for \S+ \w+ server \d+, stable[\s\S]* audit log of \S+ \w{12} up to record \d+\n/,
    );
  });

  it('forgets whoever left in peace', async () => {
    const nats = await startNats();
    const worker = await startTestWorker(nats, 'one');
    const server = await startHttp(new Workshop().world, ['serve', '--http', '--cluster', nats.url]);
    await expect
      .poll(async () => (await statusOf(nats)).servers)
      .toMatchObject([{ state: 'ready', heartbeat: expect.any(String) }]);
    expect((await statusOf(nats)).workers).toMatchObject([{ name: 'one', state: 'ready' }]);
    worker.child.kill('SIGTERM');
    server.process.child.kill('SIGTERM');
    await Promise.all([worker.ended, server.process.exited]);
    expect(await statusOf(nats)).toMatchObject({ servers: [], workers: [] });
  });

  it('says no time since when somebody is lost where the clocks differ', async () => {
    const nats = await startNats();
    const worker = await startTestWorker(nats, 'one');
    await expect.poll(async () => (await statusOf(nats)).workers).toMatchObject([{ heartbeat: expect.any(String) }]);
    worker.child.kill('SIGKILL');
    await worker.ended;
    const shop = new Workshop();
    const late = shop.world.write('late.cjs', 'const { now } = Date;\nDate.now = () => now() - 600_000;\n');
    const { stdout } = await shop.run(['cluster', 'status', '--cluster', nats.url], {
      NODE_OPTIONS: `--require ${late}`,
    });
    expect(stdout).toMatch(/ one lost 0 of \d+ /);
  });
});

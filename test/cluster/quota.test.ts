import { describe, expect, it, onTestFinished } from 'vitest';
import { openCluster } from '../../src/cluster/connection.ts';
import { createQuota, type Quota } from '../../src/cluster/workers/quota.ts';
import { type NatsCluster, startNats } from '../support/nats.ts';
import { environmentIn } from '../support/place.ts';
import { createWorld } from '../support/world.ts';

const never = new AbortController().signal;

/** The quota as a server of its own sees it. */
function serverOf({ url }: NatsCluster, most: number): Quota {
  const settings = { cluster: url, clusterName: 'repertoire', clusterCredentials: undefined, clusterCa: undefined };
  const cluster = openCluster({ ...settings, offline: false }, environmentIn(createWorld().root));
  onTestFinished(() => cluster.close());
  return createQuota(cluster, most);
}

describe('the executions that one user may have under way', () => {
  it('are counted on all servers together, and for each user', async () => {
    const nats = await startNats();
    const [one, two] = [serverOf(nats, 2), serverOf(nats, 2)];
    const [first] = await Promise.all([one.enter('ann', 'x', never), two.enter('ann', 'y', never)]);
    await expect(two.enter('ann', 'x', never)).rejects.toMatchObject({
      code: 'busy',
      message: '2 executions of ann are under way, which is the most at once',
    });
    (await two.enter('bob', 'x', never))();
    first();
    (await two.enter('ann', 'x', never))();
  });

  it('wait for one another, and are never more, however many come at once', async () => {
    const nats = await startNats();
    const servers = [serverOf(nats, 2), serverOf(nats, 2)];
    let [running, most] = [0, 0];
    const work = async (server: Quota): Promise<void> => {
      const leave = await server.enter('ann', 'x', never);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      leave();
    };
    await Promise.all([...servers, ...servers, ...servers, ...servers].map(work));
    expect(most).toBeLessThanOrEqual(2);
    expect(most).toBeGreaterThan(0);
  });

  it('give up their turn with their caller', async () => {
    const nats = await startNats();
    const server = serverOf(nats, 1);
    const leave = await server.enter('ann', 'x', never);
    const leaving = new AbortController();
    const waiting = server.enter('ann', 'x', leaving.signal);
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    leave();
    (await server.enter('ann', 'x', never))();
  });
});

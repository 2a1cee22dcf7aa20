import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Workshop } from '../run/workshop.ts';
import { startNats } from '../support/nats.ts';
import { shTool, startTestWorker, TestCaller } from './team.ts';

/** A cluster of one node with two accounts: one without JetStream, and one in which a user may read and another write. */
async function startAccounts(shop: Workshop) {
  const kept = ['$KV.repertoire-catalogue.>', '$KV.repertoire-quarantine.>', '$O.repertoire-bundles.>'];
  const config = shop.world.write(
    'nats.conf',
    `accounts {
      team: { jetstream: enabled, users: [
        { user: writer, password: word }
        { user: reader, password: word, permissions: { publish: { deny: ${JSON.stringify(kept)} } } }
      ] }
      other: { users: [{ user: stranger, password: word }] }
    }\n`,
  );
  const nats = await startNats(1, ['-c', config]);
  const as = (user: string): readonly string[] => {
    const file = shop.world.write(`${user}.txt`, `${user}:word\n`);
    return ['--cluster', nats.url, '--cluster-credentials', file];
  };
  return { ...nats, as };
}

describe('what a cluster refuses', () => {
  it('is told in plain words where an account may only read', async () => {
    const shop = new Workshop();
    const { url, as } = await startAccounts(shop);
    shop.skill(shTool('hello', 'echo hello'));
    expect(await shop.run(['publish', 'demo', '--to', url, ...as('reader')])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^error: the cluster does not allow this account to do that \(Permissions Violation .*\)\nName the credentials/,
      ),
    });
    expect((await shop.run(['publish', 'demo', '--to', url, ...as('writer')])).code).toBe(0);
    expect((await shop.run(['cluster', 'list', ...as('reader')])).stdout).toContain('demo');
    expect(await shop.run(['cluster', 'remove', 'demo', ...as('reader')])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error: the cluster does not allow'),
    });
  });

  it.each([
    ['cluster', 'list'],
    ['cluster', 'status'],
  ])('is everything that needs JetStream, for an account without: %s %s', async (...command) => {
    const shop = new Workshop();
    const { as } = await startAccounts(shop);
    expect(await shop.run([...command, ...as('stranger')])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/error: the cluster cannot keep anything .*\nStart its nodes with JetStream/),
    });
  });

  it('is said by a node without JetStream', async () => {
    const shop = new Workshop();
    const { url } = await startNats(1, ['-js=false', '--user', 'ann', '--pass', 'word']);
    const file = shop.world.write('ann.txt', 'ann:word\n');
    shop.skill(shTool('hello', 'echo hello'));
    const { code, stderr } = await shop.run(['publish', 'demo', '--to', url, '--cluster-credentials', file]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('error: the cluster cannot keep anything')]);
  });
});

describe('a cluster that may store no more', () => {
  it('says so, and its workers go on', async () => {
    const shop = new Workshop();
    shop.skill('');
    const config = shop.world.write('nats.conf', 'jetstream { max_file_store: 1MB }\n');
    const nats = await startNats(1, ['-c', config]);
    const worker = await startTestWorker(nats, 'one');
    const caller = new TestCaller(nats);
    caller.shop.skill(shTool('hello', 'echo hello'));
    expect(await caller.result('demo:hello')).toMatchObject({ reason: 'exited' });
    shop.world.write('project/skills/demo/large.bin', randomBytes(2_000_000));
    expect(await shop.run(['publish', 'demo', '--to', nats.url])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/error: the cluster has no room left \(insufficient resources\)\nGive JetStream/),
    });
    expect(await caller.result('demo:hello')).toMatchObject({ reason: 'exited', stdout: 'hello\n' });
    await expect
      .poll(() => worker.log)
      .toContain('audit records wait to be sent to the cluster: insufficient resources');
    expect(await caller.result('demo:hello')).toMatchObject({ reason: 'exited', stdout: 'hello\n' });
  });
});

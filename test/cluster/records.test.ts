import { createPublicKey } from 'node:crypto';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { describe, expect, it } from 'vitest';
import type { ClusterChains, NodeChain } from '../../src/cluster/records/chains.ts';
import type { VerifyResult } from '../../src/engine/operations/running/audit.ts';
import { Log } from '../audit/log.ts';
import { endOf, startOf } from '../audit/records.ts';
import { Workshop } from '../run/workshop.ts';
import { type NatsCluster, startNats } from '../support/nats.ts';
import { shTool, startTeam, startTestWorker, TestCaller } from './team.ts';

type Verified = VerifyResult & { readonly chains: ClusterChains };

/** The verdict on a cluster, as somebody gets it who has no part in it. */
async function verify({ url }: Pick<NatsCluster, 'url'>): Promise<ClusterChains & { readonly code: number }> {
  const run = await new Workshop().run(['audit', 'verify', '--json', '--cluster', url]);
  return { ...run.json<Verified>().chains, code: run.code };
}

/** Waits until the cluster has all records of a machine, and returns how it stands with them. */
async function chainOf(nats: NatsCluster, shop: Workshop): Promise<NodeChain> {
  const { last, key } = (await shop.run(['audit', 'verify', '--json'])).json<VerifyResult>();
  let chain: NodeChain | undefined;
  await expect
    .poll(
      async () => {
        chain = (await verify(nats)).nodes.find(({ node }) => node === key);
        return chain?.last?.hash;
      },
      { timeout: 20_000 },
    )
    .toBe(last?.hash);
  return chain as NodeChain;
}

const state = (shop: Workshop): string => shop.world.path('home/.local/state/repertoire');

function linesOf(shop: Workshop): string[] {
  return readFileSync(`${state(shop)}/audit/audit.jsonl`, 'utf8')
    .trimEnd()
    .split('\n');
}

/** A machine with a few records in its log. */
async function machineWithRecords(runs: number): Promise<Workshop> {
  const shop = new Workshop();
  shop.skill(shTool('say', 'echo out'));
  for (let at = 0; at < runs; at++) expect((await shop.run(['run', 'demo:say'])).code).toBe(0);
  return shop;
}

describe('the records of a cluster', () => {
  it('are kept of every server and worker, in three copies, and are still there without one node', async () => {
    const nats = await startNats(3);
    const worker = await startTestWorker(nats, 'one');
    const caller = new TestCaller(nats);
    caller.shop.skill(shTool('say', 'echo out'));
    const server = await caller.serve();
    await server.call('skill-engine/execute', { skill_name: 'demo', tool_name: 'say', parameters: {} });
    await nats.nodes[1]?.kill();
    const chains = [await chainOf(nats, worker.shop), await chainOf(nats, caller.shop)];
    for (const chain of chains) expect(chain).toMatchObject({ faults: [], host: expect.any(String) });
    expect(await verify(nats)).toMatchObject({ ok: true, code: 0, copies: 3 });
    const { stdout } = await worker.shop.run(['audit', 'verify', '--cluster', nats.url]);
    expect(stdout).toContain('2 nodes, 3 copies of each record');
  });

  it('are sent later where the cluster was away or the server dead, each once, whoever wrote them', async () => {
    const nats = await startNats();
    const shop = await machineWithRecords(1);
    const worker = await startTestWorker(nats, 'one', [], shop);
    await startTestWorker(nats, 'two', [], shop);
    await chainOf(nats, shop);
    await nats.nodes[0]?.kill();
    expect((await shop.run(['run', 'demo:say'])).code).toBe(0);
    worker.child.kill('SIGKILL');
    await worker.ended;
    expect((await shop.run(['run', 'demo:say'])).code).toBe(0);
    await nats.nodes[0]?.start();
    expect(await chainOf(nats, shop)).toMatchObject({ records: linesOf(shop).length, faults: [] });
    const sent = await messagesIn(nats);
    expect(sent.flatMap(({ lines }) => lines)).toEqual(linesOf(shop));
  });

  it('have everything that a worker did when it has left', async () => {
    const { nats, worker, caller } = await startTeam();
    caller.shop.skill(shTool('say', 'echo out'));
    await caller.result('demo:say');
    worker.child.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    const { nodes } = await verify(nats);
    const ended = worker.shop.records().find(({ event }) => event === 'end');
    expect(nodes[0]?.last?.seq).toBeGreaterThanOrEqual(ended?.seq ?? Number.POSITIVE_INFINITY);
  });

  it('show the fork where a log was put back and written anew', async () => {
    const nats = await startNats();
    const shop = await machineWithRecords(1);
    const before = shop.world.path('before');
    cpSync(state(shop), before, { recursive: true });
    const first = await startTestWorker(nats, 'one', [], shop);
    expect((await shop.run(['run', 'demo:say'])).code).toBe(0);
    const { last } = await chainOf(nats, shop);
    first.child.kill('SIGKILL');
    await first.ended;
    rmSync(state(shop), { recursive: true });
    cpSync(before, state(shop), { recursive: true });
    for (let at = 0; at < 3; at++) expect((await shop.run(['run', 'demo:say'])).code).toBe(0);
    expect((await shop.run(['audit', 'verify'])).code).toBe(0); // nobody would see it here
    await startTestWorker(nats, 'one', [], shop);
    const { faults } = await chainOf(nats, shop);
    expect(faults[0]).toMatchObject({ why: 'fork', seq: 3, message: 'more than one record follows record 2' });
    expect(faults.every(({ why }) => why === 'fork')).toBe(true);
    expect(last?.seq).toBeGreaterThan(2);
    expect(await verify(nats)).toMatchObject({ ok: false, code: 1 });
  });

  it('cannot be taken out of the cluster one by one', async () => {
    const nats = await startNats();
    const shop = await machineWithRecords(1);
    await startTestWorker(nats, 'one', [], shop);
    await chainOf(nats, shop);
    const { streams } = await jetstreamManager(await nats.connect());
    await expect(streams.deleteMessage('repertoire-records', 1)).rejects.toThrow();
    await expect(streams.purge('repertoire-records')).rejects.toThrow();
  });

  it('are not verified where the cluster is away, and the log of this machine is all the same', async () => {
    const nats = await startNats();
    await nats.nodes[0]?.kill();
    const shop = await machineWithRecords(1);
    const run = await shop.run(['audit', 'verify', '--cluster', nats.url]);
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/^intact.*broken {2}cluster repertoire: the cluster \S+ cannot be reached/s);
  });
});

interface Message {
  readonly format: number;
  readonly host: string;
  readonly key: string;
  readonly lines: readonly string[];
}

/** All messages of the stream, as they were sent. */
async function messagesIn(nats: NatsCluster): Promise<readonly Message[]> {
  const { streams } = await jetstreamManager(await nats.connect());
  const { state } = await streams.info('repertoire-records');
  const found = Array.from({ length: state.messages }, async (_, at) => {
    const message = await streams.getMessage('repertoire-records', { seq: at + 1 });
    return message?.json<Message>();
  });
  return (await Promise.all(found)).filter((one) => one !== undefined);
}

describe('records that somebody else has put into the cluster', () => {
  /** Sends lines in the name of a machine, as anybody with access to the cluster can. */
  async function sentBy(change: (lines: string[]) => readonly string[], more: Partial<Message> = {}) {
    const nats = await startNats();
    const log = signedLog();
    const { key: node } = await log.verify();
    await verify(nats); // makes the stream
    const message = { format: 1, host: 'machine', key: publicKeyOf(log), lines: change(log.lines()), ...more };
    await jetstream(await nats.connect()).publish(`repertoire.records.${node}`, JSON.stringify(message));
    const { nodes, code } = await verify(nats);
    expect(code).toBe(nodes[0]?.faults.length === 0 ? 0 : 1);
    return nodes.flatMap(({ faults }) => faults.map(({ why, seq }) => [why, seq]));
  }

  it('are in order where they are what the machine has written', async () => {
    expect(await sentBy((lines) => lines)).toEqual([]);
  });

  it.each<[string, (lines: string[]) => readonly string[], unknown]>([
    ['lack one', (lines) => lines.toSpliced(1, 1), [['gap', 2]]],
    ['lack the first ones', (lines) => lines.slice(2), [['gap', 2]]],
    [
      'were edited',
      ([first = '', ...others]) => [first.replace('start', 'stort'), ...others],
      [
        ['edited', 1],
        ['gap', 1],
      ],
    ],
    [
      'are no records',
      (lines) => [...lines, 'null', '[]'],
      [
        ['edited', null],
        ['edited', null],
      ],
    ],
  ])('are named where they %s', async (_, change, faults) => {
    expect(await sentBy(change)).toEqual(faults);
  });

  it('are named where they have the key of somebody else, or were signed by somebody else', async () => {
    expect(await sentBy((lines) => lines, { key: publicKeyOf(signedLog()) })).toContainEqual(['signature', null]);
    expect(await sentBy(() => signedLog().lines())).toEqual([['signature', 5]]);
  });

  it('are named where nothing of ours is in them', async () => {
    expect(await sentBy(() => [], { format: 2 })).toEqual([['edited', null]]);
  });
});

/** The log of a machine with two executions, which it has signed. */
function signedLog(): Log {
  const log = new Log();
  const audit = log.open();
  for (const id of ['one', 'two']) {
    audit.start(startOf(id));
    audit.end(endOf(id));
  }
  audit.close();
  return log;
}

function publicKeyOf({ key }: Log): string {
  return createPublicKey(readFileSync(key)).export({ type: 'spki', format: 'pem' }) as string;
}

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { describe, expect, it } from 'vitest';
import { processesWith, type Started, Workshop } from '../run/workshop.ts';
import { startNats } from '../support/nats.ts';
import { shTool, startTeam, startTestWorker, TestCaller, type TestWorker } from './team.ts';

/** A time that no other program sleeps for. */
const long = `47.${process.pid}1`;

describe('an execution on a worker', () => {
  it('gives what it gives here, and leaves a record on both machines', async () => {
    const { worker, caller } = await startTeam();
    caller.shop.skill(
      shTool('say', 'echo out; echo err >&2; cat words.txt; exit 3') + shTool('fill', 'head -c 3000000 /dev/zero'),
      { 'words.txt': 'of the skill\n' },
    );
    for (const tool of ['say', 'fill']) {
      const local = await caller.shop.result([`demo:${tool}`]);
      const remote = await caller.result(`demo:${tool}`);
      const { id: _, durationMs: __, ...same } = local;
      expect(remote).toMatchObject(same);
    }
    const [start, end] = worker.shop.records().filter((record) => 'tool' in record && record.tool === 'say');
    const [own] = caller.shop.records().filter((record) => record.event === 'end' && 'worker' in record);
    expect(start).toMatchObject({ event: 'start', by: 'cli', worker: 'one', server: expect.any(String) });
    expect(end).toMatchObject({ event: 'end', result: 'exited', exitCode: 3, worker: 'one' });
    expect(own).toMatchObject({ worker: 'one', id: end !== undefined && 'id' in end ? end.id : '' });
    expect((await worker.shop.run(['audit', 'verify'])).code).toBe(0);
  });

  it('takes parameters that are too long for a message', async () => {
    const { caller } = await startTeam();
    caller.shop.skill('', { 'scripts/count.sh': 'wc -c\n' });
    const { ended } = caller.shop.start(['run', 'demo:count', '--stdin'], {
      env: caller.env,
      stdin: 'ä'.repeat(900_000),
    });
    expect((await ended).stdout.trim()).toBe('1800000');
  });

  it('runs what somebody has published, on a server that has nothing of its own', async () => {
    const nats = await startNats();
    await startTestWorker(nats, 'one');
    const [author, caller] = [new Workshop(), new TestCaller(nats)];
    author.skill(shTool('hello', 'echo published'));
    expect((await author.run(['publish', 'demo', '--to', nats.url])).code).toBe(0);
    expect(await caller.result('demo:hello')).toMatchObject({ reason: 'exited', stdout: 'published\n' });
    const here = { REPERTOIRE_CLUSTER: nats.url };
    expect((await caller.shop.run(['run', 'demo:hello'], here)).stderr).toContain('are not run here');
  });

  it('shows output before its end, and ends with all of its processes when it is cancelled', async () => {
    const { worker, caller } = await startTeam();
    caller.shop.skill(shTool('wait', `echo begun; sleep ${long}`));
    const run = caller.start('demo:wait');
    await run.until('begun');
    await expect.poll(() => processesWith(long)).toBeGreaterThan(0);
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect(processesWith(long)).toBe(0);
    expect(worker.shop.records().at(-1)).toMatchObject({ event: 'end', result: 'cancelled' });
  });

  it('goes on without its server once it is a job', async () => {
    const { worker, caller } = await startTeam();
    caller.shop.skill(shTool('long', 'sleep 12; echo done') + shTool('short', 'sleep 2'));
    const server = await caller.serve('--detach-after', '500');
    const call = (tool: string) =>
      server.call('skill-engine/execute', { skill_name: 'demo', tool_name: tool, parameters: {} });
    await call('long');
    // Meanwhile the worker is told that the first one is a job.
    await call('short');
    await expect.poll(() => worker.shop.records().filter(({ event }) => event === 'end')).toHaveLength(1);
    server.child.kill('SIGKILL');
    await expect
      .poll(() => worker.shop.records().at(-1))
      .toMatchObject({ event: 'end', tool: 'long', result: 'exited', exitCode: 0 });
  });

  it('ends when its caller is gone', async () => {
    const { worker, caller } = await startTeam();
    caller.shop.skill(shTool('wait', `echo begun; sleep ${long}`));
    const run = caller.start('demo:wait');
    await run.until('begun');
    run.child.kill('SIGKILL');
    await expect.poll(() => worker.shop.records().at(-1)).toMatchObject({ event: 'end', result: 'cancelled' });
    expect(processesWith(long)).toBe(0);
  });
});

describe('a worker that is killed', () => {
  const counted = (place: string, more = ''): string =>
    `[capabilities]\nfilesystem = { write = ["${place}"] }\n${shTool(
      'count',
      `mktemp ${place}/run.XXXXXX; echo begun; while [ ! -e ${place}/go ]; do sleep 0.05; done; echo done`,
      more,
    )}`;

  it('is an error for the caller, and nothing is run a second time', async () => {
    const nats = await startNats();
    const [one, two] = [await startTestWorker(nats, 'one'), await startTestWorker(nats, 'two')];
    const caller = new TestCaller(nats);
    const place = caller.shop.place('here');
    caller.shop.skill(counted(place));
    await caller.shop.grant();
    await grantAt(caller, [one, two]);
    const run = caller.start('demo:count', '--json');
    await expect.poll(() => runsIn(place)).toBe(1);
    for (const { child, shop } of [one, two]) if (shop.records().some(isStart)) child.kill('SIGKILL');
    const result = (await run.ended).json<{ reason: string; message: string; hint: string }>();
    expect(result).toMatchObject({
      reason: 'worker_lost',
      message: expect.stringMatching(/the worker (one|two) was lost/),
    });
    expect(runsIn(place)).toBe(1);
    expect([...one.shop.records(), ...two.shop.records()].filter(isStart)).toHaveLength(1);
  });

  it('is followed by another where the tool may be run again', async () => {
    const nats = await startNats();
    const [one, two] = [await startTestWorker(nats, 'one'), await startTestWorker(nats, 'two')];
    const caller = new TestCaller(nats);
    const place = caller.shop.place('here');
    caller.shop.skill(counted(place, 'idempotent = true'));
    await caller.shop.grant();
    await grantAt(caller, [one, two]);
    const run = caller.start('demo:count', '--json');
    await expect.poll(() => runsIn(place)).toBe(1);
    for (const { child, shop } of [one, two]) if (shop.records().some(isStart)) child.kill('SIGKILL');
    await expect.poll(() => runsIn(place)).toBe(2);
    writeFileSync(join(place, 'go'), '');
    expect((await run.ended).json()).toMatchObject({
      reason: 'exited',
      exitCode: 0,
      stdout: expect.stringMatching(/^\S+\nbegun\ndone\n$/),
    });
  });

  it('is followed by another of the same name, as one that is started in its place', async () => {
    const nats = await startNats();
    const shop = new Workshop();
    const one = await startTestWorker(nats, 'one', [], shop);
    const caller = new TestCaller(nats);
    const place = caller.shop.place('here');
    caller.shop.skill(counted(place, 'idempotent = true'));
    await caller.shop.grant();
    await grantAt(caller, [one]);
    const run = caller.start('demo:count', '--json');
    await expect.poll(() => runsIn(place)).toBe(1);
    await startTestWorker(nats, 'one', [], shop);
    one.child.kill('SIGKILL');
    await expect.poll(() => runsIn(place)).toBe(2);
    writeFileSync(join(place, 'go'), '');
    expect((await run.ended).json()).toMatchObject({ reason: 'exited', exitCode: 0 });
  });

  /** How often it was run, by what each run has left there. */
  const runsIn = (place: string): number => readdirSync(place).filter((name) => name.startsWith('run.')).length;

  const isStart = (record: { event: string }): boolean => record.event === 'start';

  /** Grants the skill on all workers, each of which has its files once it was offered it. */
  async function grantAt(caller: TestCaller, workers: readonly TestWorker[]): Promise<void> {
    let folders: readonly string[] = [];
    await expect
      .poll(async () => {
        const { digest } = await caller.result('demo:count');
        folders = workers.map(({ shop }) => shop.state(`get/skills/${digest.replace('sha256:', '')}`));
        return folders.every((folder) => existsSync(folder));
      })
      .toBe(true);
    for (const [at, { shop }] of workers.entries()) await shop.grant(folders[at]);
  }
});

describe('a worker whose own thread is busy', () => {
  /** A module that keeps the thread which has loaded it busy for some seconds, when the process is told to. */
  const busyFor = (shop: Workshop, seconds: number): Readonly<Record<string, string>> => {
    const cell = 'new Int32Array(new SharedArrayBuffer(4))';
    const wait = `process.on('SIGUSR2', () => Atomics.wait(${cell}, 0, 0, ${seconds * 1000}))`;
    const file = shop.world.write('busy.cjs', `if (require('worker_threads').isMainThread) ${wait};\n`);
    return { NODE_OPTIONS: `--require ${file}` };
  };

  /** Has a worker busy for so long while it runs something that takes as long, and gives what the caller is told. */
  async function toldAfter(seconds: number): Promise<Awaited<Started['ended']>> {
    const nats = await startNats();
    const shop = new Workshop();
    const worker = await startTestWorker(nats, 'one', [], shop, busyFor(shop, seconds));
    const caller = new TestCaller(nats);
    caller.shop.skill(shTool('wait', 'echo begun; sleep 4; echo done'));
    const run = caller.start('demo:wait', '--json');
    await expect.poll(() => worker.shop.records().length).toBe(1);
    worker.child.kill('SIGUSR2');
    return run.ended;
  }

  /** A worker that is busy for so long, and a caller who comes meanwhile. */
  async function meanwhile(seconds: number) {
    const nats = await startNats();
    const shop = new Workshop();
    const worker = await startTestWorker(nats, 'one', ['--concurrency', '1'], shop, busyFor(shop, seconds));
    const caller = new TestCaller(nats);
    caller.shop.skill(shTool('say', 'echo here'));
    worker.child.kill('SIGUSR2');
    return { worker, caller };
  }

  it('is waited for by whoever has something to run, which is run once', async () => {
    const { worker, caller } = await meanwhile(5);
    expect(await caller.result('demo:say')).toMatchObject({ reason: 'exited', stdout: 'here\n' });
    expect(worker.shop.records().filter(({ event }) => event === 'start')).toHaveLength(1);
  });

  it('is not there for them if that does not end', async () => {
    const { caller } = await meanwhile(3600);
    expect(await caller.result('demo:say')).toMatchObject({
      reason: 'no_worker',
      message: 'no worker runs native: there is none at all',
    });
  });

  it('is busy where its signs of life go on and it answers no offer', async () => {
    const nats = await startNats();
    const shop = new Workshop();
    // The other thread goes on hearing of this one, as where one long text after the other is read.
    const file = shop.world.write(
      'busy.cjs',
      `const { store } = Atomics;
      const idle = new Int32Array(new SharedArrayBuffer(4));
      let heard;
      Atomics.store = (cell, at, value) => {
        if (cell instanceof BigInt64Array) heard = cell;
        return store(cell, at, value);
      };
      if (require('worker_threads').isMainThread) process.on('SIGUSR2', () => {
        for (;;) {
          store(heard, 0, process.hrtime.bigint() - 1_000_000_000n);
          Atomics.wait(idle, 0, 0, 100);
        }
      });\n`,
    );
    const worker = await startTestWorker(nats, 'one', [], shop, { NODE_OPTIONS: `--require ${file}` });
    const caller = new TestCaller(nats);
    caller.shop.skill(shTool('say', 'echo here'));
    worker.child.kill('SIGUSR2');
    expect(await caller.result('demo:say')).toMatchObject({
      reason: 'busy',
      message: '1 worker for native had no room for 10 s',
      hint: expect.stringContaining('Nothing was run.'),
    });
    expect(worker.shop.records()).toEqual([]);
  });

  it('is there for whoever asks for the workers', async () => {
    const { caller } = await meanwhile(3600);
    const status = async (): Promise<unknown> =>
      JSON.parse((await caller.shop.run(['cluster', 'status', '--json'], caller.env)).stdout);
    await expect.poll(status).toMatchObject({ workers: [{ name: 'one', state: 'ready' }] });
  });

  it('is not taken for lost', async () => {
    expect((await toldAfter(4)).json()).toMatchObject({ reason: 'exited', stdout: 'begun\ndone\n' });
  });

  it('is lost if that does not end', async () => {
    expect((await toldAfter(3600)).json()).toMatchObject({ reason: 'worker_lost' });
  });
});

describe('what a worker refuses', () => {
  it('is what was not granted there, whatever the server has granted', async () => {
    const { worker, caller } = await startTeam();
    const place = caller.shop.place('secret');
    caller.shop.skill(`[capabilities]\nfilesystem = { read = ["${place}"] }\n${shTool('read', `cat ${place}/secret`)}`);
    await caller.shop.grant();
    expect(await caller.shop.result(['demo:read'])).toMatchObject({ reason: 'exited', stdout: 'text of secret\n' });
    const refused = await caller.result('demo:read');
    expect(refused).toMatchObject({ reason: 'denied', stdout: '', message: expect.stringContaining('one: ') });
    const [, folder = ''] = /On one: Run: repertoire grant (\S+)/.exec(refused.hint ?? '') ?? [];
    expect(worker.shop.records().at(-1)).toMatchObject({ event: 'end', result: 'denied' });
    await worker.shop.grant(folder);
    expect(await caller.result('demo:read')).toMatchObject({ reason: 'exited', stdout: 'text of secret\n' });
  });

  it('is a skill whose files are not those of its digest', async () => {
    const { nats, worker, caller } = await startTeam();
    caller.shop.skill(shTool('hello', 'echo hello'));
    const server = await caller.serve();
    const call = () => server.call('skill-engine/execute', { skill_name: 'demo', tool_name: 'hello', parameters: {} });
    expect((await call()).structuredContent).toMatchObject({ exit_reason: 'exited' });
    // Somebody puts other files in the place of the right ones, and a worker comes that has neither.
    caller.shop.skill(shTool('hello', 'echo hacked'), {}, 'other');
    await caller.result('other:hello');
    const [{ digest }, other] = [await caller.shop.result(['demo:hello']), await caller.shop.result(['other:hello'])];
    const store = await new Objm(await nats.connect()).open('repertoire-bundles');
    const bytes = await store.getBlob(other.digest);
    if (bytes === null) throw new Error('the bundle is not there');
    await store.putBlob({ name: digest }, bytes);
    const second = await startTestWorker(nats, 'two');
    worker.child.kill('SIGKILL');
    await worker.ended;
    expect((await call()).structuredContent).toMatchObject({ exit_reason: 'denied', stdout: '' });
    expect(second.shop.records().at(-1)).toMatchObject({ event: 'end', result: 'engine_error' });
  });

  it.each(['worker', 'server'] as const)('ends what runs when its grant is revoked on the %s', async (where) => {
    const { worker, caller } = await startTeam();
    const place = caller.shop.place('here');
    caller.shop.skill(
      `[capabilities]\nfilesystem = { read = ["${place}"] }\n${shTool('wait', `echo begun; sleep ${long}`)}`,
    );
    await caller.shop.grant();
    const { hint } = await caller.result('demo:wait');
    const [, folder = ''] = /repertoire grant (\S+)/.exec(hint ?? '') ?? [];
    await worker.shop.grant(folder);
    const run = caller.start('demo:wait');
    await run.until('begun');
    await (where === 'worker' ? worker : caller).shop.run(['revoke', 'demo']);
    const { code, stderr } = await run.ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('its grant was revoked or changed')]);
    expect(processesWith(long)).toBe(0);
    expect(worker.shop.records().at(-1)).toMatchObject({ event: 'end', result: 'cancelled' });
  });

  it('ends what runs of a version that is put into quarantine, wherever it does, and runs it no more', async () => {
    const nats = await startNats();
    for (const name of ['one', 'two']) await startTestWorker(nats, name, ['--concurrency', '1']);
    const caller = new TestCaller(nats);
    caller.shop.skill(shTool('wait', `echo begun; sleep ${long}`) + shTool('plain', 'echo here'));
    const runs = [caller.start('demo:wait'), caller.start('demo:wait')];
    for (const run of runs) await run.until('begun');
    const { digest } = await caller.shop.result(['demo:plain']);
    const quarantine = ['cluster', 'quarantine', digest, '--reason', 'It phones home.'];
    expect((await new Workshop().run(quarantine, { REPERTOIRE_CLUSTER: nats.url })).code).toBe(0);
    for (const { code, stderr } of await Promise.all(runs.map(({ ended }) => ended)))
      expect([code, stderr]).toEqual([1, expect.stringMatching(/it was blocked: .*It phones home/)]);
    expect(processesWith(long)).toBe(0);
    expect(await caller.result('demo:plain')).toMatchObject({ reason: 'denied', stdout: '' });
  });
});

describe('workers', () => {
  it('are chosen by runtime and labels, and missed at once', async () => {
    const nats = await startNats();
    const caller = new TestCaller(nats);
    caller.shop.skill(shTool('plain', 'echo here') + shTool('gpu', 'echo there', 'labels = ["gpu", "eu"]'));
    expect(await caller.result('demo:plain')).toMatchObject({
      reason: 'no_worker',
      message: 'no worker runs native: there is none at all',
    });
    const plain = await startTestWorker(nats, 'plain', ['--runtimes', 'native']);
    expect(await caller.result('demo:gpu')).toMatchObject({
      reason: 'no_worker',
      message: 'no worker runs native with gpu, eu: there are plain (native)',
      hint: 'Start one: repertoire worker --cluster URL --runtimes native --labels gpu,eu',
    });
    await startTestWorker(nats, 'special', ['--labels', 'eu,gpu,fast', '--runtimes', 'native']);
    expect(await caller.result('demo:gpu')).toMatchObject({ reason: 'exited', stdout: 'there\n' });
    expect(plain.shop.records()).toEqual([]);
    const status = await caller.shop.run(['cluster', 'status', '--json'], caller.env);
    expect(status.json()).toMatchObject({
      nodes: [{ connected: true }],
      workers: [
        { name: 'plain', labels: [], running: 0, state: 'ready' },
        { name: 'special', labels: ['eu', 'gpu', 'fast'], runtimes: ['native'] },
      ],
    });
  });

  it('finish what they run when they are told to leave, and take nothing more', async () => {
    const { worker, caller } = await startTeam();
    caller.shop.skill(shTool('wait', 'echo begun; sleep 2; echo done') + shTool('plain', 'echo here'));
    const run = caller.start('demo:wait');
    await run.until('begun');
    worker.child.kill('SIGTERM');
    await expect.poll(() => worker.log).toContain('draining');
    expect(await caller.result('demo:plain')).toMatchObject({ reason: 'no_worker' });
    expect(await run.ended).toMatchObject({ code: 0, stdout: 'begun\ndone\n' });
    expect((await worker.ended).code).toBe(0);
  });

  it('end what they run when they are told twice', async () => {
    const { worker, caller } = await startTeam();
    caller.shop.skill(shTool('wait', `echo begun; sleep ${long}`));
    const run = caller.start('demo:wait');
    await run.until('begun');
    worker.child.kill('SIGTERM');
    await expect.poll(() => worker.log).toContain('draining');
    worker.child.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    expect((await run.ended).code).toBe(1);
    expect(processesWith(long)).toBe(0);
  });

  it('share a thousand executions at once, of which none is lost and none mixed up', async () => {
    const nats = await startNats();
    const workers = await Promise.all(['one', 'two', 'three'].map((name) => startTestWorker(nats, name)));
    const caller = new TestCaller(nats);
    caller.shop.skill(
      `[tools.echo]\ncommand = ["sh", "-c", "echo said: $1", "sh", "{value}"]\nparameters.value = { type = "string" }\n`,
    );
    const server = await caller.serve('--detach-after', '600000'); // none becomes a job on a slow machine
    const values = Array.from({ length: 1000 }, (_, at) => `value-${at}`);
    const results = await Promise.all(
      values.map((value) =>
        server.call('skill-engine/execute', { skill_name: 'demo', tool_name: 'echo', parameters: { value } }),
      ),
    );
    // Any other answer is shown as it is: why it came is what matters then.
    expect(results.map((result) => result.structuredContent?.['stdout'] ?? result)).toEqual(
      values.map((value) => `said: ${value}\n`),
    );
    const ran = workers.map(({ shop }) => shop.records().filter(({ event }) => event === 'end').length);
    expect(ran.reduce((sum, one) => sum + one, 0)).toBe(1000);
    expect(Math.min(...ran)).toBeGreaterThan(0);
  });

  it('are busy where all are, and say so', async () => {
    const nats = await startNats();
    await startTestWorker(nats, 'one', ['--concurrency', '1']);
    const caller = new TestCaller(nats);
    caller.shop.skill(shTool('wait', `echo begun; sleep ${long}`) + shTool('plain', 'echo here'));
    const run = caller.start('demo:wait');
    await run.until('begun');
    expect(await caller.result('demo:plain')).toMatchObject({
      reason: 'busy',
      message: '1 worker for native had no room for 10 s',
    });
    run.child.kill('SIGINT');
    await run.ended;
    expect(await caller.result('demo:plain')).toMatchObject({ reason: 'exited', stdout: 'here\n' });
  });

  it('go on with what they run while a node of the cluster dies', async () => {
    const nats = await startNats(3);
    const worker = await startTestWorker(nats, 'one');
    const caller = new TestCaller(nats);
    caller.shop.skill(shTool('talk', 'for i in $(seq 1 40); do echo line $i; sleep 0.1; done'));
    const run = caller.start('demo:talk');
    await run.until('line 5\n');
    const [dying, ...others] = nats.nodes.filter(({ url }) => worker.log.includes(`connected to ${url.slice(7)}`));
    if (dying === undefined || others.length > 0) throw new Error(worker.log);
    await dying.kill();
    const { code, stdout } = await run.ended;
    expect(stdout.split('\n')).toEqual([...Array.from({ length: 40 }, (_, at) => `line ${at + 1}`), '']);
    expect(code).toBe(0);
    expect(worker.log).toContain('out of reach');
    expect(worker.shop.records().filter(({ event }) => event === 'start')).toHaveLength(1);
  });

  it('are sent the files of a skill although the node that leads their store has just died', async () => {
    const nats = await startNats(3);
    await startTestWorker(nats, 'one');
    const caller = new TestCaller(nats);
    for (const name of ['first', 'second']) caller.shop.skill(shTool('hello', `echo ${name}`), {}, name);
    const server = await caller.serve();
    const call = async (skill: string) =>
      (await server.call('skill-engine/execute', { skill_name: skill, tool_name: 'hello', parameters: {} }))
        .structuredContent;
    expect(await call('first')).toMatchObject({ exit_reason: 'exited', stdout: 'first\n' });
    const manager = await jetstreamManager(await nats.connect());
    const { cluster } = await manager.streams.info('OBJ_repertoire-bundles');
    await nats.nodes.find(({ name }) => name === cluster?.leader)?.kill();
    expect(await call('second')).toMatchObject({ exit_reason: 'exited', stdout: 'second\n' });
  });
});

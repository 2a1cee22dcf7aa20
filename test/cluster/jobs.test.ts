import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JobsOutput } from '../../src/engine/operations/running/jobs.ts';
import { processesWith } from '../run/workshop.ts';
import type { StdioServer } from '../support/mcp.ts';
import { startNats } from '../support/nats.ts';
import { shTool, startTestWorker, TestCaller, type TestWorker } from './team.ts';

/** A time that no other program sleeps for. */
const long = `47.${process.pid}2`;

/** A server that has begun a job, another one on a machine of its own without any skill, and the worker between them. */
interface Team {
  readonly id: string;
  readonly server: StdioServer;
  readonly other: TestCaller;
  readonly worker: TestWorker;
  /** Lets the tool go on. */
  readonly go: () => void;
}

const untilGo = (place: string): string => `while [ ! -e ${place}/go ]; do sleep 0.05; done`;

/** Begins a job with a tool that reads from a folder. */
async function begin(script: (place: string) => string, shaping: object = {}): Promise<Team> {
  const nats = await startNats();
  const worker = await startTestWorker(nats, 'one');
  const [caller, other] = [new TestCaller(nats), new TestCaller(nats)];
  const place = caller.shop.place('here');
  caller.shop.skill(`[capabilities]\nfilesystem = { read = ["${place}"] }\n${shTool('wait', script(place))}`);
  await caller.shop.grant();
  const { hint } = await caller.result('demo:wait');
  await worker.shop.grant(/repertoire grant (\S+)/.exec(hint ?? '')?.[1]);
  const server = await caller.serve('--detach-after', '300');
  const { structuredContent } = await server.call('skill-engine/execute', {
    ...{ skill_name: 'demo', tool_name: 'wait', parameters: {}, ...shaping },
  });
  const { job } = structuredContent as { job: { id: string } };
  return { id: job.id, server, other, worker, go: () => writeFileSync(join(place, 'go'), '') };
}

async function kill({ child }: { readonly child: StdioServer['child'] }): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** What another server tells of jobs. */
async function ask({ shop, env }: TestCaller, ...args: readonly string[]): Promise<JobsOutput> {
  return (await shop.run(['jobs', ...args, '--json'], env)).json();
}

describe('a job whose server was killed', () => {
  it('is shown by any other, streamed from where it was, and has its result there', async () => {
    const { id, server, other, go } = await begin((place) => `echo begun; ${untilGo(place)}; echo done; exit 3`, {
      tail: 1,
    });
    await kill(server);
    const about = { id, skill: 'demo', tool: 'wait', worker: 'one' };
    expect((await ask(other)).jobs).toMatchObject([{ ...about, state: 'running', result: null }]);
    await expect.poll(async () => (await ask(other, 'output', id)).output).toBe('begun\n');
    const { nextOffset } = await ask(other, 'output', id);
    go();
    await expect.poll(async () => (await ask(other, 'status', id)).jobs[0]?.state).toBe('done');
    expect((await ask(other, 'output', id, '--offset', String(nextOffset))).output).toBe('done\n');
    // Shaped as the one who began it had asked.
    const result = { id, skill: 'demo', reason: 'exited', exitCode: 3, stdout: 'done\n' };
    expect((await ask(other, 'status', id)).jobs).toMatchObject([{ ...about, state: 'done', result }]);
    const client = await other.serve();
    const asked = { skill_name: '@jobs', tool_name: 'status', parameters: { job: id } };
    expect((await client.call('skill-engine/execute', asked)).structuredContent).toMatchObject({
      ...{ exit_reason: 'exited', stdout: 'done\n', jobs: [{ id, state: 'done' }] },
    });
  });

  it('is cancelled from any other', async () => {
    const { id, server, other, worker } = await begin(() => `echo begun; sleep ${long}`);
    await kill(server);
    await expect.poll(() => processesWith(long)).toBeGreaterThan(0);
    expect((await other.shop.run(['jobs', 'cancel', id], other.env)).stdout).toBe(`${id} is being cancelled.\n`);
    await expect.poll(async () => (await ask(other, 'status', id)).jobs[0]?.result?.reason).toBe('cancelled');
    expect(processesWith(long)).toBe(0);
    expect(worker.shop.records().at(-1)).toMatchObject({ event: 'end', result: 'cancelled' });
  });

  it('is lost with its worker, and keeps what it had written', async () => {
    const { id, server, other, worker } = await begin(() => `echo begun; sleep ${long}`);
    await kill(server);
    await expect.poll(async () => (await ask(other, 'output', id)).output).toBe('begun\n');
    await kill(worker);
    expect((await ask(other, 'status', id)).jobs).toMatchObject([{ state: 'lost', result: null }]);
    expect((await ask(other, 'output', id)).output).toBe('begun\n');
    expect((await other.shop.run(['jobs', 'cancel', id], other.env)).stdout).toBe(`${id} is lost already.\n`);
  });
});

describe('a job whose server lives', () => {
  it('is the same on both, and can be cancelled from the other', async () => {
    const { id, server, other } = await begin((place) => `head -c 600000 /dev/zero | tr '\\0' x; ${untilGo(place)}`);
    const here = (tool_name: string) =>
      server.call('skill-engine/execute', { skill_name: '@jobs', tool_name, parameters: { job: id } });
    expect((await here('status')).structuredContent).toMatchObject({ jobs: [{ id, state: 'running' }] });
    await ask(other, 'cancel', id);
    await expect.poll(async () => (await here('status')).structuredContent?.['exit_reason']).toBe('cancelled');
    const [job] = (await ask(other, 'status', id)).jobs;
    expect(job).toMatchObject({ state: 'done', result: { reason: 'cancelled' } });
    expect((await ask(other, 'output', id, '--offset', '100000')).output?.length).toBe(500_000);
  });

  it('is missing from a list where the cluster is away, which is said', async () => {
    const caller = new TestCaller({ url: 'nats://127.0.0.1:1' });
    const { code, stdout, stderr } = await caller.shop.run(['jobs'], caller.env);
    expect([code, stdout]).toEqual([0, 'No jobs.\n']);
    expect(stderr).toContain('Those of the cluster are missing: the cluster nats://127.0.0.1:1 cannot be reached');
  });

  it('is not found by ids that nobody was given', async () => {
    const { other } = await begin(() => 'sleep 1');
    for (const id of ['*', '>', 'a.b', '../x', '00000000-0000-4000-8000-000000000000', '']) {
      const { code, stderr } = await other.shop.run(['jobs', 'status', id], other.env);
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringMatching(/there is no job|missing job/)]);
      expect(code).not.toBe(0);
    }
  });
});

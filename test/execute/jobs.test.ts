import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/engine/running/admission/jobs.ts';
import { askModern, openSession } from '../serve/http.ts';
import { connectStdio, type StdioServer, startHttp, type ToolResult } from '../support/mcp.ts';
import type { World } from '../support/world.ts';
import { asleep, callOf, executed, gone, lab, longSleep, resultsIn, tool } from './library.ts';

/** A job as models are told of it. */
interface ToldJob {
  id: string;
  state: 'running' | 'done' | 'lost';
  skill: string;
  tool: string;
  started_at: string;
  exit_reason?: string;
}

const args = ['serve', '--structured', '--detach-after', '300'];
const tools = {
  sleep: 'echo "grüße"; exec sleep "$1"',
  count: 'for i in 1 2 3 4; do echo "count $i"; sleep 1.5; done',
};

/** The job that a call has become, and what the model is told to call next. */
function jobIn(result: ToolResult): { id: string; ask: Record<string, unknown>; text: string } {
  const { job } = result.structuredContent as { job: { id: string; state: string; ask: Record<string, unknown> } };
  expect([result.isError, job.state]).toEqual([undefined, 'running']);
  return { id: job.id, ask: job.ask, text: executed(result).text };
}

async function askJobs(server: StdioServer, action: string, parameters: object) {
  const result = await server.call(tool, { skill_name: '@jobs', tool_name: action, parameters });
  const { jobs = [], ...more } = (result.structuredContent ?? {}) as { jobs?: ToldJob[]; [key: string]: unknown };
  return { ...executed(result), job: jobs[0], jobs, more };
}

/** Waits until what it writes first can be read. */
async function written(server: StdioServer, id: string): Promise<void> {
  const read = async () => (await askJobs(server, 'output', { job: id })).text;
  await expect.poll(read, { interval: 50 }).toBe('grüße\n');
}

async function jobsOf(world: World): Promise<Job[]> {
  return (await world.run(['jobs', '--json'])).json<{ jobs: Job[] }>().jobs;
}

describe('a run that takes longer than clients wait', () => {
  it('becomes a job that can be asked about, read from and had the result of', async () => {
    const world = lab(tools);
    const server = await connectStdio(world, args);
    const { id, ask, text } = jobIn(await server.request<ToolResult>('tools/call', callOf('count')));
    expect(text).toMatch(/^lab:count is still running, as job /);
    // The text holds the very call that asks about it.
    expect(text).toContain(JSON.stringify(ask));
    const status = executed(await server.call(tool, ask));
    expect(status.text).toBe(`${id} lab:count running`);
    // Another process sees it too.
    expect(await jobsOf(world)).toMatchObject([{ id, state: 'running', skill: 'lab', tool: 'count', result: null }]);
    // What it writes can be read as it comes, from where the reader was.
    let read = '';
    let offset = 0;
    await expect
      .poll(
        async () => {
          const { more } = await askJobs(server, 'output', { job: id, offset });
          read += String(more['stdout']);
          offset = Number(more['next_offset']);
          return read;
        },
        { interval: 100 },
      )
      .toBe('count 1\ncount 2\ncount 3\ncount 4\n');
    await expect.poll(async () => (await askJobs(server, 'status', { job: id })).job?.state).toBe('done');
    const { job, more, text: ended } = await askJobs(server, 'status', { job: id });
    expect(more).toMatchObject({ id, exit_reason: 'exited', exit_code: 0, stdout: read });
    const { started_at } = job as ToldJob;
    expect(job).toEqual({ id, skill: 'lab', tool: 'count', state: 'done', started_at, exit_reason: 'exited' });
    // A list is short, however much the jobs have written.
    expect(await askJobs(server, 'list', {})).toMatchObject({ jobs: [job], more: {} });
    expect(ended).toBe(`${id} lab:count exited\n${read}`);
    expect((await world.run(['jobs', 'output', id])).stdout).toBe(read);
    // It is cut down as any output is.
    const shaping = { grep: '[123]$', tail: 1 };
    const part = { skill_name: '@jobs', tool_name: 'output', parameters: { job: id }, ...shaping };
    expect(executed(await server.call(tool, part)).text).toBe('count 3\n');
    expect(await resultsIn(world)).toEqual(['exited']);
  });

  it('is read without cutting a character that is half written', async () => {
    const world = lab({ slowly: String.raw`printf 'a\303'; sleep 1.5; printf '\274b'; sleep 1` });
    const server = await connectStdio(world, args);
    const { id } = jobIn(await server.request<ToolResult>('tools/call', callOf('slowly')));
    let read = '';
    let offset = 0;
    const seen = new Set<string>();
    const readOn = async () => {
      const { more } = await askJobs(server, 'output', { job: id, offset });
      read += String(more['stdout']);
      offset = Number(more['next_offset']);
      seen.add(read);
      return read;
    };
    await expect.poll(readOn, { interval: 100 }).toBe('aüb');
    expect([...seen]).not.toContain('a\ufffd');
  });

  it('is cancelled by who asks for it, here or in another process', async () => {
    const world = lab(tools);
    const server = await connectStdio(world, args);
    for (const cancel of [
      (id: string) => askJobs(server, 'cancel', { job: id }),
      (id: string) => world.run(['jobs', 'cancel', id]),
    ]) {
      const seconds = longSleep();
      const { id } = jobIn(await server.request<ToolResult>('tools/call', callOf('sleep', seconds)));
      await asleep(seconds);
      await written(server, id);
      await cancel(id);
      await gone(seconds);
      await expect.poll(async () => (await askJobs(server, 'status', { job: id })).job?.exit_reason).toBe('cancelled');
    }
    expect(await resultsIn(world)).toEqual(['cancelled', 'cancelled']);
  });

  it('goes on when its client is gone, or has ended its session', async () => {
    const world = lab(tools);
    const { url } = await startHttp(world, [...args, '--transport', 'http']);
    const session = await openSession(url);
    const [first, second] = [longSleep(), longSleep()];
    const legacy = jobIn(await session.request<ToolResult>('tools/call', callOf('sleep', first)));
    const modern = jobIn((await askModern(url, 'tools/call', callOf('sleep', second))).messages[0]?.result as never);
    await fetch(url, { method: 'DELETE', headers: session.headers });
    // Long enough for whatever notices that the clients are gone.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await Promise.all([asleep(first), asleep(second)]);
    expect((await jobsOf(world)).map(({ state }) => state)).toEqual(['running', 'running']);
    // Clients that do not know of each other are not told of each other's.
    const stranger = await openSession(url);
    for (const [action, parameters] of [
      ['list', {}],
      ['status', { job: 'nobody' }],
    ] as const) {
      const asked = { name: tool, arguments: { skill_name: '@jobs', tool_name: action, parameters } };
      const said = await stranger.request<ToolResult>('tools/call', asked);
      expect([said.isError, JSON.stringify(said).includes(legacy.id)]).toEqual([true, false]);
    }
    for (const { id } of [legacy, modern]) await world.run(['jobs', 'cancel', id]);
    await Promise.all([gone(first), gone(second)]);
  });

  it('is lost when its server is killed', async () => {
    const world = lab(tools);
    const server = await connectStdio(world, args);
    const seconds = longSleep();
    const { id } = jobIn(await server.request<ToolResult>('tools/call', callOf('sleep', seconds)));
    await written(server, id);
    server.child.kill('SIGKILL');
    await server.exited;
    await gone(seconds);
    const next = await connectStdio(world, args);
    expect((await askJobs(next, 'status', { job: id })).text).toBe(`${id} lab:sleep lost`);
    expect((await askJobs(next, 'output', { job: id })).text).toBe('grüße\n');
    expect(await jobsOf(world)).toMatchObject([{ id, state: 'lost', result: null }]);
    expect(await resultsIn(world)).toEqual(['lost']);
  });

  it('can be asked about only in ways there are', async () => {
    const world = lab(tools);
    const server = await connectStdio(world, args);
    expect((await askJobs(server, 'list', {})).text).toBe('No jobs.');
    const unknown = await askJobs(server, 'status', { job: 'nobody' });
    expect([unknown.result.isError, unknown.text]).toEqual([true, expect.stringContaining("there is no job 'nobody'")]);
    const outside = await askJobs(server, 'output', { job: '../../audit/key' });
    expect([outside.result.isError, outside.text]).toEqual([true, expect.stringContaining('there is no job')]);
    const action = await askJobs(server, 'restart', { job: 'x' });
    expect([action.result.isError, action.text]).toEqual([
      true,
      expect.stringContaining('list, status, output, cancel'),
    ]);
    for (const parameters of [{}, { job: 7 }, { job: 'x', offset: -1 }]) {
      const params = { name: tool, arguments: { skill_name: '@jobs', tool_name: 'output', parameters } };
      expect((await server.ask('tools/call', params)).error?.code, JSON.stringify(parameters)).toBe(-32602);
    }
  });
});

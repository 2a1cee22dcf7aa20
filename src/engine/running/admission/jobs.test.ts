import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../../test/support/world.ts';
import { type Environment, hostEnvironment } from '../../../core/environment.ts';
import type { Execution } from '../types.ts';
import { jobsHere, keepJob } from './jobs.ts';

function environmentOf(world: World): Environment {
  return hostEnvironment({ home: world.home, cwd: world.project, env: world.environment() });
}

/** An execution that has ended with this output. */
function ended(stdout: string): Execution {
  return {
    id: 'a-job',
    skill: 'demo',
    tool: 'much',
    startedAt: '2026-01-02T03:04:05.000Z',
    result: Promise.resolve({
      ...{ id: 'a-job', skill: 'demo', tool: 'much', runtime: 'native', digest: 'sha256:0' },
      ...{ reason: 'exited', exitCode: 0, signal: null, message: null, hint: null, stdout, stderr: '', value: stdout },
      ...{ notes: [], durationMs: 1, limits: null, enforcement: [], denials: [] },
    }),
    partial: (_stream, from = 0) => Buffer.from(stdout).subarray(from),
    cancel: () => undefined,
    release: () => undefined,
  };
}

describe('jobs', () => {
  it('keep a result however large it is', async () => {
    const world = createWorld();
    const environment = environmentOf(world);
    const stdout = '"'.repeat(4 * 1024 * 1024);
    const jobs = jobsHere(environment);
    expect(await keepJob(environment, ended(stdout), undefined)).toBe(true);
    await expect.poll(async () => (await jobs.find('a-job'))?.state).toBe('done');
    const [job] = await jobs.list();
    expect(job?.result?.stdout).toHaveLength(stdout.length);
    expect(job && (await jobs.output(job, 0))).toHaveLength(stdout.length);
    expect(readdirSync(world.path('home/.local/state/repertoire/jobs')).sort()).toEqual(['a-job.json', 'a-job.out']);
  });

  it.each([
    [new Date().toISOString(), 'running'],
    ['2020-01-02T03:04:05.000Z', 'lost'],
  ])('of another host that began at %s are %s', async (startedAt, state) => {
    const world = createWorld();
    const job = { id: 'theirs', skill: 'demo', tool: 'x', startedAt, owner: '1.1.zzzzzzzzzzzzzzzz', result: null };
    world.write('home/.local/state/repertoire/jobs/theirs.json', JSON.stringify(job));
    expect((await jobsHere(environmentOf(world)).find('theirs'))?.state).toBe(state);
  });

  it('are told where they cannot be kept', async () => {
    const world = createWorld();
    world.write('home/.local/state/repertoire/jobs', 'no folder');
    expect(await keepJob(environmentOf(world), ended(''), undefined)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { createWorld } from '../../../../test/support/world.ts';
import { loadConfiguration } from '../../../core/config/load.ts';
import { hostEnvironment } from '../../../core/environment.ts';
import { createEngine } from '../../engine.ts';
import { invoke } from '../../operation.ts';
import { jobs } from './jobs.ts';

describe('jobs of people that access tokens name', () => {
  it('are told to whoever began them', async () => {
    const world = createWorld();
    const startedAt = '2026-01-02T03:04:05.000Z';
    for (const subject of ['ann', 'bob']) {
      const job = { id: `of-${subject}`, skill: 'demo', tool: 'x', startedAt, subject, owner: '1.1.z', result: null };
      world.write(`home/.local/state/repertoire/jobs/of-${subject}.json`, JSON.stringify(job));
    }
    const environment = hostEnvironment({ home: world.home, cwd: world.project, env: world.environment() });
    const engine = createEngine(await loadConfiguration({}, environment), environment);
    const ask = async (subject: string | undefined, input: object) =>
      (await invoke(engine, jobs, input, { origin: 'mcp', subject })).jobs.map(({ id }) => id);
    expect(await ask('ann', {})).toEqual(['of-ann']);
    expect(await ask('ann', { action: 'status', id: 'of-ann' })).toEqual(['of-ann']);
    for (const action of ['status', 'output', 'cancel'] as const) {
      await expect(ask('ann', { action, id: 'of-bob' })).rejects.toMatchObject({ code: 'not-found' });
    }
    expect((await ask(undefined, {})).toSorted()).toEqual(['of-ann', 'of-bob']);
  });
});

import { describe, expect, it } from 'vitest';
import { configurationOf } from '../../src/core/config/values.ts';
import { hostEnvironment } from '../../src/core/environment.ts';
import { createEngine, endEngine, type OnUsage } from '../../src/engine/engine.ts';
import { invoke } from '../../src/engine/operation.ts';
import { isDryRun, type RunOutput, run } from '../../src/engine/operations/running/run.ts';
import type { Usage } from '../../src/engine/running/types.ts';
import { Workshop } from './workshop.ts';

const manifest = '[tools.hold]\ncommand = ["sh", "scripts/hold.sh"]\n';
/** Keeps 60 MB for as long as its input is open. */
const script = 'echo started\n{ head -c 60000000 /dev/zero; sleep 1; } | tail -c 60000000 | wc -c\n';

async function ran(onUsage: OnUsage): Promise<RunOutput> {
  const shop = new Workshop();
  shop.skill(manifest, { 'scripts/hold.sh': script });
  const { home, project: cwd } = shop.world;
  const environment = hostEnvironment({ cwd, home, env: shop.world.environment() });
  const engine = createEngine(configurationOf({}), environment);
  try {
    return await invoke(engine, run, { target: 'demo:hold' }, { origin: 'cli', onUsage });
  } finally {
    endEngine(engine);
  }
}

describe('the resource usage of a run', () => {
  it('is reported to its listener', async () => {
    const told: Usage[] = [];
    const output = await ran((usage) => told.push(usage));
    expect(isDryRun(output) ? null : output.stdout).toBe('started\n60000000\n');
    const last = told.at(-1);
    expect(last?.elapsedMs).toBeGreaterThan(1000);
    expect(last?.peakMemoryBytes).toBeGreaterThan(40e6);
    expect(last?.outputBytes).toBe('started\n60000000\n'.length);
    expect(told.length).toBeGreaterThan(1);
  });

  it('ends the run where its listener throws', async () => {
    const output = await ran(() => {
      throw new Error('the page was closed');
    });
    expect(output).toMatchObject({ reason: 'cancelled', message: 'it was cancelled: the page was closed' });
  });
});

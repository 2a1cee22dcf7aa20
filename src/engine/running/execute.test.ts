import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { environmentIn, temporaryPlace } from '../../../test/support/place.ts';
import { configurationOf } from '../../core/config/values.ts';
import { Registry } from '../../registry/registry.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { readAudit } from '../../run/audit/read.ts';
import { createEngine, endEngine } from '../engine.ts';
import { execute } from './execute.ts';

/** A registry that finds a skill once, and fails from then on. */
class Failing extends Registry {
  #asked = 0;
  override async snapshot(): Promise<Snapshot> {
    if (this.#asked++ > 0) throw new Error('the disk is gone');
    return super.snapshot();
  }
}

it('whatever fails once the tool was found is a result, and in the audit log', async () => {
  const environment = environmentIn(temporaryPlace());
  const folder = join(environment.cwd, 'skills/demo');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'SKILL.md'), '---\nname: demo\ndescription: A skill.\n---\n');
  writeFileSync(join(folder, 'skill.toml'), '[tools.t]\ncommand = ["true"]\n');
  const configuration = configurationOf({});
  const registry = new Failing(configuration.values, configuration.values, environment);
  const engine = { ...createEngine(configuration, environment), registry };
  const call = { skill: 'demo', tool: 't', parameters: {}, instance: null, shaping: {} };
  const { result } = await execute(engine, call, { origin: 'library' });
  const told = { reason: 'engine_error', message: 'the disk is gone' };
  expect(await result).toMatchObject(told);
  endEngine(engine);
  const rows: unknown[] = [];
  for await (const { tool, result: reason, message } of readAudit(environment)) rows.push({ tool, reason, message });
  expect(rows).toEqual([{ tool: 't', ...told }]);
});

import { configurationOf } from '../../src/core/config/values.ts';
import { hostEnvironment } from '../../src/core/environment.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { type InputOf, invoke } from '../../src/engine/operation.ts';
import { type BrowseOutput, browse } from '../../src/engine/operations/skills/browse.ts';
import { type InspectOutput, inspect } from '../../src/engine/operations/skills/inspect.ts';
import { type ReadOutput, read } from '../../src/engine/operations/skills/read.ts';
import type { World } from '../support/world.ts';

/** The machine of a world, as a program that goes on sees it. */
export function engineOn(world: World, given: Parameters<typeof configurationOf>[0] = {}): Engine {
  const env = { HOME: world.home, XDG_CACHE_HOME: world.path('cache') };
  const environment = hostEnvironment({ cwd: world.project, home: world.home, env });
  return createEngine(configurationOf(given), { ...environment, systemDir: world.path('etc') });
}

type Filters = InputOf<typeof browse>;

export function browsed(engine: Engine, filters: Filters = {}): Promise<BrowseOutput> {
  return invoke(engine, browse, filters, { origin: 'console' });
}

export function inspected(engine: Engine, name: string, file?: string): Promise<InspectOutput> {
  return invoke(engine, inspect, { name, file }, { origin: 'console' });
}

export function readOf(engine: Engine, name: string, path: string, offset = 0, file?: string): Promise<ReadOutput> {
  return invoke(engine, read, { name, file, path, offset }, { origin: 'console' });
}

import { configurationOf } from '../../src/config/load.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { hostEnvironment } from '../../src/kernel/environment.ts';
import type { Logger } from '../../src/kernel/log.ts';
import { createPrompts, type Prompts } from '../../src/mcp/prompts/prompts.ts';
import { createSkillResources, type SkillResources } from '../../src/mcp/skills/skill-resources.ts';
import type { World } from './world.ts';

export interface ResourceFixture {
  readonly engine: Engine;
  readonly skillResources: SkillResources;
  readonly prompts: Prompts;
  /** What was logged, line by line. */
  readonly logged: readonly string[];
}

/** The skills of a world as a server offers them, seen anew at every call. */
export function skillResourcesOn(world: World, given: Parameters<typeof configurationOf>[0] = {}): ResourceFixture {
  const environment = hostEnvironment({
    cwd: world.project,
    home: world.home,
    env: { HOME: world.home, XDG_CACHE_HOME: world.path('cache') },
  });
  const engine = createEngine(configurationOf(given), environment);
  const freshness = { check: async () => void (await engine.registry.refresh()) };
  const logged: string[] = [];
  const write = (message: string): void => void logged.push(message);
  const log: Logger = { error: write, warn: write, info: write, debug: write };
  return {
    engine,
    skillResources: createSkillResources(engine, freshness, log),
    prompts: createPrompts(engine, freshness),
    logged,
  };
}

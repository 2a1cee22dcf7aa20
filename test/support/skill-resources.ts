import { configurationOf } from '../../src/core/config/values.ts';
import { hostEnvironment } from '../../src/core/environment.ts';
import type { Logger } from '../../src/core/log.ts';
import { createEngine, type Engine, type Request } from '../../src/engine/engine.ts';
import { invoke } from '../../src/engine/operation.ts';
import { prompts } from '../../src/faces/mcp/prompts/prompts.ts';
import { createSkillResources } from '../../src/faces/mcp/skills/skill-resources.ts';
import type { World } from './world.ts';

const request: Request = { origin: 'mcp' };

/** The operations of resources and prompts, called as a server would. */
function callsOf(engine: Engine, log: Logger) {
  const resources = createSkillResources(log);
  return {
    skillResources: {
      listSkills: (cursor?: string) => invoke(engine, resources.listSkills, { cursor }, request),
      getSkill: async (uri: string) => (await invoke(engine, resources.getSkill, { uri }, request)).skill,
      readDirectory: (uri: string, cursor?: string) =>
        invoke(engine, resources.readDirectory, { uri, cursor }, request),
      listResources: (cursor?: string) => invoke(engine, resources.listResources, { cursor }, request),
      read: async (uri: string) => ({ contents: (await invoke(engine, resources.read, { uri }, request)).contents }),
      completePath: (prefix: string) => invoke(engine, resources.completePath, { prefix }, request),
    },
    prompts: {
      list: (cursor?: string) => invoke(engine, prompts.list, { cursor }, request),
      get: async (name: string, given?: Readonly<Record<string, string>>) =>
        (await invoke(engine, prompts.get, { name, arguments: given }, request)).prompt,
      complete: (name: string, argument: string, value: string) =>
        invoke(engine, prompts.complete, { name, argument, value }, request),
    },
  };
}

export interface ResourceFixture extends ReturnType<typeof callsOf> {
  readonly engine: Engine;
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
  engine.freshness = { check: async () => void (await engine.registry.refresh()) };
  const logged: string[] = [];
  const write = (message: string): void => void logged.push(message);
  const log: Logger = { error: write, warn: write, info: write, debug: write };
  return { engine, ...callsOf(engine, log), logged };
}

import { expect, onTestFinished, vi } from 'vitest';
import type { Given } from '../../src/core/config/layers.ts';
import { configurationOf } from '../../src/core/config/values.ts';
import { hostEnvironment } from '../../src/core/environment.ts';
import { createLogger } from '../../src/core/log.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { type Freshness, keepFresh } from '../../src/engine/freshness/freshness.ts';
import type { OpenWatch } from '../../src/registry/watch.ts';
import type { World } from '../support/world.ts';

/** The interval that no test lives to see. */
export const never = 86_400_000;

export interface Kept {
  readonly engine: Engine;
  readonly freshness: Freshness;
  /** What was logged, without the time: `info refreshed: …`. */
  readonly lines: readonly string[];
  /** How many looks at the disk have begun since the start. */
  readonly looks: number;
  names(): string[];
  /** Waits until exactly these skills are known, by whichever way that comes about. */
  expectNames(...names: readonly string[]): Promise<void>;
  description(name: string): string | undefined;
}

/** Stops the clock for the rest of the test, but for what it is moved on by. Timers run on. */
export function stoppedClock(): { advance(ms: number): void } {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return { advance: (ms) => void vi.setSystemTime(Date.now() + ms) };
}

/** A registry that is kept fresh, after its first scan; with nothing but the watcher, unless an interval is given. */
export async function kept(world: World, given: Given = {}, openWatch?: OpenWatch, variables = {}): Promise<Kept> {
  const env = Object.defineProperties(
    { XDG_CACHE_HOME: world.path('cache') },
    Object.getOwnPropertyDescriptors(variables),
  );
  const environment = hostEnvironment({ cwd: world.project, home: world.home, env, systemDir: world.path('etc') });
  const engine = createEngine(configurationOf({ refreshInterval: never, ...given }), environment);
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line.replace(/^\S+ /, '').replace(/\s+/g, ' ').trim());
  const freshness = keepFresh(engine, createLogger({ level: 'debug', format: 'text', write }), openWatch);
  onTestFinished(() => freshness.close());
  let looks = 0;
  const nothing = (): void => undefined;
  engine.registry.observe({ began: () => void looks++, ended: nothing, failed: nothing });
  const skills = () => engine.registry.current?.visible ?? [];
  const names = (): string[] => skills().map((skill) => skill.fullName);
  await engine.registry.snapshot();
  return {
    engine,
    freshness,
    lines,
    get looks() {
      return looks;
    },
    names,
    expectNames: (...expected) => expect.poll(() => names().sort()).toEqual([...expected].sort()),
    description: (name) => skills().find((skill) => skill.fullName === name)?.description,
  };
}

import type { Configuration } from '../config/load.ts';
import type { OnProgress } from '../discovery/scan.ts';
import type { Environment } from '../kernel/environment.ts';
import { Registry } from '../registry/registry.ts';
import type { OnIndexing } from './searching/keeper.ts';

/** Where everything comes together: one configuration, one registry, and what operations need of them. */
export interface Engine {
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly registry: Registry;
  /** Told how far long work has come. */
  readonly onIndexing?: OnIndexing | undefined;
  readonly onMeasuring?: OnMeasuring | undefined;
  /** What to end with the engine: whoever begins something that lasts adds to it. */
  readonly endings: Set<() => void>;
}

/** Told how many queries of an evaluation are done. */
export type OnMeasuring = (counts: { readonly done: number; readonly total: number }) => void;

/** Who wants to know how far long work has come. */
export interface Watching {
  readonly onScan?: OnProgress;
  readonly onIndexing?: OnIndexing;
  readonly onMeasuring?: OnMeasuring;
}

export function createEngine(
  configuration: Configuration,
  environment: Environment,
  { onScan, onIndexing, onMeasuring }: Watching = {},
): Engine {
  const { values } = configuration;
  const registry = new Registry(values, values, environment, onScan);
  return { environment, configuration, registry, onIndexing, onMeasuring, endings: new Set() };
}

/** Ends whatever may still be going on. */
export function endEngine({ endings }: Engine): void {
  for (const end of endings) end();
  endings.clear();
}

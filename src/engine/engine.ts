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
  /** Told what a tool writes, as it does. */
  readonly onOutput?: OnOutput | undefined;
  /** Told what a person should know before it happens. */
  readonly warn?: Warn | undefined;
  /** Asked before something is allowed; where nobody can be asked, it is not. */
  readonly confirm?: Confirm | undefined;
  /** Aborted when whoever asked no longer wants it. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it goes on after the first answer: then it is worth while to get ready for the next. */
  readonly lasts?: boolean | undefined;
  /** What to end with the engine: whoever begins something that lasts adds to it. */
  readonly endings: Set<() => void>;
}

/** Told how many queries of an evaluation are done. */
export type OnMeasuring = (counts: { readonly done: number; readonly total: number }) => void;

export type OnOutput = (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
export type Warn = (warning: string) => void;
export type Confirm = (question: string) => Promise<boolean>;

/** Who wants to know how far long work has come, and has a say in it. */
export interface Watching {
  readonly onScan?: OnProgress;
  readonly onIndexing?: OnIndexing;
  readonly onMeasuring?: OnMeasuring;
  readonly onOutput?: OnOutput;
  readonly warn?: Warn;
  readonly confirm?: Confirm;
  readonly signal?: AbortSignal;
  readonly lasts?: boolean;
}

export function createEngine(
  configuration: Configuration,
  environment: Environment,
  { onScan, ...watching }: Watching = {},
): Engine {
  const { values } = configuration;
  const registry = new Registry(values, values, environment, onScan);
  return { environment, configuration, registry, ...watching, endings: new Set() };
}

/** Ends whatever may still be going on. */
export function endEngine({ endings }: Engine): void {
  for (const end of endings) end();
  endings.clear();
}

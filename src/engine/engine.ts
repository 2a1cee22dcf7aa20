import type { Configuration } from '../config/load.ts';
import type { Environment } from '../kernel/environment.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { Registry } from '../registry/registry.ts';
import type { Vitals } from './operations/health.ts';
import type { Usage } from './running/types.ts';

/** Where everything comes together: one configuration, one registry, and what operations need of them. */
export interface Engine {
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly registry: Registry;
  /** Told how far long work has come. */
  readonly onProgress?: OnProgress | undefined;
  /** Told what a tool writes, as it does. */
  readonly onOutput?: OnOutput | undefined;
  /** Told how much a run has taken so far, a few times a second. */
  readonly onUsage?: OnUsage | undefined;
  /** What a server tells of itself. */
  readonly vitals?: Vitals | undefined;
  /** Who asks, where it is not the command line. */
  readonly origin?: 'console' | undefined;
  /** Told what a person should know before it happens. */
  readonly warn?: Warn | undefined;
  /** Asked before something is allowed; where nobody can be asked, it is not. */
  readonly confirm?: Confirm | undefined;
  /** Aborted when whoever asked no longer wants it. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it goes on after the first answer: then it is worth while to get ready for the next. */
  readonly isLongLived?: boolean | undefined;
  /** What to end with the engine: whoever begins something that lasts adds to it. */
  readonly disposers: Set<() => void>;
}

export type OnOutput = (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
export type OnUsage = (usage: Usage) => void;
export type Warn = (warning: string) => void;
export type Confirm = (question: string) => Promise<boolean>;

/** Who wants to know how far long work has come, and has a say in it. */
export interface Watching {
  readonly onProgress?: OnProgress;
  readonly onOutput?: OnOutput;
  readonly onUsage?: OnUsage;
  readonly vitals?: Vitals;
  readonly origin?: 'console';
  readonly warn?: Warn;
  readonly confirm?: Confirm;
  readonly signal?: AbortSignal;
  readonly isLongLived?: boolean;
}

export function createEngine(configuration: Configuration, seen: Environment, watching: Watching = {}): Engine {
  const { values } = configuration;
  const environment = { ...seen, trustedProjects: values.trustedProjects };
  const registry = new Registry(values, values, environment, watching.onProgress);
  return { environment, configuration, registry, ...watching, disposers: new Set() };
}

/** Ends whatever may still be going on. */
export function endEngine({ disposers }: Engine): void {
  for (const end of disposers) end();
  disposers.clear();
}

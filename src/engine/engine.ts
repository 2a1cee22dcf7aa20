import type { Configuration } from '../config/load.ts';
import type { Environment } from '../kernel/environment.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { Registry } from '../registry/registry.ts';
import type { Audience } from '../registry/snapshot.ts';
import type { ActivityNotes } from './activity/note.ts';
import type { Vitals } from './operations/health.ts';
import type { Runner } from './running/runner.ts';
import type { Usage } from './running/types.ts';
import type { Searcher } from './searching/searcher.ts';

/** A lifetime: one configuration, one registry, and the services that calls share. */
export interface Engine extends Services {
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly registry: Registry;
  /** Whether it goes on after the first answer: then it is worth while to get ready for the next. */
  readonly isLongLived: boolean;
  /** What a server tells of itself. */
  readonly vitals?: Vitals | undefined;
  /** What to end with the engine: whoever begins something that lasts adds to it. */
  readonly disposers: Set<() => void>;
}

/** Services of an engine, each created by the first call that needs it, from a module that is loaded for that. */
export interface Services {
  runner?: Promise<Runner>;
  searcher?: Searcher;
  notes?: ActivityNotes;
}

/** One call: who makes it, what they are told while it goes on, and what say they have in it. */
export interface Request {
  readonly origin: Origin;
  /** The name that an MCP client gives itself. */
  readonly client?: string | undefined;
  /** Aborted when whoever asked no longer wants it. */
  readonly signal?: AbortSignal | undefined;
  /** Told how far long work has come. */
  readonly onProgress?: OnProgress | undefined;
  /** Told what a tool writes, as it does, without secrets and before it is shaped. */
  readonly onOutput?: OnOutput | undefined;
  /** Told how much a run has taken so far, a few times a second. */
  readonly onUsage?: OnUsage | undefined;
  /** Told what a person should know before it happens. */
  readonly warn?: ((warning: string) => void) | undefined;
  /** Asked before something is allowed; where nobody can be asked, it is not. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

/** The faces through which calls come. */
export type Origin = 'cli' | 'mcp' | 'library' | 'console';

export type OnOutput = (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
export type OnUsage = (usage: Usage) => void;

/** Models see fewer skills than people do. */
export function audienceOf({ origin }: Pick<Request, 'origin'>): Audience {
  return origin === 'mcp' ? 'models' : 'people';
}

export interface EngineOptions {
  readonly isLongLived?: boolean;
  readonly vitals?: Vitals;
  /** Told how far a scan has come, whichever call it was begun for. */
  readonly onProgress?: OnProgress;
}

export function createEngine(configuration: Configuration, seen: Environment, options: EngineOptions = {}): Engine {
  const { values } = configuration;
  const { isLongLived = false, vitals, onProgress } = options;
  const environment = { ...seen, trustedProjects: values.trustedProjects };
  const registry = new Registry(values, values, environment, onProgress);
  return { environment, configuration, registry, isLongLived, vitals, disposers: new Set() };
}

/** Ends whatever may still be going on. */
export function endEngine({ disposers }: Engine): void {
  for (const end of disposers) end();
  disposers.clear();
}

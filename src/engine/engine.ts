import type { Configuration } from '../core/config/layers.ts';
import type { Environment } from '../core/environment.ts';
import type { Logger } from '../core/log.ts';
import type { OnProgress } from '../core/progress.ts';
import type { Form } from '../core/schema-reader.ts';
import { Registry } from '../registry/registry.ts';
import type { Audience } from '../registry/snapshot.ts';
import type { ActivityNotes } from './activity/note.ts';
import type { Freshness } from './freshness.ts';
import type { LoadCache } from './load-cache.ts';
import type { Vitals } from './operations/health.ts';
import type { SkillText } from './operations/load.ts';
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
  /** Where a server tells what goes on. */
  readonly log?: Logger | undefined;
  /** What to end with the engine: whoever begins something that lasts adds to it. */
  readonly disposers: Set<() => void>;
}

/** Services of an engine, each created by the first call that needs it, from a module that is loaded for that. */
export interface Services {
  runner?: Promise<Runner>;
  searcher?: Searcher;
  notes?: Promise<ActivityNotes>;
  loads?: LoadCache<SkillText>;
  /** Brings the registry up to date before each call, where calls go on. */
  freshness?: Pick<Freshness, 'check'>;
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
  readonly confirm?: Confirm | undefined;
  /** How long it waits for what is not ready yet, such as the index; for ever where nothing is said. */
  readonly patienceMs?: number | undefined;
  /** How values are written: as data where nothing is said. */
  readonly form?: Form | undefined;
  /** How whoever asked writes the name of a field, for what they are told is wrong with it. */
  readonly spell?: ((field: string) => string) | undefined;
}

/** The faces through which calls come. */
export type Origin = 'cli' | 'mcp' | 'library' | 'console';

/** Asks a person. What the answer is about tells one question from another of the same words. */
export type Confirm = (question: string, about: string) => Promise<boolean>;

export type OnOutput = (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
export type OnUsage = (usage: Usage) => void;

/** Models see fewer skills than people do. */
export function audienceOf({ origin }: Pick<Request, 'origin'>): Audience {
  return origin === 'mcp' ? 'models' : 'people';
}

/** The name of a field as whoever asked has written it. */
export function spelled({ spell }: Request, field: string): string {
  return spell?.(field) ?? `'${field}'`;
}

export interface EngineOptions {
  readonly isLongLived?: boolean;
  readonly vitals?: Vitals;
  readonly log?: Logger;
  /** Told how far a scan has come, whichever call it was begun for. */
  readonly onProgress?: OnProgress;
}

export function createEngine(configuration: Configuration, seen: Environment, options: EngineOptions = {}): Engine {
  const { values } = configuration;
  const { isLongLived = false, vitals, log, onProgress } = options;
  const environment = { ...seen, trustedProjects: values.trustedProjects };
  const registry = new Registry(values, values, environment, onProgress);
  return { environment, configuration, registry, isLongLived, vitals, log, disposers: new Set() };
}

/** Ends whatever may still be going on. */
export function endEngine({ disposers }: Engine): void {
  for (const end of disposers) end();
  disposers.clear();
}

import { join } from 'node:path';
import type { Cluster } from '../cluster/connection.ts';
import type { ClusterJobs } from '../cluster/workers/jobs.ts';
import type { Configuration } from '../core/config/layers.ts';
import { loadConfiguration } from '../core/config/load.ts';
import { isThere } from '../core/disk/files.ts';
import { channelFolder, stateFolder } from '../core/disk/own-folders.ts';
import type { Environment } from '../core/environment.ts';
import type { Logger } from '../core/log.ts';
import type { OnProgress } from '../core/progress.ts';
import type { Form } from '../core/schema/schema-reader.ts';
import type { TraceContext } from '../core/telemetry.ts';
import { Registry } from '../registry/registry.ts';
import type { Audience } from '../registry/snapshot.ts';
import type { Limits } from '../run/policy/types.ts';
import type { Outcome } from '../run/sandbox/types.ts';
import type { AccessViews } from './access/tenant.ts';
import type { ActivityNotes } from './activity/note.ts';
import type { Freshness } from './freshness/freshness.ts';
import type { LoadCache } from './loading/load-cache.ts';
import type { Vitals } from './operations/machine/health.ts';
import type { SkillText } from './operations/skills/load.ts';
import type { Runner } from './running/runner.ts';
import type { Usage } from './running/types.ts';
import type { Searcher } from './searching/searcher.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

/** An engine lives as long as the process: one configuration, one registry, and the services that calls share. */
export interface Engine extends Services {
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly registry: Registry;
  /** Whether the engine goes on after the first answer, so that getting ready for the next one pays. */
  readonly isLongLived: boolean;
  /** Vital signs that a server reports about itself. */
  readonly vitals?: Vitals | undefined;
  /** The log of a server. */
  readonly log?: Logger | undefined;
  /** Disposers that run when the engine ends: code that starts something lasting adds one. */
  readonly disposers: Set<() => void>;
  /** The engine of which this one shows a part, where somebody may see some of its skills only. */
  readonly whole?: Engine | undefined;
}

/** Services of an engine, each created by the first call that needs it, from a module loaded on demand. */
interface Services {
  runner?: Promise<Runner>;
  searcher?: Searcher;
  notes?: Promise<ActivityNotes>;
  loads?: LoadCache<SkillText>;
  cluster?: Cluster;
  access?: AccessViews;
  jobs?: Promise<ClusterJobs>;
  /** Traces and metrics for a collector, where one is configured. */
  telemetry?: Telemetry | undefined;
  /** Check that brings the registry up to date before each call, in a process that serves many. */
  freshness?: Pick<Freshness, 'check'>;
}

/** One call: who makes it, the callbacks that report on it, and what it may ask a person. */
export interface Request {
  readonly origin: Origin;
  /** The name that an MCP client gives itself. */
  readonly client?: string | undefined;
  /** The person or program that an access token named, where one did; their groups, and what the token is good for. */
  readonly subject?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly scopes?: ReadonlySet<string> | undefined;
  /** The id of the request in the log of the server. */
  readonly requestId?: string | undefined;
  /** The place of the call in a distributed trace, where the caller names one. */
  readonly trace?: TraceContext | undefined;
  /** The execution of a server that a worker carries out by this call. */
  readonly onBehalf?: OnBehalf | undefined;
  /** Signal that is aborted when the caller no longer wants the answer. */
  readonly signal?: AbortSignal | undefined;
  /** Callback for the progress of long work. */
  readonly onProgress?: OnProgress | undefined;
  /** Callback for the output of a tool while it runs, without secrets and before it is shaped. */
  readonly onOutput?: OnOutput | undefined;
  /** Callback for the resource usage of a run so far, a few times a second. */
  readonly onUsage?: OnUsage | undefined;
  /** Callback for what a person should know before it happens. */
  readonly warn?: ((warning: string) => void) | undefined;
  /** Asks a person before something is allowed; where nobody can be asked, it is not. */
  readonly confirm?: Confirm | undefined;
  /** Milliseconds to wait for what is not ready yet, such as the index; forever if omitted. */
  readonly waitMs?: number | undefined;
  /** Form in which values are written; data if omitted. */
  readonly form?: Form | undefined;
  /** Spells the name of a field as the caller writes it, for error messages about it. */
  readonly spell?: ((field: string) => string) | undefined;
}

/** An execution that a server has handed to a worker. */
interface OnBehalf {
  readonly id: string;
  /** Names of the server and of the worker. */
  readonly server: string;
  readonly worker: string;
  /** Limits of the server: the run gets no more than these, nor more than the worker's own. */
  readonly limits: Limits;
  /** Resolves when the server has said to begin, or that it no longer wants it: nothing is run before. */
  readonly wanted: Promise<boolean>;
  /** Callback for the outcome, before it is put into words. */
  readonly onOutcome: (outcome: Outcome) => void;
}

/** The entry points through which calls come. */
type Origin = 'cli' | 'mcp' | 'library' | 'console';

/** Asks a person. `about` tells questions of the same wording apart. */
export type Confirm = (question: string, about: string) => Promise<boolean>;

export type OnOutput = (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
export type OnUsage = (usage: Usage) => void;

/** The audience of a call: models see fewer skills than people do. */
export function audienceOf({ origin }: Pick<Request, 'origin'>): Audience {
  return origin === 'mcp' ? 'models' : 'people';
}

/** Spells the name of a field as the caller has written it. */
export function spelled({ spell }: Request, field: string): string {
  return spell?.(field) ?? `'${field}'`;
}

export interface EngineOptions {
  readonly isLongLived?: boolean;
  readonly vitals?: Vitals;
  readonly log?: Logger;
  /** Callback for the progress of a scan, whichever call it was started for. */
  readonly onProgress?: OnProgress;
}

export function createEngine(configuration: Configuration, seen: Environment, options: EngineOptions = {}): Engine {
  const { values } = configuration;
  const { isLongLived = false, vitals, log, onProgress } = options;
  const handsOver = values.executions === 'cluster' && values.cluster !== undefined;
  const handedOver = handsOver ? channelFolder(seen, values.clusterName, values.clusterChannel) : undefined;
  const environment = { ...seen, trustedProjects: values.trustedProjects, handedOver };
  const disabledNow = isLongLived && configuration.files.length > 0 ? reading : undefined;
  // Where nothing has ever been in quarantine, a start pays one look for it.
  const quarantine = async () =>
    isThere(join(stateFolder(environment), 'quarantine'))
      ? (await import('./scanning/quarantine.ts')).readQuarantine(values, environment)
      : undefined;
  const registry = new Registry(values, values, environment, { onProgress, disabledNow, quarantine });
  const engine: Engine = { environment, configuration, registry, isLongLived, vitals, log, disposers: new Set() };
  // A server follows its cluster; whoever answers once compares once.
  if (values.cluster !== undefined && !isLongLived) engine.freshness = { check: onceCompared(engine) };
  return engine;

  /** Reads the list of disabled skills again. A file that cannot be read just now changes nothing. */
  async function reading(): Promise<readonly string[]> {
    const { disabled } = await loadConfiguration({}, seen, { withoutProject: true })
      .then((read) => read.values)
      .catch(() => values);
    return disabled;
  }
}

function onceCompared(engine: Engine): () => Promise<void> {
  let compared: Promise<void> | undefined;
  return () => {
    compared ??= import('./cluster/catalogue.ts').then(({ compareCatalogue }) => compareCatalogue(engine));
    return compared;
  };
}

/** Runs the disposers, which end whatever may still be going on. */
export function endEngine({ disposers }: Engine): void {
  for (const end of disposers) end();
  disposers.clear();
}

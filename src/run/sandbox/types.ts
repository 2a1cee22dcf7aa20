import { choice, flag, type Infer, literal, named, nullable, number, object, text } from '../../core/schema/schema.ts';
import type { HostRule, LimitName, Limits, Mount, RuntimeName } from '../policy/types.ts';

export const exitReasons = [
  'exited',
  'timeout',
  'cancelled',
  'output_limit',
  'memory',
  'process_limit',
  'file_limit',
  'scratch_limit',
  'denied',
  'invalid_parameters',
  'not_found',
  'lost',
  'worker_lost',
  'no_worker',
  'busy',
  'engine_error',
] as const;
export type ExitReason = (typeof exitReasons)[number];

/**
 * The program to start inside. Programs and files are given by their path on this machine. A digest is the SHA-256 of
 * the file's bytes, in hex: other bytes are not run.
 */
export type Task =
  | { readonly kind: 'command'; readonly program: string; readonly args: readonly string[] }
  | { readonly kind: 'module'; readonly file: string; readonly digest: string; readonly args: readonly string[] }
  | {
      readonly kind: 'component';
      readonly file: string;
      readonly digest: string;
      readonly tool: string;
      /** The parameters as JSON. */
      readonly parameters: string;
    }
  | { readonly kind: 'container'; readonly image: string; readonly args: readonly string[] }
  /** A call that a worker makes a task of, from the files with this digest. */
  | {
      readonly kind: 'call';
      readonly skill: string;
      /** The digest of the files in the skill's own folder. */
      readonly digest: string;
      readonly tool: string;
      readonly instance: string | null;
      /** The parameters as JSON. */
      readonly parameters: string;
      /** The shaping of its output as JSON: where nobody waits for the result, the worker makes it. */
      readonly shaping: string;
      readonly runtime: RuntimeName;
      /** Labels that the worker must have. */
      readonly labels: readonly string[];
      /** Whether it may be run a second time where it is not known what became of the first. */
      readonly idempotent: boolean;
      readonly caller: {
        readonly by: 'cli' | 'mcp' | 'library' | 'console';
        readonly client?: string;
        readonly subject?: string;
        /** The id of the request in the log of the server. */
        readonly request?: string;
        /** The place of the execution in a distributed trace. */
        readonly traceparent?: string;
        readonly tracestate?: string | undefined;
      };
    };

/** One run: everything that it may see, and no more. */
export interface RunSpec {
  /** The unique ID of the execution. */
  readonly id: string;
  readonly task: Task;
  /** The whole environment of the run. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array | null;
  /** The real folder of the skill, or of a copy of it. It is seen read-only at `skillTarget`. */
  readonly skillFolder: string;
  readonly folder: 'skill' | 'scratch';
  readonly mounts: readonly Mount[];
  /** Mounts inside the others, over entries that have different access. */
  readonly guards?: readonly Mount[];
  /** Hosts that may be reached; empty for no network at all. */
  readonly network: readonly HostRule[];
  readonly limits: Limits;
}

/** The paths at which every run sees its skill, and its scratch folder. */
export const skillTarget = '/skill';
export const scratchTarget = '/tmp';

export type Stream = 'stdout' | 'stderr';

/** Callbacks and signal of the caller that watches a run. */
export interface Watcher {
  /** Called with each piece of output as it comes; never more than the limit of the stream. */
  onOutput(stream: Stream, bytes: Uint8Array): void;
  /** Called with the usage so far, a few times a second and once at the end. Without it nothing is measured. */
  onUsage?(usage: Usage): void;
  /** Called where a run begins anew: all output before is void. */
  onRestart?(why: string): void;
  /** Aborted when the run must go on even if its caller is gone. */
  readonly detached?: AbortSignal;
  /** Called when such a run no longer needs this process, as a worker has it and everybody can find it. */
  onKept?(): void;
  /** Aborted to cancel: the whole process tree is killed. */
  readonly signal: AbortSignal;
}

/** Resources that a run has used so far. */
export const usageSchema = named(
  'Usage',
  object({
    elapsedMs: number(),
    // Memory of its processes and its scratch files, as last seen.
    memoryBytes: nullable(number(), 'Null where the machine cannot measure it.'),
    peakMemoryBytes: nullable(number()),
    cpuSeconds: nullable(number()),
    outputBytes: number('Of both streams.'),
  }),
);
export type Usage = Infer<typeof usageSchema>;

/** The mechanism that enforces one limit of this run on this machine. */
export const enforcementSchema = named(
  'Enforcement',
  object({
    what: choice(['files', 'network', 'processes', 'memory', 'cpu', 'time', 'output', 'scratch', 'user']),
    // `cgroup`, `bubblewrap`, `rlimit, per process`, …
    by: text(),
  }),
);
export type Enforcement = Infer<typeof enforcementSchema>;

/** Something the run tried and was refused, as far as it is noticed: a host that is not on its list. */
export const denialSchema = object({ what: literal('network'), detail: text() });
export type Denial = Infer<typeof denialSchema>;

/** The result of one harmless attack on the sandbox of this machine. */
export const probeSchema = object({
  name: text(),
  expectation: text('What must happen, in words.'),
  held: flag(),
  mechanism: text('What holds it, as the run itself says.'),
  detail: text('What happened.'),
});
export type ProbeResult = Infer<typeof probeSchema>;

export interface Outcome {
  readonly reason: ExitReason;
  /** Exit code; null if it was killed, or never started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** A sentence that says why, whenever the reason is not `exited`. */
  readonly message: string | null;
  /** The remedy, where whoever ran it knows one. */
  readonly hint?: string | null;
  /** Remarks of a worker on the run. */
  readonly notes?: readonly string[];
  /** The worker that ran it. */
  readonly worker?: string;
  /** The limit that ended it, or that it reached and survived, if there was one. */
  readonly limit?: LimitName;
  readonly durationMs: number;
  readonly enforcement: readonly Enforcement[];
  readonly denials: readonly Denial[];
}

/** The abilities of a machine, or why it lacks them. */
export type Readiness =
  | { readonly ready: true; readonly enforcement: readonly Enforcement[] }
  | { readonly ready: false; readonly reason: string; readonly remedy: string };

/** Something that a task needs and the machine does not have. */
export interface Lack {
  readonly reason: string;
  readonly remedy: string;
}

/** A way to run things. All of them keep one contract, and one suite of tests proves it of each. */
export interface SandboxRuntime {
  readonly name: RuntimeName | 'cluster';
  /** Whether runs are given the skill's own folder instead of a private copy of what was checked. */
  readonly runsInPlace?: true;
  /** The path at which a run sees the folder of its skill. */
  seesSkillAt(folder: string): string;
  /** Tells whether this machine can run it; looked up once. */
  readiness(): Promise<Readiness>;
  /** Returns what the machine lacks for a task, such as an image; null if nothing. Tasks without such needs have none. */
  lacks?(task: Task): Promise<Lack | null>;
  /**
   * Runs to the end. Never rejects for what the run does: whatever happens is an outcome. When it resolves, no process,
   * mount, socket or file of the run is left.
   */
  run(spec: RunSpec, watcher: Watcher): Promise<Outcome>;
  /** Removes leftovers of runs whose processes are dead. */
  sweep(): Promise<void>;
  /** Ends everything that is kept ready. */
  close(): Promise<void>;
}

import {
  choice,
  count,
  flag,
  type Infer,
  list,
  named,
  nullable,
  number,
  object,
  text,
} from '../../core/schema/schema.ts';

/** The ways to run things. */
export const runtimeNames = ['native', 'wasm', 'docker'] as const;
export type RuntimeName = (typeof runtimeNames)[number];

/** Limits of a run. Every one of them is enforced, or the run is refused. */
export const limitsSchema = named(
  'Limits',
  object({
    timeoutMs: number(),
    memoryBytes: number(),
    processes: number(),
    outputBytes: number('Of standard output, and again of standard error.'),
    scratchBytes: number(),
    fileBytes: number('Of any one file that is written.'),
    cpuSeconds: number(),
  }),
);
export type Limits = Infer<typeof limitsSchema>;

export type LimitName = keyof Limits;

/** An amount of what a limit holds back. */
export interface LimitRule {
  readonly limit: LimitName;
  readonly amount: number;
}

/** A host that may be connected to: `api.example.com`, `*.example.com`, `10.0.0.7:8080`. */
const hostRuleSchema = object({
  // The host in lower case and punycode, without a trailing dot and without the `*.`.
  host: text(),
  below: flag('Whether it means all subdomains, not the host itself.'),
  port: nullable(count(), 'Null for every port.'),
});
export type HostRule = Infer<typeof hostRuleSchema>;

export interface PathRule {
  readonly access: 'read' | 'write';
  /** The path, absolute, as written. */
  readonly path: string;
}

/** Capabilities that a skill or a tool asks for beyond the default: in one form, however they were written. */
export interface Capabilities {
  readonly network: readonly HostRule[];
  readonly filesystem: readonly PathRule[];
  /** Names of environment variables. */
  readonly env: readonly string[];
  /** Names of secrets. */
  readonly secrets: readonly string[];
  /** Programs outside the skill, by name, that are not on the list everyone may run. */
  readonly commands: readonly string[];
  /** Container images. */
  readonly images: readonly string[];
  /** Limits of a run. Up to the defaults, no grant is needed. */
  readonly limits: readonly LimitRule[];
}

/** A file of a skill by its path from the skill's folder, and the digest of its bytes. */
export type FileDigests = Readonly<Record<string, string>>;

/** A grant: the capabilities that an operator has allowed one skill, as it was then. */
export interface Grant {
  /** The real folder of the skill. */
  readonly skill: string;
  readonly name: string;
  /** The digest of all files together. */
  readonly digest: string;
  readonly files: FileDigests;
  readonly capabilities: Capabilities;
  /** The capabilities that it asked for too, and was not allowed; absent where it was allowed everything. */
  readonly withheld?: Capabilities;
  /** The place where each path of the file system really led then. */
  readonly places: Readonly<Record<string, string>>;
  /** The time in ISO 8601. */
  readonly grantedAt: string;
}

/** Rules that operators lay down for every skill, whatever is asked for and granted. */
export interface OperatorPolicy {
  /** The file it comes from; null where there is none and the defaults hold. */
  readonly file: string | null;
  /** Capabilities that may be granted at all; null for anything that is not refused to everyone. */
  readonly network: readonly HostRule[] | null;
  readonly filesystem: readonly PathRule[] | null;
  readonly env: readonly string[] | null;
  readonly secrets: readonly string[] | null;
  /** Programs that need no grant. */
  readonly commands: readonly string[];
  /** Programs that may be granted; null for any. */
  readonly grantableCommands: readonly string[] | null;
  readonly images: readonly string[] | null;
  readonly runtimes: readonly RuntimeName[];
  /** Whether something may run whose memory and processor time are only watched, for want of a control group. */
  readonly watchedLimits: boolean;
  readonly defaults: Limits;
  readonly ceilings: Limits;
  /** When skills must be scanned, whatever the user has set; null for when the user says so. */
  readonly scan: 'add' | 'run' | null;
  readonly maxConcurrent: number;
  readonly maxConcurrentPerSkill: number;
  readonly maxQueue: number;
}

/** A folder of the host that a run sees. */
const mountSchema = object({
  // The real path on the host.
  source: text(),
  // The path at which the run sees it.
  target: text(),
  access: choice(['read', 'write']),
});
export type Mount = Infer<typeof mountSchema>;

/** The final permissions of a run: what is asked for, granted, and not forbidden. */
export const permissionsSchema = object({
  network: list(hostRuleSchema),
  mounts: list(mountSchema),
  missing: list(text(), 'Paths that were granted and do not exist.'),
  env: list(text()),
  secrets: list(text(), 'Their names.'),
  limits: limitsSchema,
});
export type Permissions = Infer<typeof permissionsSchema>;

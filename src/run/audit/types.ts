/** The caller of whatever is recorded. */
interface Caller {
  /** The entry point: `cli`, `mcp`, `console` or `library`. */
  readonly by: string;
  /** The name that an MCP client gave itself, where it did. */
  readonly client?: string;
  /** The person or program that an access token named, where one did. */
  readonly subject?: string;
  /** The server that was asked, which a worker may have run it for. */
  readonly server?: string;
}

/** The facts known of an execution before it begins. */
export interface AuditStart extends Caller {
  /** The id of the execution; its other record has the same. */
  readonly id: string;
  readonly skill: string;
  /** The real folder of the skill. */
  readonly folder: string;
  /** The digest of all files of the skill. */
  readonly digest: string;
  readonly tool: string;
  readonly runtime: string;
  /** The parameters, without secrets. */
  readonly parameters: unknown;
  /** The id of the request in the log of the server, and of the trace that it is part of. */
  readonly request?: string;
  readonly trace?: string;
  /** The worker that ran it. */
  readonly worker?: string;
  /** Whether no sandbox was to be used. */
  readonly unsafe: boolean;
}

/** The outcome of an execution. */
export interface AuditEnd extends AuditStart {
  readonly result: string;
  readonly exitCode: number | null;
  readonly message: string | null;
  readonly durationMs: number;
  readonly outputBytes: number;
  readonly enforcement: Readonly<Record<string, string>>;
}

export const grantResults = ['granted', 'narrowed', 'revoked', 'not_granted', 'allowed', 'requested'] as const;

/** A grant that somebody gave a skill, or took back. */
export interface AuditGrant extends Caller {
  readonly id: string;
  readonly skill: string;
  /** The real folder of the skill. */
  readonly folder: string;
  /** The digest of all files of the skill, as it was granted. */
  readonly digest: string;
  /**
   * The capabilities that are allowed, or no longer are, and those that were asked for and withheld; of a version that
   * was let out of quarantine, what was found in it, and the reason.
   */
  readonly parameters: {
    readonly items: readonly string[];
    readonly withheld?: readonly string[];
    readonly reason?: string;
  };
  /**
   * `narrowed` takes something away that was granted before; `not_granted` failed after it was written down; `allowed`
   * lets a version out of quarantine; `requested` waits for somebody else to confirm it.
   */
  readonly result: (typeof grantResults)[number];
}

export const changeResults = ['changed', 'not_changed'] as const;

/** A change that somebody made in the console: to a skill, to which are enabled, to the file of an agent. */
export interface AuditChange extends Caller {
  readonly id: string;
  /** The operation, such as `edit`. */
  readonly operation: string;
  /** The skills it is about, as they were named; empty where it is about none. */
  readonly skill: string;
  /** The rest of what was asked for, without secrets. */
  readonly parameters: unknown;
  /** `not_changed` follows where it failed after it was written down. */
  readonly result: (typeof changeResults)[number];
}

/** The content of each record besides its place in the chain. */
export type AuditBody =
  /** `process` names who runs it, which distinguishes an execution that is under way from one that was lost. */
  | ({ readonly event: 'start'; readonly process: string } & AuditStart)
  | ({ readonly event: 'end' } & AuditEnd)
  /** `user` is who did it, as the system names them. */
  | ({ readonly event: 'grant'; readonly user: string } & AuditGrant)
  | ({ readonly event: 'change'; readonly user: string } & AuditChange)
  | { readonly event: 'checkpoint'; readonly key: string; readonly signature: string }
  /** The first record of a file that follows another. */
  | { readonly event: 'continued'; readonly file: string }
  /** The log was found to have been tampered with, or to have lost something. */
  | { readonly event: 'alarm'; readonly why: string };

interface Chained {
  /** The number of the record: from 1, without gaps, over all files. */
  readonly seq: number;
  /** The time in ISO 8601, in UTC. */
  readonly timestamp: string;
  /** The hash of the record before; 64 zeros for the first. */
  readonly prev: string;
  /** SHA-256 over the record as it is written, without this field and the next. */
  readonly hash: string;
  /** The MAC over number and hash, made with the key: without it nobody can make a record, however well chained. */
  readonly mac: string;
}

export type AuditEvent = AuditBody['event'];
export type AuditRecord = Chained & AuditBody;

/** The end of a chain, which the next record follows. */
export interface Link {
  readonly seq: number;
  readonly hash: string;
}

export const noLink: Link = { seq: 0, hash: '0'.repeat(64) };

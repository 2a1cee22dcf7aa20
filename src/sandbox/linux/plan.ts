import type { Limits, Mount } from '../../policy/types.ts';

/** One process tree in a sandbox of its own: all that it sees, and what it is. */
export interface LaunchPlan {
  /** Of the execution; unique. */
  readonly id: string;
  /** The program by its path inside, and its arguments. */
  readonly argv: readonly string[];
  /** The whole environment. Never seen in a list of processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Inside. */
  readonly cwd: string;
  /** Folders and files of the host, besides the system's. Later ones cover earlier ones. */
  readonly binds: readonly Mount[];
  /** Folders of its own that some of the binds lie in; the program can close them to itself. */
  readonly folders?: readonly string[];
  /** Those of the binds that were looked at before, by their real paths: nothing is started where they are no longer so. */
  readonly exact?: readonly Mount[];
  /** The same for those that lie in others, and hold what may not be written there. */
  readonly guards?: readonly Mount[];
  /** Whether there is a `/proc`. */
  readonly proc: boolean;
  readonly limits: Limits;
  /** Bytes are best where all of them are known: they can be read again by name, as `/dev/stdin`. */
  readonly stdin: 'pipe' | 'none' | Uint8Array;
  /** The socket of the proxy it may use; none for no network at all. */
  readonly socket?: string;
  /**
   * Where the program is one of ours that waits by itself: it says that it is there, is told this line, and has a
   * channel to speak to us. Then nothing is inside but the binds, not even a shell, and `env` is no secret.
   */
  readonly told?: string;
  /** Aborted to give up while it is being set up. */
  readonly signal?: AbortSignal;
}

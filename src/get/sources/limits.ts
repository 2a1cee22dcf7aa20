/** Limits on what is fetched: the same for every kind of source and archive. */
export interface Limits {
  /** Bytes of an archive or a Git pack, as they are sent. */
  readonly sentBytes: number;
  /** Bytes of all files together, as they lie on disk. */
  readonly bytes: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Files, folders and links together. */
  readonly entries: number;
  /** Bytes on disk for each byte sent, counted once there are `ratioFrom` bytes: text shrinks to a fifth, a bomb to a thousandth. */
  readonly ratio: number;
  readonly ratioFrom: number;
  /** Bytes of one name, and of a whole path, in UTF-8; and the number of folders in a path. */
  readonly nameBytes: number;
  readonly pathBytes: number;
  readonly depth: number;
  /** Bytes of an index, a manifest or the like. */
  readonly documentBytes: number;
  /** Skills or plugins in an index. */
  readonly listed: number;
  /** Times that a server may send us elsewhere. */
  readonly redirects: number;
  /** Milliseconds without a sign of life. */
  readonly idleMs: number;
  /** Bytes a second, on average over `idleMs`: a server that drips is as good as one that hangs. */
  readonly bytesPerSecond: number;
  /** Milliseconds for all of it. */
  readonly totalMs: number;
}

const [KiB, MiB] = [1024, 1024 ** 2];

export const usualLimits: Limits = {
  sentBytes: 256 * MiB,
  bytes: 512 * MiB,
  fileBytes: 128 * MiB,
  entries: 100_000,
  ratio: 100,
  ratioFrom: 16 * MiB,
  nameBytes: 255,
  pathBytes: 1000,
  depth: 32,
  documentBytes: 4 * MiB,
  listed: 10_000,
  redirects: 5,
  idleMs: 30_000,
  bytesPerSecond: KiB,
  totalMs: 15 * 60_000,
};

const mebibyte = 1024 * 1024;

/** Limits of what is taken from one server, and of the time: one that exceeds them costs nobody else anything. */
export const fetchLimits = {
  /** Skills of one server. */
  skills: 5000,
  /** Pages of its list. */
  pages: 1000,
  /** Files of one skill, and their bytes: what the skills extension obliges hosts to accept. */
  files: 512,
  skillBytes: 16 * mebibyte,
  /** Bytes of all skills together. */
  totalBytes: 512 * mebibyte,
  /** Bytes of one message: the largest file, as base64, and what is around it. */
  messageBytes: 24 * mebibyte,
  /** Milliseconds for one answer, and for all of them. */
  requestMs: 30_000,
  totalMs: 600_000,
} as const;

export type FetchLimits = { readonly [K in keyof typeof fetchLimits]: number };

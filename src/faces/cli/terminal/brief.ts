/** Formats a duration for a table column: `120 ms`, `12.5 s`. */
export function briefDuration(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** A timestamp without fractions of a second, which nobody reads. */
export function briefTime(iso: string): string {
  return iso.replace(/\.\d+Z$/, 'Z');
}

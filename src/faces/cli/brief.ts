/** For a column of them: `120 ms`, `12.5 s`. */
export function briefDuration(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** A moment without the parts of its second, which nobody reads. */
export function briefTime(iso: string): string {
  return iso.replace(/\.\d+Z$/, 'Z');
}

/** Writes a vector as whole numbers from −127 to 127; returns the worth of each of them. */
export function quantize(vector: Float32Array, into: Int8Array, at: number): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return 0;
  const scale = largest / 127;
  vector.forEach((value, index) => {
    into[at + index] = Math.round(value / scale);
  });
  return scale;
}

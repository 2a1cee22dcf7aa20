/**
 * SHA-256 in hex, of all parts concatenated. The crypto module is loaded when first needed: many commands end without
 * it.
 */
export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const { createHash, hash } = process.getBuiltinModule('node:crypto');
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return hash('sha256', only, 'hex'); // one call, which is quicker
  const whole = createHash('sha256');
  for (const part of parts) whole.update(part);
  return whole.digest('hex');
}

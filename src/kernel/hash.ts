/** SHA-256 in hex. The crypto module is loaded when first needed: many commands end without it. */
export function sha256(data: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', data, 'hex');
}

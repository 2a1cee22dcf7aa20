/** What a WebAssembly file is, by its first eight bytes; null where it is none. */
export function kindOfWasm(head: Uint8Array): 'module' | 'component' | null {
  const [zero, a, s, m, version, , layer, upper] = head;
  if (zero !== 0 || a !== 0x61 || s !== 0x73 || m !== 0x6d || upper !== 0) return null;
  if (layer === 1) return 'component';
  return layer === 0 && version === 1 ? 'module' : null;
}

/** What our programs and the interface that they offer use of the language and of Node. */
const kept = new Set(
  [
    'Object Array String Number Boolean Symbol BigInt Math JSON Date Map Set Error RangeError TypeError Infinity NaN undefined',
    'ArrayBuffer SharedArrayBuffer DataView Uint8Array Int32Array Uint32Array Atomics WebAssembly',
    'Buffer TextEncoder TextDecoder performance crypto',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Takes everything else out of reach before a guest begins: `process`, `Function`, `fetch` and whatever else acts on the machine. A
 * guest gets no object to begin with; should it ever get one, nothing that it leads to is of use.
 */
export function closeRealm(): void {
  // By names of our own: these are among what goes.
  const [realm, { ownKeys, deleteProperty }] = [globalThis, Reflect];
  for (const key of ownKeys(realm)) {
    if (typeof key === 'symbol' || !kept.has(key)) deleteProperty(realm, key);
  }
  Error.stackTraceLimit = 0;
}

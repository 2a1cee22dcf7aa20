import { setFlagsFromString } from 'node:v8';

// Usually garbage is collected when the heap is several times as large as what is in use, and the space for new objects grows to
// 32 MB, or to 128 in later versions of Node. Thriftily, the heap gets a fifth more than is in use, and that space grows no more.
const usually = ['--heap-growing-percent=0', '--semi-space-growth-factor=2'];
const thriftily = ['--heap-growing-percent=20', '--semi-space-growth-factor=1'];
let isThrifty = false;

/**
 * Keeps a flood from filling the heap with garbage, from when clients hold more than a little until they hold nothing. Every
 * request costs more meanwhile.
 */
export function tendHeap(heldBytes: number, littleBytes: number): void {
  const wasThrifty = isThrifty;
  isThrifty = heldBytes > (wasThrifty ? 0 : littleBytes);
  if (isThrifty !== wasThrifty) for (const flag of isThrifty ? thriftily : usually) setFlagsFromString(flag);
}

import { openRepertoire, tell } from './library.mjs';

/** The heap that stays in use while a snapshot is held, before and after every way to write a name was used. */
const repertoire = openRepertoire();

function heapBytes() {
  // Once is not always enough: what a finalizer frees is only gone after the next.
  for (let round = 0; round < 4; round++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

await repertoire.refresh();
const scanned = heapBytes();
await repertoire.resolve('no-such-skill').catch(() => undefined); // builds every index there is
const indexed = heapBytes();
tell({ scanned, indexed });
repertoire.close();

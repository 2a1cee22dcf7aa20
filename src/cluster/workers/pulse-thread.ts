import { parentPort, workerData } from 'node:worker_threads';
import { openCluster } from '../connection.ts';
import { heardMs, type PulseData, type PulseWord } from './pulse.ts';

/** Milliseconds without a sign of the worker's own thread from which on this one speaks for it, and up to which. */
const [busyMs, hungMs] = [4 * heardMs, 10_000];

const { settings, environment, heard } = workerData as PulseData;
const cluster = openCluster(settings, environment);
const places = new Set<string>();

parentPort?.on('message', (word: PulseWord) => {
  if ('begin' in word) places.add(word.begin);
  else places.delete(word.end);
});

void cluster.connected().then((connection) => {
  setInterval(() => {
    const silentMs = Number(process.hrtime.bigint() - Atomics.load(heard, 0)) / 1e6;
    // One that has hung for so long is as good as lost.
    if (silentMs < busyMs || silentMs > hungMs || connection.isClosed()) return;
    for (const place of places) connection.publish(`${place}.pulse.0`);
  }, heardMs);
});

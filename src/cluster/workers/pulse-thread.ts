import { parentPort, workerData } from 'node:worker_threads';
import { openCluster } from '../connection.ts';
import { bytesOf, listen, subjectsIn, type WorkerFacts } from './messages.ts';
import { heardMs, type PulseData, type PulseWord } from './pulse.ts';

/** Milliseconds without a sign of the worker's own thread from which on this one speaks for it, and up to which. */
const [busyMs, hungMs] = [4 * heardMs, 10_000];

const { settings, environment, heard } = workerData as PulseData;
const cluster = openCluster(settings, environment);
const places = new Set<string>();
let facts: WorkerFacts | undefined;

parentPort?.on('message', (word: PulseWord) => {
  if ('facts' in word) ({ facts } = word);
  else if ('begin' in word) places.add(word.begin);
  else places.delete(word.end);
});

/** Whether the worker's own thread cannot speak at present. One that has hung for long is as good as lost. */
function isBusy(): boolean {
  const silentMs = Number(process.hrtime.bigint() - Atomics.load(heard, 0)) / 1e6;
  return silentMs >= busyMs && silentMs <= hungMs;
}

void cluster.connected().then((connection) => {
  setInterval(() => {
    if (!isBusy() || connection.isClosed()) return;
    for (const place of places) connection.publish(`${place}.pulse.0`);
  }, heardMs);
  listen(connection, subjectsIn(cluster.names).census, (message) => {
    if (facts !== undefined && isBusy()) message.respond(bytesOf({ ...facts, running: places.size }));
  });
});

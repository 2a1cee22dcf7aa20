import { createClient } from '../clients/http.mjs';
import { quantile } from '../measure.mjs';
import { tell } from './library.mjs';

/** An ordinary client beside others: new ones come all the time, each calls a few times. Tells how long each call took. */
const { url, call, lastsMs } = JSON.parse(process.argv[2] ?? '');
/** @type {number[]} */
const times = [];
let failed = 0;
const until = performance.now() + lastsMs;
const steady = createClient(url, 'legacy', 1);
await steady.open();
while (performance.now() < until) {
  const fresh = createClient(url, 'legacy', 1);
  for (const step of [fresh.open, () => fresh.call(call), () => steady.call(call), () => steady.call(call)]) {
    const started = performance.now();
    const isRight = await Promise.resolve()
      .then(step)
      .then((right) => right !== false)
      .catch(() => false);
    times.push(performance.now() - started);
    if (!isRight) failed++;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  fresh.close();
}
steady.close();
times.sort((a, b) => a - b);
tell({ asked: times.length, failed, p99: quantile(times, 0.99), slowest: times.at(-1) });

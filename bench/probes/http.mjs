import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../clients/http.mjs';
import { quantile } from '../measure.mjs';

/**
 * Clients of a server over HTTP, in a process of their own: `http.mjs PROBE OPTIONS`, which are JSON, as is what it tells.
 *
 * @type {Record<string, (options: any) => Promise<unknown>>}
 */
const probes = {
  /** Calls one tool many times, so many at once, and tells how long that took. */
  async load({ url, era, call, count, atOnce }) {
    const client = createClient(url, era, atOnce);
    await client.open();
    let [left, failed] = [count, 0];
    const callOn = async () => {
      while (left-- > 0) if (!(await client.call(call))) failed++;
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: atOnce }, callOn));
    const wallMs = performance.now() - start;
    client.close();
    return { wallMs, failed };
  },

  /** Many clients at once: each opens a session and its stream, and calls when all have done so. */
  async sessions({ url, call, sessions, calls }) {
    const clients = Array.from({ length: sessions }, () => createClient(url, 'legacy', 1));
    /** @type {string[]} */
    const failures = [];
    let answered = 0;
    const attempt = async (/** @type {Promise<boolean | void>} */ work) => {
      try {
        if ((await work) === false) failures.push('the answer is an error');
        else answered++;
      } catch (error) {
        failures.push(String(error));
      }
    };
    const start = performance.now();
    await Promise.all(clients.map((client) => attempt(client.open().then(client.listen))));
    await Promise.all(
      clients.map(async (client) => {
        for (let done = 0; done < calls; done++) await attempt(client.call(call));
      }),
    );
    const wallMs = performance.now() - start;
    for (const client of clients) client.close();
    return { wallMs, answered, failed: failures.length, failure: failures[0] };
  },

  /** An ordinary client beside others: new ones come all the time, each calls a few times. Tells how long each call took. */
  async beside({ url, call, lastsMs }) {
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
        await sleep(10);
      }
      fresh.close();
    }
    steady.close();
    times.sort((a, b) => a - b);
    return { asked: times.length, failed, p99: quantile(times, 0.99), slowest: times.at(-1) };
  },
};

const [name = '', options = ''] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await probes[name]?.(JSON.parse(options))));

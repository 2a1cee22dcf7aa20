import { createClient } from '../clients/http.mjs';
import { tell } from './library.mjs';

/** Many clients at once: each opens a session and its stream, and calls when all have done so. */
const { url, call, sessions, calls } = JSON.parse(process.argv[2] ?? '');
const clients = Array.from({ length: sessions }, () => createClient(url, 'legacy', 1));
/** @type {string[]} */
const failures = [];
let answered = 0;

/** @param {Promise<boolean | void>} work */
async function attempt(work) {
  try {
    if ((await work) === false) failures.push('the answer is an error');
    else answered++;
  } catch (error) {
    failures.push(String(error));
  }
}

const start = performance.now();
await Promise.all(clients.map((client) => attempt(client.open().then(client.listen))));
await Promise.all(
  clients.map(async (client) => {
    for (let done = 0; done < calls; done++) await attempt(client.call(call));
  }),
);
tell({ wallMs: performance.now() - start, answered, failed: failures.length, failure: failures[0] });
for (const client of clients) client.close();

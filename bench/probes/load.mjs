import { createClient } from '../clients/http.mjs';
import { tell } from './library.mjs';

/** Calls one tool many times, so many at once, and tells how long that took. */
const { url, era, call, count, atOnce } = JSON.parse(process.argv[2] ?? '');
const client = createClient(url, era, atOnce);
await client.open();
let [left, failed] = [count, 0];

async function callOn() {
  while (left-- > 0) if (!(await client.call(call))) failed++;
}

const start = performance.now();
await Promise.all(Array.from({ length: atOnce }, callOn));
tell({ wallMs: performance.now() - start, failed });
client.close();

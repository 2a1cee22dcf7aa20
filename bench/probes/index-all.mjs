import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRepertoire, tell } from './library.mjs';

/** The indexing of every skill by itself, once all are known; and whether anything else could run meanwhile. */
const repertoire = openRepertoire();
await repertoire.refresh();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
await sleep(50);
delay.reset();
await sleep(10); // the first tick after a reset is not counted: what follows it is
const start = performance.now();
const { index } = await repertoire.search('merge several spreadsheets into one');
const wallMs = performance.now() - start;
await sleep(5); // the last stretch is only seen by the tick after it
delay.disable();
tell({ wallMs, index, longest: delay.max / 1e6, peak: process.resourceUsage().maxRSS * 1024 });
repertoire.close();

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRepertoire, tell } from './library.mjs';

/** The longest time in which a scan lets nothing else run. */
const repertoire = openRepertoire(process.argv[2]);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
await sleep(50); // the start of Node is not the scan's
delay.reset();
await sleep(10); // the first tick after a reset is not counted: what follows it is
const start = performance.now();
await repertoire.refresh();
const wallMs = performance.now() - start;
await sleep(5); // the last stretch is only seen by the tick after it
delay.disable();
tell({ longest: delay.max / 1e6, p99: delay.percentile(99) / 1e6, wallMs });

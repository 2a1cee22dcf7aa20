import { openRepertoire, tell } from './library.mjs';

/** The first search of all in a fresh process: every skill is read and indexed before it is answered. */
const repertoire = openRepertoire();
const { index } = await repertoire.search('merge several spreadsheets into one');
const coldMs = performance.now();
const { user, system } = process.cpuUsage();
tell({ coldMs, cpuMs: (user + system) / 1000, index, peak: process.resourceUsage().maxRSS * 1024 });
repertoire.close();

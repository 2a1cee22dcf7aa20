import { appendFileSync, utimesSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRepertoire } from '../../dist/lib/index.js';
import { namesOf } from '../catalogue.mjs';
import { readQueries } from '../search/questions.mjs';

/**
 * What the library costs, in a process of its own: `library.mjs PROBE …`. It sees the machine through this process's home
 * and working directory or, with a folder given, that folder alone as one root; and tells the figure that started it in JSON.
 *
 * @type {Record<string, (...args: string[]) => Promise<unknown>>}
 */
const probes = {
  /** How long the first scan of a process takes, and how long further ones that find nothing new. */
  async scan(refreshes) {
    const repertoire = openRepertoire();
    const [first] = await timed(() => repertoire.refresh());
    const later = [];
    while (later.length < Number(refreshes)) later.push((await timed(() => repertoire.refresh()))[0]);
    return { first, later, skills: (await repertoire.list()).skills.length };
  },

  /** How long a name takes to resolve when nothing else goes on; beside it, a bare look into a map. */
  async lookup() {
    const repertoire = openRepertoire();
    const names = namesOf((await repertoire.list()).skills);
    await repertoire.resolve(names[0] ?? '');
    const map = new Map(names.map((name) => [name, name.length]));
    /** @type {Record<'resolve' | 'map' | 'miss', number[]>} */
    const rounds = { resolve: [], map: [], miss: [] };
    let sum = 0;
    for (let round = 0; round < 7; round++) {
      let start = performance.now();
      for (const name of names) sum += (await repertoire.resolve(name)).name.length;
      rounds.resolve.push(((performance.now() - start) * 1000) / names.length);
      start = performance.now();
      for (const name of names) sum += map.get(name) ?? 0;
      rounds.map.push(((performance.now() - start) * 1000) / names.length);
      start = performance.now();
      await repertoire.resolve(`${names[round]}-unheard-of`).catch(() => undefined);
      rounds.miss.push((performance.now() - start) * 1000);
    }
    return { ...rounds, names: names.length, sum };
  },

  /** How long a lookup takes while a refresh runs. */
  async during(folder) {
    const repertoire = openRepertoire(folder);
    repertoire.subscribe(() => undefined); // as a server does; it makes a refresh compare what it found
    const { skills } = await repertoire.list();
    const names = await knownNames(repertoire, skills); // so that idle means idle: compiled, and every index built
    const latenciesDuring = (/** @type {Promise<unknown>} */ work) => askedDuring(work, repertoire, names);
    const idle = await latenciesDuring(sleep(300));
    const unchanged = [];
    for (let turn = 0; turn < 3; turn++) unchanged.push(...(await latenciesDuring(repertoire.refresh())));
    // Every file looks changed, though none is: all must be read again.
    const now = new Date();
    for (const { file } of skills) utimesSync(file, now, now);
    await sleep(50); // let the new times settle, as the cache wants them
    return { idle, unchanged, changed: await latenciesDuring(repertoire.refresh()) };
  },

  /** The longest time in which a scan lets nothing else run. */
  async block(folder) {
    const repertoire = openRepertoire(folder);
    const { ms, longest, p99 } = await watched(() => repertoire.refresh());
    return { longest, p99, wallMs: ms };
  },

  /** The heap that stays in use while a snapshot is held, before and after every way to write a name was used. */
  async heap() {
    const repertoire = openRepertoire();
    await repertoire.refresh();
    const scanned = collected().heapUsed;
    await repertoire.resolve('no-such-skill').catch(() => undefined); // builds every index there is
    const indexed = collected().heapUsed;
    repertoire.close();
    return { scanned, indexed };
  },

  /** The first search of all in a fresh process: every skill is read and indexed before it is answered. */
  async 'first-search'() {
    const repertoire = openRepertoire();
    const { index } = await repertoire.search(question);
    const coldMs = performance.now();
    const { user, system } = process.cpuUsage();
    repertoire.close();
    return { coldMs, cpuMs: (user + system) / 1000, index, peak: peakBytes() };
  },

  /** The indexing of every skill by itself, once all are known; and whether anything else could run meanwhile. */
  async 'index-all'() {
    const repertoire = openRepertoire();
    await repertoire.refresh();
    const { ms, longest, result } = await watched(() => repertoire.search(question));
    repertoire.close();
    return { wallMs: ms, index: result.index, longest, peak: peakBytes() };
  },

  /** One skill of many changes: how long until it is found by what is new in it, and how many were read for that. */
  async 'index-one'(turns) {
    const repertoire = openRepertoire();
    const { skills } = await repertoire.list();
    await repertoire.search(question);
    const waits = [];
    const added = new Set();
    for (let turn = 0; turn < Number(turns); turn++) {
      const { name, file } = skills[(turn * 1237) % skills.length] ?? {};
      const word = `zwxq${'abcdefghijklmnopqrstuvwxyz'[turn]}${process.pid}`;
      appendFileSync(file, `\n${word}\n`);
      const [refresh] = await timed(() => repertoire.refresh());
      const [search, { results, index }] = await timed(() => repertoire.search(word));
      waits.push({ refresh, search });
      if (results[0]?.name !== name) throw new Error(`${results[0]?.name} was found, not ${name}`);
      added.add(index.added);
    }
    repertoire.close();
    return { waits, added: [...added] };
  },

  /**
   * A process that finds an index on disk: what the registry took, what the first search takes with all that it opens,
   * how long each further one takes, and what is held in memory at each of these points.
   */
  async search(rounds) {
    const repertoire = openRepertoire();
    const [registryMs] = await timed(() => repertoire.refresh());
    const registry = collected().rss;
    const [openMs, { index }] = await timed(() => repertoire.search(question));
    const opened = collected().rss;
    /** @type {{ kind: string, ms: number, cpuMs: number }[]} */
    const waits = [];
    for (let round = -1; round < Number(rounds); round++) {
      for (const { query, kind } of readQueries()) {
        const before = process.cpuUsage();
        const [ms] = await timed(() => repertoire.search(query));
        const { user, system } = process.cpuUsage(before);
        if (round >= 0) waits.push({ kind, ms, cpuMs: (user + system) / 1000 }); // the first round is for the compiler
      }
    }
    const busy = process.memoryUsage.rss();
    const { rss: settled, heapUsed: used, heapTotal: total } = collected();
    repertoire.close();
    return { registryMs, openMs, index, waits, bytes: { registry, opened, busy, settled }, heap: { used, total } };
  },

  /** Runs a tool each time it is told a line, and tells how long that took. */
  async execute(skill, tool) {
    const repertoire = openRepertoire();
    await repertoire.list();
    for await (const _line of createInterface({ input: process.stdin })) {
      const [ms, { reason, exitCode, message, durationMs }] = await timed(() => repertoire.execute(skill, tool));
      if (reason !== 'exited' || exitCode !== 0) throw new Error(`the run ended with ${reason}: ${message}`);
      process.stdout.write(`${JSON.stringify({ ms, runMs: durationMs })}\n`);
    }
    repertoire.close();
  },
};

const question = 'merge several spreadsheets into one';

/** @param {string} [folder] */
function openRepertoire(folder) {
  const only = folder ? { skillDirs: [folder], scanDefaultDirs: false, skipPlugins: true } : {};
  return createRepertoire({ autoRefresh: false, ...only });
}

/** @template T @param {() => Promise<T>} work @returns {Promise<[ms: number, result: T]>} */
async function timed(work) {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

/** How long something takes, and the longest time in which it lets nothing else run. @template T @param {() => Promise<T>} work */
async function watched(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await sleep(50); // the start of Node is not its own
  delay.reset();
  await sleep(10); // the first tick after a reset is not counted: what follows it is
  const [ms, result] = await timed(work);
  await sleep(5); // the last stretch is only seen by the tick after it
  delay.disable();
  return { ms, result, longest: delay.max / 1e6, p99: delay.percentile(99) / 1e6 };
}

/** Those that mean one skill: a copy in the same root makes some ways to write its name ambiguous. */
async function knownNames(repertoire, skills) {
  const names = [];
  for (const name of namesOf(skills)) {
    const problem = await repertoire.resolve(name).catch((error) => error);
    if (problem.code === 'ambiguous') continue;
    if (problem instanceof Error) throw problem;
    names.push(name);
  }
  return names;
}

/**
 * Requests arrive by the clock, every two milliseconds, and their time counts from when they should have begun: one that
 * must wait because the loop is blocked has waited.
 *
 * @param {Promise<unknown>} work until which requests arrive
 * @param {{ resolve: (name: string) => Promise<unknown> }} repertoire
 * @param {readonly string[]} names
 */
async function askedDuring(work, repertoire, names) {
  const everyMs = 2;
  /** @type {number[]} */
  const waits = [];
  let isOver = false;
  const end = work.then(() => {
    isOver = true;
  });
  for (let due = performance.now(); !isOver; ) {
    await sleep(1);
    // All that have arrived by now are answered now: a queue must not grow by the way it is asked.
    for (; due <= performance.now(); due += everyMs) {
      await repertoire.resolve(names[waits.length % names.length] ?? '');
      waits.push(performance.now() - due);
    }
  }
  await end;
  return waits;
}

/** The memory that stays, not what waits to be collected. */
function collected() {
  // Once is not always enough: what a finalizer frees is only gone after the next.
  for (let round = 0; round < 4; round++) globalThis.gc?.();
  return process.memoryUsage();
}

function peakBytes() {
  return process.resourceUsage().maxRSS * 1024;
}

const [name = '', ...args] = process.argv.slice(2);
const told = await probes[name]?.(...args);
if (told !== undefined) process.stdout.write(JSON.stringify(told));

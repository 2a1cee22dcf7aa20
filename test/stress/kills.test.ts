import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { identities } from '../sandbox/identities.ts';
import { comesFrom, filesBelow, groupsOf, type Process, processesFor, untilNone } from './machine.ts';
import { askFor, createPlace, execute, type Place } from './server.ts';

// Hundreds of servers are started and killed, which takes minutes on a busy machine: this only ends what hangs.
vi.setConfig({ testTimeout: 900_000 });

/** When a server is killed: while it makes all that its first runs need, when it has that, or when its runs are there. */
type Moment = 'first' | 'later' | 'running';

/** So many servers live, and are killed, at the same time; they share all there is to share. */
const moments: readonly Moment[] = ['first', 'later', 'running', 'running'];
const atOnce = moments.length;
const rounds = { yourself: 50, nobody: 15 } as const;
const longestMs = { first: 500, later: 200, running: 100 } as const;
const policy = '[concurrency]\ntotal = 8\nper_skill = 4\n';

interface Row {
  readonly event: string;
  readonly result: string;
}

/** Servers with commands, modules and a job under way, killed at any moment. */
class Killer {
  readonly pids: number[] = [];
  /** How many of them had skills that were running. */
  met = 0;
  /** Those that were not killed yet. */
  readonly #alive = new Set<number>();
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  async round(): Promise<void> {
    await Promise.all(moments.map((moment) => this.#kill(moment)));
  }

  async #kill(moment: Moment): Promise<void> {
    const server = await this.#place.serve(['--detach-after', '100']);
    const { pid = 0 } = server.child;
    this.pids.push(pid);
    this.#alive.add(pid);
    const mark = `8${pid}${Date.now()}`;
    if (moment !== 'first') {
      await Promise.all(['first', 'module'].map((skill) => execute(server, skill, toolOf(skill), { id: '1' })));
    }
    askFor(server, 'first', 'linger', { id: mark });
    askFor(server, 'plain', 'linger', { args: [mark] });
    askFor(server, 'sleeper', 'run', { id: mark });
    askFor(server, 'second', 'echo', { id: mark, text: '', stdin: '', code: 0 });
    const isRunning = () => processesFor(this.#place.skills).some(({ command }) => command === `sleep ${mark}`);
    if (moment === 'running') while (!isRunning()) await pause(10);
    await pause(Math.random() * longestMs[moment]);
    if (isRunning()) this.met += 1;
    server.child.kill('SIGKILL');
    await server.exited;
    this.#alive.delete(pid);
    // A sandbox that was half made may be there until somebody sweeps; nothing of a skill was started in it.
    await untilNone(() => this.#orphans().filter(({ isLauncher }) => !isLauncher));
  }

  /** What is left of all that were killed. */
  left(alive: number): readonly unknown[] {
    this.#alive.add(alive);
    const files = filesBelow(this.#place.temporary).filter((name) => !name.startsWith(`repertoire-run-${alive}.`));
    return [...this.#orphans(), ...groupsOf(this.pids), ...files];
  }

  #orphans(): readonly Process[] {
    return processesFor(this.#place.skills).filter((process) => !comesFrom(process, this.#alive));
  }
}

function toolOf(skill: string): string {
  return skill === 'module' ? 'run' : 'echo';
}

describe.each(identities)('servers that are killed, as %s', (identity) => {
  const count = rounds[identity] * atOnce;

  it(`leave nothing that runs and a sound log, at any of ${count} moments, and the next starts as ever`, async () => {
    const place = await createPlace(identity, policy);
    const killer = new Killer(place);
    for (let round = 0; round < rounds[identity]; round++) {
      await killer.round();
      if (round % 10 === 9) await startsAsEver(place, killer);
    }
    await startsAsEver(place, killer);
    expect(killer.pids).toHaveLength(count);

    const rows = (await place.run(['audit', '--json', '--limit', '100000'])).json<{ executions: readonly Row[] }>();
    const lost = rows.executions.filter(({ event }) => event === 'start');
    // It did meet runs under way, and each of them is known to be no more.
    expect(killer.met).toBeGreaterThanOrEqual(count / 2);
    expect(lost.length).toBeGreaterThan(count / 2);
    expect(lost.filter(({ result }) => result !== 'lost')).toEqual([]);
    const { jobs } = (await place.run(['jobs', '--json'])).json<{ jobs: readonly { state: string }[] }>();
    expect(jobs.filter(({ state }) => state === 'running')).toEqual([]);
    expect(jobs.filter(({ state }) => state === 'lost').length).toBeGreaterThan(0);
  });
});

async function startsAsEver(place: Place, killer: Killer): Promise<void> {
  const server = await place.serve();
  const { pid = 0 } = server.child;
  const words = { id: 'after', text: 'all', stdin: '', code: 0 };
  expect(await execute(server, 'first', 'echo', words)).toMatchObject({ exit_reason: 'exited', exit_code: 0 });
  expect(await execute(server, 'module', 'run', { id: 'after' })).toMatchObject({ exit_reason: 'exited' });
  await untilNone(() => killer.left(pid));
  expect(server.stderr).not.toMatch(/ (?:error|warn) /);
  expect(await server.end()).toBe(0);
  await untilNone(() => killer.left(0));
  const verified = await place.run(['audit', 'verify', '--json']);
  expect(verified.json()).toMatchObject({ ok: true, broken: null });
}

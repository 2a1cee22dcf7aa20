import { setTimeout as delay } from 'node:timers/promises';
import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { count, oneLine } from '../../core/text/text.ts';
import type { ExitReason, Outcome, RunSpec, SandboxRuntime, Task, Watcher } from '../../run/sandbox/types.ts';
import { skillTarget } from '../../run/sandbox/types.ts';
import { type Cluster, unreachable } from '../connection.ts';
import { isNobody, workersOf } from './census.ts';
import {
  bytesOf,
  type Control,
  type Ending,
  keyOf,
  listen,
  messageIn,
  type Offer,
  placeTimeoutMs,
  subjectsIn,
  takenSchema,
  type WorkerFacts,
} from './messages.ts';
import { createQuota } from './quota.ts';
import { type Answer, openSession, type Session } from './session.ts';
import { createTurns } from './turns.ts';

type Call = Extract<Task, { kind: 'call' }>;

export interface ClusterRuntimeOptions {
  /** Most executions at once for one subject, on all servers together; 0 for any number. */
  readonly maxPerSubject: number;
  /** The name of this server in the records of workers. */
  readonly server: string;
  /** Puts the files of a skill where workers find them; `again` where one did not. */
  putBundle(connection: NatsConnection, call: Call, folder: string, again: boolean): Promise<void>;
  /** Puts parameters that are too long for a message where workers find them. Returns what removes them. */
  putInput(connection: NatsConnection, id: string, bytes: Uint8Array): Promise<() => Promise<void>>;
}

/** Offers in a row before the first pause: each may reach a worker that is full although another is not. */
const atOnce = 4;
const [firstPauseMs, longestPauseMs] = [20, 250];
/** Milliseconds to wait for a connection that was lost: another node is found within one second. */
const reconnectMs = 3000;

/** Runs calls on the workers of a cluster: at most once, unless their tool may be run again. */
export function createClusterRuntime(cluster: Cluster, options: ClusterRuntimeOptions): SandboxRuntime {
  const sessions = new Map<string, Session>();
  const quota = options.maxPerSubject === 0 ? undefined : createQuota(cluster, options.maxPerSubject);
  const inbox = createInbox();
  let listening: NatsConnection | null = null;

  /** Listens for the frames of all executions by one subscription. */
  function listenOn(connection: NatsConnection): void {
    if (listening === connection) return;
    listening = connection;
    listen(connection, `${inbox}.>`, (message) => {
      const [key = '', kind = '', number = ''] = message.subject.slice(inbox.length + 1).split('.');
      const session = sessions.get(key);
      if (session !== undefined) session.onFrame(isNobody(message) ? 'nobody' : kind, Number(number), message.data);
      else if (kind === 'taken') dismiss(connection, key, message.data);
    });
  }

  /** Tells a worker that has taken an offer too late that it is no longer wanted: others have room there again. */
  function dismiss(connection: NatsConnection, key: string, bytes: Uint8Array): void {
    const taken = messageIn(takenSchema, bytes);
    const said: Control = { next: 0, again: false, cancel: true, job: false, done: true };
    if (taken !== null) connection.publish(subjectsIn(cluster.names).control(taken.control, key), bytesOf(said));
  }

  async function connected(): Promise<NatsConnection> {
    const connection = await cluster.reached();
    if (cluster.status.state === 'lost') {
      const isBack = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => settle(false), reconnectMs);
        const forget = cluster.onStatus(({ state }) => state === 'connected' && settle(true));
        const settle = (is: boolean): void => {
          clearTimeout(timer);
          forget();
          resolve(is);
        };
      });
      if (!isBack) throw unreachable(cluster.address, cluster.status.failure ?? 'no connection');
    }
    listenOn(connection);
    return connection;
  }

  async function run(spec: RunSpec, watcher: Watcher): Promise<Outcome> {
    const began = performance.now();
    const { task } = spec;
    if (task.kind !== 'call') return failed(began, 'engine_error', `workers take calls, not a ${task.kind}`);
    try {
      watcher.signal.throwIfAborted();
      const { subject } = task.caller;
      const giveBack = subject === undefined ? undefined : await quota?.enter(subject, task.skill, watcher.signal);
      return await carriedOut({ spec, task, watcher, began }).finally(giveBack);
    } catch (error) {
      if (watcher.signal.aborted) return failed(began, 'cancelled', 'it was cancelled');
      const [code, hint] = error instanceof SkillError ? [error.code, error.hint] : [];
      return failed(began, code === 'busy' ? 'busy' : 'engine_error', reasonOf(error), hint);
    }
  }

  interface Asked {
    readonly spec: RunSpec;
    readonly task: Call;
    readonly watcher: Watcher;
    readonly began: number;
  }

  /** Puts everything where workers find it, and then offers the call to them. */
  async function carriedOut(asked: Asked): Promise<Outcome> {
    const { spec, task } = asked;
    const connection = await connected();
    await options.putBundle(connection, task, spec.skillFolder, false);
    const offer = offerFor(asked);
    const mostBytes = (connection.info?.max_payload ?? 1_048_576) - 4096;
    const attempt = { connection, asked, offer, mayRepeat: task.idempotent, maySendAgain: true };
    if (bytesOf(offer).length <= mostBytes) return followed(attempt);
    const forget = await options.putInput(connection, spec.id, Buffer.from(task.parameters));
    try {
      return await followed({ ...attempt, offer: { ...offer, parameters: null } });
    } finally {
      await forget().catch(() => {}); // it goes away by itself, later
    }
  }

  function offerFor({ spec: { id, limits }, task, watcher }: Asked): Offer {
    const { skill, digest, tool, instance, runtime, parameters, shaping, caller } = task;
    return {
      ...{ id, attempt: 0, inbox, skill, digest, tool, instance, runtime, parameters, shaping, limits },
      ...{ measured: watcher.onUsage !== undefined, server: options.server, ...caller, not: [] },
    };
  }

  /** An offer, and what may still be done where nothing comes of it. */
  interface Attempt {
    readonly connection: NatsConnection;
    readonly asked: Asked;
    readonly offer: Offer;
    readonly mayRepeat: boolean;
    readonly maySendAgain: boolean;
  }

  /** Offers, and follows what was taken to its end. A worker that is lost is the end, unless the tool may be run again. */
  async function followed(attempt: Attempt): Promise<Outcome> {
    const { began } = attempt.asked;
    const placed = await place(attempt);
    if ('reason' in placed) return failed(began, placed.reason, placed.message, placed.hint);
    const end = await placed.session.end.finally(() => sessions.delete(placed.key));
    if (end.kind === 'ended') return outcomeOf(end.ending, placed.worker, began);
    return (end.kind === 'lost' ? afterLoss : afterAbsence)(attempt, placed);
  }

  async function afterLoss(attempt: Attempt, { worker, control, number }: Placed): Promise<Outcome> {
    const { offer, asked, mayRepeat } = attempt;
    const { watcher, began } = asked;
    if (!mayRepeat || watcher.signal.aborted) return failed(began, 'worker_lost', lostWords(worker), lostHint);
    watcher.onRestart?.(`${lostWords(worker)}; as its tool may be run again, it was`);
    // Its process, and not its name: one that was started in its place is another.
    const next = { ...offer, attempt: number + 1, not: [control] };
    return followed({ ...attempt, offer: next, mayRepeat: false });
  }

  /** Puts the files of a skill into the cluster again where a worker did not find them there. */
  async function afterAbsence(attempt: Attempt, { worker, number }: Placed): Promise<Outcome> {
    const { connection, offer, asked, maySendAgain } = attempt;
    const { task, spec, began } = asked;
    const message = `${oneLine(worker)} does not find the files of the skill in the cluster`;
    if (!maySendAgain) return failed(began, 'engine_error', message);
    await options.putBundle(connection, task, spec.skillFolder, true);
    return followed({ ...attempt, offer: { ...offer, attempt: number + 1 }, maySendAgain: false });
  }

  /** Offers until a worker takes it. One that declines has run nothing, nor has one that says nothing: it waits for our word. */
  async function place({ connection, offer: given, asked: { task, watcher } }: Attempt): Promise<Placed | Refusal> {
    const want = subjectsIn(cluster.names).offers(task.runtime, task.labels);
    const wants = wantWords(task);
    const line = cluster.lines.get(wants) ?? createTurns();
    cluster.lines.set(wants, line);
    const arrived = performance.now();
    const leave = await line.take({ user: given.subject ?? given.client ?? '', skill: given.skill }, watcher.signal);
    // Whoever has waited while nobody was placed need not wait for that long again.
    const until = Math.max(arrived, line.placedAt) + placeTimeoutMs;
    try {
      for (let offers = 1, number = given.attempt; ; offers++, number++) {
        watcher.signal.throwIfAborted();
        const offer = { ...given, attempt: number };
        const key = keyOf(offer);
        const session = openSession(cluster, connection, offer, watcher);
        sessions.set(key, session);
        connection.publish(want, bytesOf(offer), { reply: `${inbox}.${key}.nobody.0` });
        const answer = await session.answer;
        if (answer.kind === 'taken') {
          line.placedAt = performance.now();
          return { session, key, number, worker: answer.worker, control: answer.control };
        }
        sessions.delete(key);
        const refusal = await refusalFor(answer, connection, task, until);
        if (refusal !== null) return refusal;
        await pauseAfter(offers, watcher.signal);
      }
    } finally {
      leave();
    }
  }

  /** The reason to offer something no more; null where a worker may have room soon. */
  async function refusalFor(
    { kind }: Answer,
    connection: NatsConnection,
    task: Call,
    until: number,
  ): Promise<Refusal | null> {
    const isLate = performance.now() > until;
    if (kind !== 'nobody' && !isLate) return null;
    await connected(); // while it is we who are cut off, the silence of others says nothing
    const all = await workersOf(connection, cluster.names);
    if (!all.some((worker) => takes(worker, task))) return noWorker(task, all);
    return isLate ? allBusy(task, all) : null;
  }

  return {
    name: 'cluster',
    seesSkillAt: () => skillTarget,
    async readiness() {
      const all = await workersOf(await connected(), cluster.names);
      const [first] = all;
      if (first !== undefined) return { ready: true, enforcement: first.enforcement };
      return { ready: false, reason: `no worker is connected to ${cluster.address}`, remedy: startHint };
    },
    run,
    sweep: async () => {},
    close: async () => {},
  };
}

interface Placed {
  readonly session: Session;
  readonly key: string;
  /** The number of the attempt. */
  readonly number: number;
  /** The worker that took it, and the process that it was. */
  readonly worker: string;
  readonly control: string;
}

interface Refusal {
  readonly reason: ExitReason;
  readonly message: string;
  readonly hint: string;
}

/** Waits after some offers in a row, longer each time. */
async function pauseAfter(offers: number, signal: AbortSignal): Promise<void> {
  const pauses = Math.floor(offers / atOnce);
  if (offers % atOnce !== 0) return;
  await delay(Math.min(firstPauseMs * 2 ** (pauses - 1), longestPauseMs), undefined, { signal });
}

const startHint = 'Start one: repertoire worker --cluster URL';
const lostHint = 'Whether it did its work, and how much of it, is not known: look before you run it again.';

function lostWords(worker: string): string {
  return `the worker ${oneLine(worker)} was lost while it ran this`;
}

function takes({ runtimes, labels, state }: WorkerFacts, call: Call): boolean {
  return state === 'ready' && runtimes.includes(call.runtime) && call.labels.every((label) => labels.includes(label));
}

function wantWords({ runtime, labels }: Call): string {
  return labels.length === 0 ? runtime : `${runtime} with ${labels.join(', ')}`;
}

function noWorker(call: Call, all: readonly WorkerFacts[]): Refusal {
  const there = all.map(({ name, runtimes, labels, state }) =>
    oneLine(`${name} (${[...runtimes, ...labels, ...(state === 'ready' ? [] : [state])].join(', ')})`),
  );
  const is = there.length === 0 ? 'there is none at all' : `there are ${there.slice(0, 10).join(', ')}`;
  const options = call.labels.length === 0 ? '' : ` --labels ${call.labels.join(',')}`;
  return {
    reason: 'no_worker',
    message: `no worker runs ${wantWords(call)}: ${is}`,
    hint: `Start one: repertoire worker --cluster URL --runtimes ${call.runtime}${options}`,
  };
}

function allBusy(call: Call, all: readonly WorkerFacts[]): Refusal {
  const those = all.filter((worker) => takes(worker, call));
  return {
    reason: 'busy',
    message: `${count(those.length, 'worker')} for ${wantWords(call)} had no room for ${placeTimeoutMs / 1000} s`,
    hint: 'Nothing was run. Try again in a few seconds, or start more workers.',
  };
}

function outcomeOf({ limit, ...ending }: Ending, worker: string, began: number): Outcome {
  const durationMs = performance.now() - began;
  return { ...ending, ...(limit !== undefined && { limit }), worker, durationMs };
}

function failed(began: number, reason: ExitReason, message: string, hint?: string): Outcome {
  const durationMs = performance.now() - began;
  return {
    reason,
    exitCode: null,
    signal: null,
    message,
    hint: hint ?? null,
    durationMs,
    enforcement: [],
    denials: [],
  };
}

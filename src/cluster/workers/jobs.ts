import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KV } from '@nats-io/kv';
import { flag, type Infer, literal, object, optional, time } from '../../core/schema/schema.ts';
import { openKeys } from '../buckets.ts';
import type { Cluster } from '../connection.ts';
import { patiently } from '../patience.ts';
import { valueIn } from '../values.ts';
import { bytesOf, listen, lostMs, messageIn, name, subject, subjectsIn, token } from './messages.ts';

/** A job, as the worker that runs it keeps it in the cluster. */
const keptSchema = object({
  format: literal(1),
  id: token,
  // The attempt that counts: where a tool is run again, output begins anew.
  attempt: token,
  skill: name,
  tool: name,
  startedAt: time(),
  worker: name,
  subject: optional(subject),
  // The process that has it, and answers for it.
  holder: token,
  done: flag(),
});
export type KeptJob = Omit<Infer<typeof keptSchema>, 'format' | 'holder' | 'done'>;

/** A job as others see it. The result is JSON, and a stranger's; null where there is none. */
export interface SeenJob extends KeptJob {
  readonly state: 'running' | 'done' | 'lost';
  readonly result: string | null;
}

/** A job that this process has. */
export interface HeldJob {
  /** Adds output. What fails can be tried again. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends it with its result, as JSON. */
  end(result: string): Promise<void>;
}

/** The jobs of a cluster, which outlive the server that they were begun by. */
export interface ClusterJobs {
  /** Keeps a job, and answers for it until it ends or this process does; resolves once everybody can find it. */
  hold(job: KeptJob, cancel: () => void): Promise<HeldJob>;
  list(): Promise<readonly SeenJob[]>;
  find(id: string): Promise<SeenJob | undefined>;
  /** The standard output from an offset on. */
  output(id: string, from: number): Promise<Uint8Array>;
  /** Has the process that has a job cancel it. */
  cancel(id: string): Promise<void>;
}

/** Milliseconds after which jobs are forgotten: a week, as everywhere. */
const keptMs = 7 * 24 * 60 * 60 * 1000;
/** Bytes of one piece of output. */
const mostBytes = 256 * 1024;
/** Milliseconds that the holder of a job has to answer, and those until it is asked again. */
const [answerMs, pauseMs] = [500, 100];

/** The ids of executions. Others are not looked up: they would have to be valid keys. */
const idPattern = /^[\w-]{1,64}$/;

const wishSchema = object({ cancel: flag() });

type Part = 'output' | 'result';

/** Opens the jobs of a cluster: facts under their id, and pieces of output and result under the attempt and their offset. */
export async function openJobs(cluster: Cluster): Promise<ClusterJobs> {
  const connection = await cluster.reached();
  const subjects = subjectsIn(cluster.names);
  const keys: KV = await patiently(() => openKeys(connection, cluster.names.jobs, 1, keptMs));
  const holder = randomUUID();
  const held = new Map<string, () => void>();
  let isAnswering = false;

  /** Answers for all jobs that are here by one subscription. */
  function answer(): void {
    if (isAnswering) return;
    isAnswering = true;
    listen(connection, subjects.job(holder, '*'), (message) => {
      const wish = messageIn(wishSchema, message.data);
      const cancel = held.get(message.subject.split('.').at(-1) ?? '');
      if (wish === null || cancel === undefined) return;
      if (wish.cancel) cancel();
      message.respond();
    });
  }

  const put = (key: string, value: string | Uint8Array): Promise<unknown> => patiently(() => keys.put(key, value));

  async function putPieces(key: string, offset: number, bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += mostBytes)
      await put(`${key}.${offset + at}`, bytes.subarray(at, at + mostBytes));
  }

  /** Reads the pieces from an offset on, and fetches no others. */
  async function pieces({ attempt }: KeptJob, part: Part, from: number): Promise<Uint8Array> {
    const starts: number[] = [];
    for await (const key of await keys.keys(`${attempt}.${part}.*`)) starts.push(Number(key.split('.').at(-1)));
    starts.sort((a, b) => a - b);
    const first = Math.max(
      0,
      starts.findLastIndex((start) => start <= from),
    );
    const wanted = starts.slice(first);
    const found = await Promise.all(wanted.map((start) => patiently(() => keys.get(`${attempt}.${part}.${start}`))));
    const bytes = Buffer.concat(found.map((entry) => entry?.value ?? new Uint8Array()));
    return bytes.subarray(Math.max(0, from - (wanted[0] ?? 0)));
  }

  async function factsOf(id: string) {
    const entry = await patiently(() => keys.get(id));
    if (entry?.operation !== 'PUT') return undefined;
    const facts = valueIn(keptSchema, entry.value);
    return facts.ok && facts.value.id === id ? facts.value : undefined;
  }

  /**
   * Looks for a job, and asks whoever has it. One that does not answer may be connecting to another node, or the job may
   * just have ended or gone to another worker: it is looked for again until its worker counts as lost.
   */
  async function seen(id: string, wish = { cancel: false }): Promise<SeenJob | undefined> {
    for (const until = performance.now() + lostMs; ; await sleep(pauseMs)) {
      const facts = await factsOf(id);
      if (facts === undefined) return undefined;
      const { format: _, holder: process, done, ...job } = facts;
      if (done) return { ...job, state: 'done', result: Buffer.from(await pieces(job, 'result', 0)).toString('utf8') };
      const isThere = await connection
        .request(subjects.job(process, id), bytesOf(wish), { timeout: answerMs })
        .then(() => true)
        .catch(() => false);
      if (isThere) return { ...job, state: 'running', result: null };
      if (performance.now() > until) return { ...job, state: 'lost', result: null };
    }
  }

  return {
    async hold(job, cancel) {
      answer();
      held.set(job.id, cancel);
      const facts = (done: boolean): string => JSON.stringify({ format: 1, ...job, holder, done });
      await put(job.id, facts(false));
      let written = 0;
      return {
        async write(bytes) {
          await putPieces(`${job.attempt}.output`, written, bytes);
          written += bytes.length;
        },
        async end(result) {
          await putPieces(`${job.attempt}.result`, 0, Buffer.from(result));
          await put(job.id, facts(true));
          held.delete(job.id);
        },
      };
    },
    async list() {
      const ids: string[] = [];
      for await (const id of await keys.keys('*')) ids.push(id);
      return (await Promise.all(ids.map((id) => seen(id)))).filter((job) => job !== undefined);
    },
    find: async (id) => (idPattern.test(id) ? seen(id) : undefined),
    async output(id, from) {
      const facts = await factsOf(id);
      return facts === undefined ? new Uint8Array() : pieces(facts, 'output', from);
    },
    async cancel(id) {
      await seen(id, { cancel: true });
    },
  };
}

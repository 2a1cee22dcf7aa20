import { parentPort, Worker, type WorkerOptions, workerData } from 'node:worker_threads';
import { type ErrorCode, reasonOf, SkillError } from './errors.ts';

/** The answer of a thread to a call: a value, or the error to throw; and whether the thread is to be ended after it. */
type Answer<T> = { readonly isLast?: boolean } & (
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: { readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined } }
);

/** The death of a thread in the middle of a call, as in "died (out of memory)" or "was ended". */
export class ThreadDied extends Error {}

/** The end of a pool before a call had a thread. */
export class PoolEnded extends Error {}

interface PoolOptions<Call> {
  /** Starts a thread. A thread that is not ready yet may be waited for. */
  readonly start: () => Worker | Promise<Worker>;
  /** Number of threads at most. */
  readonly threads: number;
  /** Whether a call that is under way keeps the process alive. */
  readonly keepsAlive: boolean;
  /** Settles with the answer, or with the error for a call that has taken too long: its thread is ended. */
  readonly late?: (call: Call, answer: Promise<unknown>) => Promise<Error | null>;
  /** Milliseconds after which a call that waits gets a thread anyway, while there are fewer than the most. */
  readonly extraThreadAfterMs?: number;
  /** Whether a call is made again where a thread dies that has answered before: an earlier call may be the cause. */
  readonly retriesUsed?: true;
}

/** Threads that answer calls side by side. One that dies, or is late, is replaced, and other calls are not affected. */
export interface ThreadPool<Call, Value> {
  /** Rejects with `ThreadDied` or `PoolEnded`, with the error of a late call, or with the `SkillError` that the thread has thrown. */
  readonly run: (call: Call) => Promise<Value>;
  /** Number of calls that wait for a thread. */
  readonly waiting: number;
  /** Starts a thread ahead of the first call, so that it has loaded by then. */
  readonly prepare: () => void;
  /** Sets the number of threads that calls get without waiting. */
  readonly resize: (threads: number) => void;
  /** Ends all threads: no call is answered any more. */
  readonly end: () => void;
}

export function createThreadPool<Call, Value>(options: PoolOptions<Call>): ThreadPool<Call, Value> {
  const all = new Set<Worker>();
  const idle: Worker[] = [];
  const waiting: ((worker: Worker | Promise<Worker>) => void)[] = [];
  const used = new WeakSet<Worker>();
  let [wanted, starting, isEnded] = [options.threads, 0, false];
  const count = (): number => all.size + starting;

  async function start(): Promise<Worker> {
    starting++;
    try {
      const worker = await options.start();
      worker.on('error', () => undefined); // reported by its call, if it has one
      worker.once('exit', () => forget(worker));
      worker.unref();
      all.add(worker);
      if (isEnded) drop(worker);
      return worker;
    } finally {
      starting--;
    }
  }

  function forget(worker: Worker): void {
    all.delete(worker);
    if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
  }

  function drop(worker: Worker): void {
    forget(worker);
    void worker.terminate();
  }

  /** Passes a thread on, or a new one in its place if it is gone, to the call that has waited longest. */
  function release(worker: Worker): void {
    if (isEnded) return;
    const isAlive = all.has(worker);
    const waiter = waiting.shift();
    if (waiter !== undefined) waiter(isAlive ? worker : start());
    else if (isAlive) idle.push(worker);
  }

  /** Starts a thread for the call that has waited longest, while there are fewer than this; tells whether it did. */
  function serve(threads: number): boolean {
    const waiter = count() < threads ? waiting.shift() : undefined;
    waiter?.(start());
    return waiter !== undefined;
  }

  async function next(): Promise<Worker> {
    const free = idle.pop();
    if (free !== undefined) return free;
    if (count() < wanted) return start();
    const { extraThreadAfterMs: ms } = options;
    const timer = ms === undefined ? undefined : setTimeout(() => serve(options.threads), ms);
    return new Promise<Worker>((resolve) => waiting.push(resolve)).finally(() => clearTimeout(timer));
  }

  async function ask(worker: Worker, call: Call): Promise<Answer<Value>> {
    if (options.keepsAlive) worker.ref();
    try {
      const answer = await answerOf<Call, Value>(worker, call, options);
      used.add(worker);
      worker.unref();
      if (answer.isLast) drop(worker);
      release(worker);
      return answer;
    } catch (error) {
      drop(worker);
      if (options.retriesUsed && error instanceof ThreadDied && used.has(worker) && !isEnded)
        return ask(await start(), call);
      release(worker);
      throw error;
    }
  }

  return {
    async run(call) {
      if (isEnded) throw new PoolEnded('it was ended');
      const answer = await ask(await next(), call);
      if (answer.problem === undefined) return answer.value;
      const { code, message, hint } = answer.problem;
      throw new SkillError(code, message, hint === undefined ? {} : { hint });
    },
    get waiting() {
      return waiting.length;
    },
    prepare() {
      if (!isEnded && count() === 0) void start().then(release, () => undefined);
    },
    resize(threads) {
      wanted = Math.min(threads, options.threads);
      while (serve(wanted));
    },
    end() {
      isEnded = true;
      for (const waiter of waiting.splice(0)) waiter(Promise.reject(new PoolEnded('it was ended')));
      for (const worker of all) void worker.terminate();
    },
  };
}

/** Gives a thread a call, and waits until it answers, dies or has had its time. */
async function answerOf<Call, Value>(
  worker: Worker,
  call: Call,
  { late }: Pick<PoolOptions<Call>, 'late'>,
): Promise<Answer<Value>> {
  let stop = (): void => undefined;
  const answer = new Promise<Answer<Value>>((resolve, reject) => {
    // What a thread died of comes another way than its answers, and may overtake them: it counts at the end of the thread.
    let reason = 'was ended';
    const died = (error: Error): void => {
      reason = `died (${reasonOf(error)})`;
    };
    const ended = (): void => reject(new ThreadDied(reason));
    stop = () => void worker.off('message', resolve).off('error', died).off('exit', ended);
    worker.once('message', resolve).once('error', died).once('exit', ended);
    worker.postMessage(call);
  });
  try {
    const error = (await late?.(call, answer)) ?? null;
    if (error !== null) throw error;
    return await answer;
  } finally {
    stop();
  }
}

/** Starts a thread with data of its own. Options that were meant for this process, as an inspector's port, stay here. */
export function startThread(program: string, data: object, options: WorkerOptions = {}): Worker {
  return new Worker(program, { workerData: data, execArgv: [], ...options });
}

/** The data that this thread was started with. */
export function threadData<T>(): T {
  return workerData as T;
}

/**
 * Answers the calls that this thread is given. A `SkillError` is thrown to the caller; anything else ends the thread,
 * because nobody knows what state it is in.
 */
export function answerCalls<Call, Value>(
  answer: (call: Call) => Value | Promise<Value>,
  isLast: () => boolean = () => false,
): void {
  const answerTo = async (call: Call): Promise<Answer<Value>> => {
    try {
      const value = await answer(call);
      return { value, isLast: isLast() };
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      const { code, message, hint } = error;
      return { problem: { code, message, hint }, isLast: isLast() };
    }
  };
  parentPort?.on('message', (call: Call) => void answerTo(call).then((made) => parentPort?.postMessage(made)));
}

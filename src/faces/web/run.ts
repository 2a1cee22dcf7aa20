import { randomUUID } from 'node:crypto';
import { executionOf } from '../../engine/activity/follow.ts';
import type { Engine, Request } from '../../engine/engine.ts';
import { type InputOf, invoke } from '../../engine/operation.ts';
import { isDryRun, run } from '../../engine/operations/running/run.ts';
import { keptOf } from '../../engine/running/output.ts';
import type { Exchange } from '../http/exchange.ts';
import { answerWith, bodyOf, pageHeaders } from './answers.ts';
import { callerOf } from './caller.ts';
import type { RunEvent } from './shapes.ts';

type RunInput = InputOf<typeof run>;

/** Runs that have not ended, by their keys. */
export type Runs = Map<string, { readonly cancelling: AbortController; readonly subject: string | undefined }>;

/** Bytes that may wait for a client that reads more slowly than a tool writes; output beyond that is left out. */
const mostWaiting = 8 * 1024 * 1024;
const gap = '\n[left out: it came faster than it was read]\n';

/** Runs a tool. A client that asks for lines is sent events as they happen; any other, the result. */
export async function answerRunOf(exchange: Exchange, engine: Engine, input: RunInput, runs: Runs): Promise<void> {
  const { request, response } = exchange;
  if (response.destroyed) return; // gone already; no event would follow
  const isStream = /\bapplication\/x-ndjson\b/.test(request.headers.accept ?? '');
  const key = randomUUID();
  const cancelling = new AbortController();
  runs.set(key, { cancelling, subject: exchange.identity?.subject });
  // A client that is gone does not want the result any more.
  response.once('close', () => response.writableEnded || cancelling.abort());
  try {
    if (isStream) await stream(exchange, engine, input, key, cancelling.signal);
    else
      answerWith(
        exchange,
        await invoke(engine, run, input, {
          origin: 'console',
          ...callerOf(exchange),
          signal: cancelling.signal,
        }),
      );
  } finally {
    runs.delete(key);
  }
}

/** Cancels a run; returns whether there was one. */
export async function cancelRun(engine: Engine, key: string, runs: Runs, caller: Request): Promise<boolean> {
  const known = runs.get(key);
  const isOwn = caller.subject === undefined || caller.scopes?.has('admin') || known?.subject === caller.subject;
  if (isOwn) known?.cancelling.abort();
  if (known !== undefined) return isOwn;
  const { jobs } = await import('../../engine/operations/running/jobs.ts');
  return invoke(engine, jobs, { action: 'cancel', id: key }, caller).then(
    () => true,
    () => false,
  );
}

async function stream(
  exchange: Exchange,
  engine: Engine,
  input: RunInput,
  key: string,
  signal: AbortSignal,
): Promise<void> {
  const { response } = exchange;
  const send = (event: RunEvent): void => void (response.writable && response.write(`${JSON.stringify(event)}\n`));
  // A character may be split between two chunks.
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let isLeavingOut = false;
  const untold = { stdout: 0, stderr: 0 };
  const tell = (stream: 'stdout' | 'stderr', text: string, written: number): void => {
    untold[stream] += written;
    if (text === '' && untold[stream] === 0) return;
    const wasLeavingOut = isLeavingOut;
    isLeavingOut = response.writableLength > mostWaiting;
    if (isLeavingOut && wasLeavingOut) return;
    send({ event: 'output', stream, text: isLeavingOut ? gap : text, bytes: untold[stream] });
    untold[stream] = 0;
  };
  response.writeHead(200, { ...pageHeaders, 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' });
  send({ event: 'start', key });
  try {
    const request: Request = {
      origin: 'console',
      ...callerOf(exchange),
      signal,
      onOutput: (name, bytes) => tell(name, decoders[name].decode(bytes, { stream: true }), bytes.length),
      onUsage: (usage) => isLeavingOut || send({ event: 'usage', usage }),
    };
    const result = await invoke(engine, run, input, request);
    for (const name of ['stdout', 'stderr'] as const) tell(name, decoders[name].decode(), 0);
    if (isDryRun(result)) send({ event: 'plan', plan: result });
    else {
      const record = await executionOf(engine.environment, result.id);
      send({ event: 'end', result, record, kept: keptOf(engine, result.id) });
    }
  } catch (error) {
    send({ event: 'error', ...bodyOf(error) });
  }
  response.end();
}

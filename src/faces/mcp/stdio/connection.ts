import { stackOf } from '../../../core/errors.ts';
import { createLineCutter } from '../../../core/text/line-cutter.ts';
import {
  batchProblem,
  codes,
  errorAnswer,
  isRecord,
  isRequest,
  type Message,
  modernRevision,
  type Reading,
  type RequestId,
  readLine,
  readMessage,
} from '../protocol/messages.ts';
import type { Service } from '../service.ts';
import { createOpening } from './opening.ts';
import type { Output } from './output.ts';

/** The protocol library serving this connection. */
export interface Protocol {
  /** Passes it a message; false for one that the library does not know, and so would never answer. */
  deliver(message: Message): boolean;
  /** Notifies the client that the lists have changed. */
  notifyChanged(reason: string): void;
  close(): Promise<void>;
}

/** Loads the library and makes it serve, with a callback for its messages. */
type LoadProtocol = (send: (message: object) => void) => Promise<Protocol>;

interface Connection {
  /** Takes bytes from the client. */
  receive(chunk: Buffer): void;
  /** Marks the end of the input. */
  receivedAll(): void;
  /** Resolves when every request has its answer. */
  idle(): Promise<void>;
  notifyChanged(reason: string): void;
  close(): Promise<void>;
}

/** Bytes of the longest message accepted. */
const longest = 10 * 1024 * 1024;

/** Serves one client over stdin and stdout: reads messages, sees to it that each request is answered, and by whom. */
export function createConnection(service: Service, output: Output, loadProtocol: LoadProtocol): Connection {
  const { log } = service;
  const opening = createOpening(service);
  const batches = createBatches();
  /** Number of unanswered requests by id: one, unless the client reuses ids. */
  const pending = new Map<RequestId, number>();
  /** Requests answered here already, which the library is given too and answers again. */
  const replayed = new Set<RequestId>();
  const idlers: (() => void)[] = [];
  /** Requests that are answered only when the connection ends. */
  const subscriptions = new Set<RequestId>();
  /** The negotiated revision, as far as the answers have shown it. */
  let revision: string | undefined;
  let protocol: Protocol | undefined;
  let loading: Promise<Protocol> | undefined;

  const cutter = createLineCutter(longest, {
    onLine(line) {
      const reading = readLine(line);
      if (reading.kind === 'batch') receiveBatch(reading.items);
      else if (reading.kind === 'message') take(reading.message);
      else write(reading.answer);
    },
    onTooLong: () => write(errorAnswer(null, codes.invalidRequest, `Invalid request: longer than ${longest} bytes`)),
  });

  function receiveBatch(items: readonly unknown[]): void {
    const readings = items.map(readMessage);
    const problem = batches.problemWith(readings, revision);
    if (problem !== null) {
      write(errorAnswer(null, codes.invalidRequest, `Invalid request: ${problem}`));
      return;
    }
    const answers = readings.flatMap((one) => (one.kind === 'refused' ? [one.answer] : []));
    const messages = readings.flatMap((one) => (one.kind === 'message' ? [one.message] : []));
    const whole = batches.open(messages.filter(isRequest), answers);
    if (whole !== null) write(whole);
    for (const message of messages) take(message);
  }

  function take(message: Message): void {
    if (isRequest(message)) note(message);
    const answer = protocol === undefined && loading === undefined ? opening.answer(message) : undefined;
    if (answer === undefined) handOver(message);
    else if (isRequest(message)) void finish(message.id, answer);
    if (message.method === 'notifications/cancelled') forget(message.params?.['requestId']);
  }

  function note({ id, method }: { readonly id: RequestId; readonly method: string }): void {
    if (method === 'subscriptions/listen') subscriptions.add(id);
    else pending.set(id, (pending.get(id) ?? 0) + 1);
  }

  /** Forgets a cancelled request, which gets no answer. */
  function forget(id: unknown): void {
    if (!strike(id as RequestId)) return;
    const rest = batches.drop(id as RequestId);
    if (rest !== null) write(rest);
    settle();
  }

  async function finish(id: RequestId, result: object | Promise<object>): Promise<void> {
    if (!(result instanceof Promise)) return send({ jsonrpc: '2.0', id, result });
    try {
      send({ jsonrpc: '2.0', id, result: await result });
    } catch (error) {
      log.error('a request failed', { error: stackOf(error) });
      send(errorAnswer(id, codes.internalError, 'Internal error'));
    }
  }

  function handOver(message: Message): void {
    if (protocol !== undefined) deliver(protocol, message);
    else
      load().then(
        (loaded) => deliver(loaded, message),
        (error: unknown) => giveUp(message, error),
      );
  }

  /**
   * Answers with an error where the library cannot be loaded, most likely a broken installation: no client is left
   * waiting.
   */
  function giveUp(message: Message, error: unknown): void {
    log.error('the protocol library cannot be loaded', { error: stackOf(error) });
    if (isRequest(message))
      send(errorAnswer(message.id, codes.internalError, 'Internal error: the server is not completely installed'));
  }

  function deliver(to: Protocol, message: Message): void {
    if (to.deliver(message) || !isRequest(message)) return;
    send(errorAnswer(message.id, codes.invalidParams, 'Invalid params: `_meta` does not match the protocol'));
  }

  function load(): Promise<Protocol> {
    loading ??= loadProtocol(send).then((loaded) => {
      for (const message of opening.replay) {
        if (isRequest(message)) replayed.add(message.id);
        loaded.deliver(message);
      }
      protocol = loaded;
      return loaded;
    });
    return loading;
  }

  function send(message: object): void {
    const { id, method } = message as Message;
    if (id === undefined || method !== undefined) {
      write(message);
      return;
    }
    if (replayed.delete(id)) return;
    if (!strike(id)) return; // cancelled meanwhile
    revision = revisionIn(message) ?? revision;
    const answer = batches.add(id, message);
    if (answer !== null) write(answer);
    settle();
  }

  /** Takes a request off the list; false if it is not there. */
  function strike(id: RequestId): boolean {
    if (subscriptions.delete(id)) return true;
    const left = (pending.get(id) ?? 0) - 1;
    if (left > 0) pending.set(id, left);
    else pending.delete(id);
    return left >= 0;
  }

  function settle(): void {
    if (pending.size === 0) for (const resolve of idlers.splice(0)) resolve();
  }

  function write(message: object): void {
    output.write(`${JSON.stringify(message)}\n`);
  }

  return {
    receive: (chunk) => cutter.push(chunk),
    receivedAll: () => cutter.end(),
    async idle() {
      if (pending.size > 0) await new Promise<void>((resolve) => idlers.push(resolve));
    },
    notifyChanged(reason) {
      // Clients of the newer era are notified only of what they have subscribed to, which only the library knows.
      if (protocol !== undefined || loading !== undefined || opening.isInitialized) {
        void load().then((loaded) => loaded.notifyChanged(reason));
      }
    },
    async close() {
      await protocol?.close();
    },
  };
}

/** The revision that an answer reveals: the handshake's names it, and only results of the newest one have a type. */
function revisionIn({ result }: Partial<Message>): string | undefined {
  if (!isRecord(result)) return undefined;
  if ('resultType' in result) return modernRevision;
  const { protocolVersion } = result;
  return typeof protocolVersion === 'string' ? protocolVersion : undefined;
}

/** Batches that wait for their answers: requests sent together are answered together. */
interface Batches {
  /** The reason why a batch is refused as a whole, if it is. */
  problemWith(readings: readonly Reading[], revision: string | undefined): string | null;
  /**
   * Opens a batch, with the answers known already. Returns the message to send at once where none are left to wait for.
   */
  open(requests: readonly (Message & { id: RequestId })[], answers: readonly object[]): object | null;
  /** Adds the answer to a request. Returns the message to send: the answer, the batch it completes, or nothing yet. */
  add(id: RequestId, answer: object): object | null;
  /** Drops a request that will have no answer. Returns the batch it was the last to wait for. */
  drop(id: RequestId): object | null;
}

interface Batch {
  readonly waiting: Set<RequestId>;
  readonly answers: object[];
}

function createBatches(): Batches {
  const open = new Map<RequestId, Batch>();

  function settled(id: RequestId, { waiting, answers }: Batch): object | null {
    open.delete(id);
    waiting.delete(id);
    return waiting.size === 0 && answers.length > 0 ? answers : null;
  }

  return {
    problemWith(readings, revision) {
      const opens = readings.some((one) => one.kind === 'message' && one.message.method === 'initialize');
      return batchProblem(readings.length, revision) ?? (opens ? '`initialize` cannot be part of a batch' : null);
    },
    open(requests, answers) {
      const batch = { waiting: new Set(requests.map(({ id }) => id)), answers: [...answers] };
      for (const id of batch.waiting) open.set(id, batch);
      return batch.waiting.size === 0 && answers.length > 0 ? batch.answers : null;
    },
    add(id, answer) {
      const batch = open.get(id);
      if (batch === undefined) return answer;
      batch.answers.push(answer);
      return settled(id, batch);
    },
    drop(id) {
      const batch = open.get(id);
      return batch === undefined ? null : settled(id, batch);
    },
  };
}

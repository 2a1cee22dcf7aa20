import { request } from 'node:http';
import { type Duplex, PassThrough } from 'node:stream';
import type { Container } from 'dockerode';
import type { RunEnd, Running } from '../supervise.ts';
import type { Stream } from '../types.ts';
import { create, type Engine, engineMessage, type Plan, remove, statusOf } from './engine.ts';
import { ranShort } from './limit-watch.ts';

/** A container from before its creation until after its removal. */
interface Life extends Omit<Running, 'cpuSeconds'> {
  /** Additional words about the end, beyond those for its kind; null for none. */
  note(): string | null;
}

interface Steps {
  /** Prepares the resources that the container needs, and returns its settings. */
  prepare(): Promise<Plan>;
  /** Releases the prepared resources once the container is gone. */
  clear(): Promise<void>;
  /** Called before the container is started. */
  onCreate(container: Container): void;
  onStart(container: Container): void;
  /** Called as soon as its output has ended, because the kernel's counters disappear soon after. */
  onQuiet(): void;
  /** Called when it has ended and still exists; returns the limits that it reached. */
  onEnd(): RunEnd['reached'];
  /** Called with the name of a container that the engine did not remove. */
  onLeft(name: string): void;
  readonly input: 'none' | 'pipe';
}

const killed: EndState = {
  exitCode: null,
  signal: 'SIGKILL',
  setUp: true,
  launcherError: '',
  memoryExceeded: false,
  note: null,
};

/**
 * Runs a container from creation to removal. Whatever happens at whichever step, it is removed before its end is
 * reported; an engine that hangs is abandoned once the end was requested, and later creations are then removed.
 */
export function live(engine: Engine, steps: Steps): Life {
  const output = { stdout: new PassThrough(), stderr: new PassThrough() };
  const stdin = steps.input === 'pipe' ? new PassThrough() : null;
  const asked = new AbortController();
  const askedFor = new Promise<EndState>((settle) => asked.signal.addEventListener('abort', () => settle(killed)));
  let note: string | null = null;
  let name: string | null = null;
  let socket: Duplex | null = null;

  const born = async (): Promise<Container> => {
    const plan = await steps.prepare();
    asked.signal.throwIfAborted();
    name = plan.name;
    return create(engine, plan);
  };
  const birth = born();

  const course = async (): Promise<EndState> => {
    const container = await birth;
    asked.signal.throwIfAborted();
    socket = await attach(engine, container.id, stdin === null ? outputs : [...outputs, 'stdin']);
    const closed = connect(socket, output);
    if (asked.signal.aborted) socket.destroy();
    asked.signal.throwIfAborted();
    steps.onCreate(container);
    if (!(await started(container))) return lost;
    steps.onStart(container);
    stdin?.pipe(socket);
    await closed;
    steps.onQuiet();
    return stateAfter(engine, container);
  };

  const whole = async (): Promise<RunEnd> => {
    const failed = (error: unknown): EndState => ({
      ...killed,
      signal: null,
      setUp: false,
      launcherError: engineMessage(error),
    });
    const end = await Promise.race([course().catch(failed), askedFor]);
    const reached = steps.onEnd() ?? [];
    ({ note } = end);
    socket?.destroy();
    for (const stream of Object.values(output)) stream.end();
    await birth.catch(() => undefined);
    if (name !== null && !(await remove(engine, name))) steps.onLeft(name);
    await steps.clear();
    return { ...end, reached };
  };

  return { stdin, ...output, kill: () => asked.abort(), ended: whole(), note: () => note };
}

const outputs = ['stdout', 'stderr'];

/** Starts the container. Returns false if the engine breaks off: the program may have been started all the same. */
async function started(container: Container): Promise<boolean> {
  try {
    await container.start();
    return true;
  } catch (error) {
    if (statusOf(error) === null) return false;
    throw error;
  }
}

/** Connects the streams; settles when no more output will come. */
function connect(socket: Duplex, output: Readonly<Record<'stdout' | 'stderr', PassThrough>>): Promise<void> {
  const demultiplex = demultiplexer((stream, bytes) => {
    if (output[stream].writable) output[stream].write(bytes);
  });
  return new Promise((settle) => {
    socket.on('data', demultiplex);
    socket.once('end', settle);
    socket.once('close', settle);
    // A program that did not read its input has closed the pipe.
    socket.on('error', () => undefined);
  });
}

/** The end of a container, with a note about it. */
interface EndState extends RunEnd {
  readonly note: string | null;
}

/** The exit code after a kill from outside: by the kernel, because we did not and nobody else can. */
const killedCode = 137;

const lost: EndState = {
  exitCode: null,
  signal: null,
  setUp: true,
  launcherError: '',
  memoryExceeded: false,
  note: 'the container engine stopped answering, or something else removed the container',
};

/**
 * Returns how a container ended once its output has ended. Inspecting its state is quicker than waiting for it: engines
 * answer a wait only after they have cleaned up.
 */
async function stateAfter(engine: Engine, container: Container): Promise<EndState> {
  const short = ranShort(engine.info, container.id);
  try {
    let { State: state } = await container.inspect();
    if (state.Running || state.Status === 'stopping') {
      // The container has closed its output but is still running.
      await container.wait();
      ({ State: state } = await container.inspect());
    }
    return endOf({ ...state, OOMKilled: state.OOMKilled || short });
  } catch {
    return lost;
  }
}

function endOf(state: { readonly ExitCode: number; readonly OOMKilled: boolean }): EndState {
  const end = { exitCode: state.ExitCode, signal: null, setUp: true, launcherError: '' };
  if (state.OOMKilled) return { ...end, memoryExceeded: true, note: null };
  // Some engines do not notice that the kernel killed a process.
  const memoryExceeded = state.ExitCode === killedCode;
  const note = memoryExceeded ? 'it was killed, probably because it used more memory than its limit' : null;
  return { ...end, memoryExceeded, note };
}

/**
 * Opens the streams of a container before it is started. Used instead of the library, which sends its options as a body
 * that Podman passes to the program as the beginning of its standard input.
 */
export function attach({ socket, agent }: Engine, id: string, streams: readonly string[]): Promise<Duplex> {
  const query = ['stream', ...streams].map((name) => `${name}=1`).join('&');
  return new Promise((resolve, reject) => {
    const asked = request({
      socketPath: socket,
      agent,
      method: 'POST',
      path: `/containers/${id}/attach?${query}`,
      headers: { Connection: 'Upgrade', Upgrade: 'tcp', 'Content-Length': 0 },
    });
    asked.on('upgrade', (_response, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    // Any response other than a protocol upgrade is a refusal.
    asked.on('response', (response) => {
      const text: Buffer[] = [];
      response.on('data', (piece: Buffer) => text.push(piece));
      response.on('end', () => reject(new Refusal(response.statusCode ?? 0, messageIn(Buffer.concat(text)))));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** A refusal in the shape of the library's own errors. */
class Refusal extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

function messageIn(body: Buffer): string {
  const text = body.toString('utf8').trim();
  try {
    const { message } = JSON.parse(text);
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}

const headerBytes = 8;

/** Streams by the first byte of a frame header. Engines may send messages of their own as the third stream. */
const streams: Readonly<Record<number, Stream>> = { 1: 'stdout', 2: 'stderr', 3: 'stderr' };

/**
 * Demultiplexes the single stream of a container. The library does this by recursion over frames, and a program that
 * writes single bytes overflows its stack.
 */
export function demultiplexer(onOutput: (stream: Stream, bytes: Buffer) => void): (piece: Buffer) => void {
  const header = Buffer.alloc(headerBytes);
  let filled = 0;
  /** Bytes still to come of the frame whose header is complete. */
  let left = 0;

  const readHeader = (piece: Buffer): number => {
    const taken = piece.copy(header, filled, 0, headerBytes - filled);
    filled += taken;
    if (filled === headerBytes) left = header.readUInt32BE(4);
    return taken;
  };
  const readBody = (piece: Buffer): number => {
    const body = piece.subarray(0, left);
    const stream = streams[header[0] ?? 0];
    if (stream !== undefined) onOutput(stream, body);
    left -= body.length;
    return body.length;
  };

  return (piece) => {
    let at = 0;
    while (at < piece.length) {
      at += filled < headerBytes ? readHeader(piece.subarray(at)) : readBody(piece.subarray(at));
      if (filled === headerBytes && left === 0) filled = 0;
    }
  };
}

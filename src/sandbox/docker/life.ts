import { type Duplex, PassThrough } from 'node:stream';
import type { Container } from 'dockerode';
import type { RunEnd, Running } from '../supervise.ts';
import { attach } from './attach.ts';
import { create, type Plan } from './create.ts';
import { type Engine, engineMessage, statusOf } from './engine.ts';
import { demultiplexer } from './frames.ts';
import { remove } from './remove.ts';
import { type EndState, lost, stateAfter } from './state.ts';

/** A container from before its creation to after its removal. */
export interface Life extends Omit<Running, 'cpuSeconds'> {
  /** More words on the end than its kind has; null for none. */
  note(): string | null;
}

export interface Steps {
  /** Makes ready what the container needs, and says what it is to be. */
  prepare(): Promise<Plan>;
  /** Takes away what was made ready, once the container is gone. */
  clear(): Promise<void>;
  /** Called before the container is started. */
  onCreate(container: Container): void;
  onStart(container: Container): void;
  /** Called at once when its output has ended: what the kernel counts of it goes away soon. */
  onQuiet(): void;
  /** Called when it has ended, and is still there: the limits that it met with. */
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
 * Lets a container live. Whatever happens at whichever step, it is removed before its end is told; an engine that hangs
 * is left to itself once the end was asked for, and what it creates later is removed then.
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

/** False where the engine breaks off: what was to be started may have been. */
async function started(container: Container): Promise<boolean> {
  try {
    await container.start();
    return true;
  } catch (error) {
    if (statusOf(error) === null) return false;
    throw error;
  }
}

/** Settles when nothing more will come. */
function connect(socket: Duplex, output: Readonly<Record<'stdout' | 'stderr', PassThrough>>): Promise<void> {
  const demultiplex = demultiplexer((stream, bytes) => {
    if (output[stream].writable) output[stream].write(bytes);
  });
  return new Promise((settle) => {
    socket.on('data', demultiplex);
    socket.once('end', settle);
    socket.once('close', settle);
    // Who did not read its input has closed it.
    socket.on('error', () => undefined);
  });
}

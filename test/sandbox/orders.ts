import { createInterface } from 'node:readline';
import type { RunSpec, SandboxRuntime, Stream, Usage } from '../../src/run/sandbox/types.ts';

/** What a process of its own is told: a line of JSON each. */
interface Order {
  readonly order: 'run' | 'abort' | 'readiness' | 'sweep';
  readonly number: number;
  /** Whether to tell what a run takes. */
  readonly measured?: boolean;
  readonly spec?: Omit<RunSpec, 'stdin'> & { readonly stdin: string | null };
}

export interface Obeying {
  /** Called, and waited for, before each run. */
  readonly beforeRun?: (spec: RunSpec) => Promise<unknown>;
  /** Called when no more orders come. */
  readonly atEnd?: () => void;
}

/** Lets a process run what it is told to, so that it can be another user's, and be killed. */
export function obeyOrders(runtime: SandboxRuntime, { beforeRun, atEnd }: Obeying = {}): void {
  const aborts = new Map<number, AbortController>();
  const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

  async function obey({ order, number, spec, measured }: Order): Promise<void> {
    if (order === 'abort') aborts.get(number)?.abort();
    else if (order === 'sweep') say({ number, result: (await runtime.sweep()) ?? null });
    else if (order === 'readiness') say({ number, result: await runtime.readiness() });
    else if (spec !== undefined) {
      const controller = new AbortController();
      aborts.set(number, controller);
      await beforeRun?.({ ...spec, stdin: null });
      const stdin = spec.stdin === null ? null : Buffer.from(spec.stdin, 'base64');
      const onOutput = (stream: Stream, bytes: Uint8Array) =>
        say({ number, stream, bytes: Buffer.from(bytes).toString('base64') });
      const watching = measured === true && { onUsage: (usage: Usage) => say({ number, usage }) };
      const watcher = { onOutput, ...watching, signal: controller.signal };
      say({ number, result: await runtime.run({ ...spec, stdin }, watcher) });
    }
  }

  createInterface({ input: process.stdin })
    .on('line', (line) => void obey(JSON.parse(line) as Order))
    .on('close', () => atEnd?.());
}

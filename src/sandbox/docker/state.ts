import type { Container } from 'dockerode';
import type { RunEnd } from '../supervise.ts';
import type { Engine } from './engine.ts';
import { ranShort } from './groups.ts';

/** How a container ended, and what there is to say about it. */
export interface EndState extends RunEnd {
  readonly note: string | null;
}

/** Killed from outside: by the kernel, because we did not and nobody else can. */
const killedCode = 137;

export const lost: EndState = {
  exitCode: null,
  signal: null,
  setUp: true,
  launcherError: '',
  memoryExceeded: false,
  note: 'the container engine stopped answering, or something else removed the container',
};

/**
 * The end of a container whose output has ended. To ask for its state is quicker than to wait for it: engines tell who
 * waits only when they have cleaned up.
 */
export async function stateAfter(engine: Engine, container: Container): Promise<EndState> {
  const short = ranShort(engine.info, container.id);
  try {
    let { State: state } = await container.inspect();
    if (state.Running || state.Status === 'stopping') {
      // It has closed its output and goes on.
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
  // Not every engine notices what the kernel has done.
  const memoryExceeded = state.ExitCode === killedCode;
  const note = memoryExceeded ? 'it was killed, probably because it used more memory than its limit' : null;
  return { ...end, memoryExceeded, note };
}

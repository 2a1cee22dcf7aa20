import type { Environment } from '../../kernel/environment.ts';
import type { SandboxRuntime } from '../types.ts';
import { createAbsentRuntime } from './absent.ts';
import { createBubblewrapRuntime, type NativeOptions } from './bubblewrap.ts';
import { createSeatbeltRuntime } from './seatbelt.ts';

/** Commands in the sandbox of the operating system. Where there is none, nothing is run. */
export function createNativeRuntime(environment: Environment, options: NativeOptions = {}): SandboxRuntime {
  if (environment.platform === 'linux') return createBubblewrapRuntime(environment, options);
  if (environment.platform === 'darwin') return createSeatbeltRuntime(environment);
  return createAbsentRuntime(environment.platform);
}

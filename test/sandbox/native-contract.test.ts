import { hostEnvironment } from '../../src/core/environment.ts';
import { createNativeRuntime } from '../../src/run/sandbox/native/runtime.ts';
import { sandboxContract } from './contract.ts';
import { identities, runtimeOf } from './identities.ts';
import { shellJob } from './shell-programs.ts';

sandboxContract('native', async () => ({ runtime: createNativeRuntime(hostEnvironment()), program: shellJob }));

for (const identity of identities.filter((name) => name !== 'yourself')) {
  sandboxContract(`native as ${identity}`, async () => {
    const driver = await runtimeOf(identity);
    return { runtime: driver.runtime, program: shellJob, close: () => driver.close() };
  });
}

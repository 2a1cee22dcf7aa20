import { hostEnvironment } from '../../src/core/environment.ts';
import { createWasmRuntime } from '../../src/run/sandbox/wasm/runtime.ts';
import { sandboxContract } from './contract.ts';
import { contractPrograms } from './guests/contract-programs.ts';
import { installPrograms } from './guests/installed.ts';
import { identities, runtimeOf } from './identities.ts';

sandboxContract('wasm', async () => ({
  runtime: createWasmRuntime(hostEnvironment()),
  program: await contractPrograms(),
}));

sandboxContract('wasm in memory', async () => ({
  runtime: createWasmRuntime(hostEnvironment(), { isolation: 'memory' }),
  program: await contractPrograms(),
  lacks: ['mounts'],
}));

for (const identity of identities.filter((name) => name !== 'yourself')) {
  sandboxContract(`wasm as ${identity}`, async () => {
    const driver = await runtimeOf(identity, { program: 'wasm-driver.ts', prepare: installPrograms });
    return { runtime: driver.runtime, program: await contractPrograms(), close: () => driver.close() };
  });
}

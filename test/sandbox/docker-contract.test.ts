import { hostEnvironment } from '../../src/core/environment.ts';
import { createDockerRuntime } from '../../src/run/sandbox/docker/runtime.ts';
import { image, startContainerEngine } from '../support/containers.ts';
import { isRoot } from '../support/root.ts';
import { sandboxContract } from './contract.ts';
import { shellWords } from './shell-programs.ts';

sandboxContract(
  'docker',
  async () => {
    const engine = await startContainerEngine();
    return {
      runtime: createDockerRuntime(hostEnvironment({ env: { DOCKER_HOST: engine.host } })),
      program: (behaviour) => ({
        kind: 'container',
        image,
        // Engines add variables, and so would a shell.
        args: behaviour.does === 'environment' ? ['/bin/env'] : shellWords(behaviour),
      }),
      close: () => engine.stop(),
    };
  },
  isRoot,
);

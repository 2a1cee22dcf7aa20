import Docker from 'dockerode';
import { hostEnvironment } from '../../src/core/environment.ts';
import { containerFor } from '../../src/run/sandbox/docker/container.ts';
import { createDockerRuntime } from '../../src/run/sandbox/docker/runtime.ts';
import { image, startContainerEngine } from '../../test/support/containers.ts';
import { takeTurns } from '../measure.mjs';
import { obstacleTo, runOnce, specFor, timed } from '../running.mjs';

/**
 * A container that does nothing, run by us, taking turns with one of the very same settings that is run through the
 * engine's interface by hand. The engine is one of our own, and goes away with everything in it.
 */
async function measure() {
  const [folder = '', times = '0'] = process.argv.slice(2);
  const engine = await started();
  if (typeof engine === 'string') return { obstacle: engine };
  try {
    const { socket } = engine;
    const runtime = createDockerRuntime(hostEnvironment(), { socket });
    const obstacle = await obstacleTo(runtime);
    if (obstacle !== null) return { obstacle };
    const docker = new Docker({ socketPath: socket });
    const byHand = { info: await docker.info(), image: await docker.getImage(image).inspect() };
    const [subject, floor] = await takeTurns(
      Number(times),
      () => timed(() => runOnce(runtime, specFor(folder, task))),
      () => timed(() => runByHand(docker, folder, byHand)),
    );
    await runtime.close();
    return { subject, floor };
  } finally {
    await engine.stop();
  }
}

const args = ['/bin/true'];
const task = /** @type {const} */ ({ kind: 'container', image, args });

async function started() {
  try {
    return await startContainerEngine();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function runByHand(docker, folder, { info, image: found }) {
  const spec = specFor(folder, task);
  const settings = containerFor(spec, info, { image: found, args, env: spec.env, network: 'none' });
  const container = await docker.createContainer(settings);
  const output = await container.attach({ stream: true, stdout: true, stderr: true });
  output.resume();
  await container.start();
  const { StatusCode: code } = await container.wait();
  await container.remove();
  if (code !== 0) throw new Error(`the container by hand ended with ${code}`);
}

void measure().then((told) => process.stdout.write(JSON.stringify(told)));

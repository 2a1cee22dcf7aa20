import { hostEnvironment } from '../../src/core/environment.ts';
import { createDockerRuntime } from '../../src/run/sandbox/docker/runtime.ts';
import type { RunSpec } from '../../src/run/sandbox/types.ts';

/** A process of its own that runs one container, so that it can be killed while it does. */
const spec = JSON.parse(process.argv[2] ?? '') as RunSpec;
const runtime = createDockerRuntime(hostEnvironment());
await runtime.run(spec, {
  onOutput: (_stream, bytes) => void process.stdout.write(bytes),
  signal: new AbortController().signal,
});

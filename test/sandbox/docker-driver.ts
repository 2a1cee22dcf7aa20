import { hostEnvironment } from '../../src/core/environment.ts';
import { createDockerRuntime } from '../../src/run/sandbox/docker/runtime.ts';
import { obeyOrders } from './orders.ts';

const runtime = createDockerRuntime(hostEnvironment());
obeyOrders(runtime, { atEnd: () => void runtime.close() });

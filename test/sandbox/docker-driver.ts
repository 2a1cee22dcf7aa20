import { hostEnvironment } from '../../src/kernel/environment.ts';
import { createDockerRuntime } from '../../src/sandbox/docker/runtime.ts';
import { obeyOrders } from './orders.ts';

const runtime = createDockerRuntime(hostEnvironment());
obeyOrders(runtime, { atEnd: () => void runtime.close() });

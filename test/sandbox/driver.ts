import { hostEnvironment } from '../../src/core/environment.ts';
import { createNativeRuntime } from '../../src/run/sandbox/native/runtime.ts';
import { obeyOrders } from './orders.ts';

const runtime = createNativeRuntime(hostEnvironment());
obeyOrders(runtime, { atEnd: () => void runtime.close() });

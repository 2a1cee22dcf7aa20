import { hostEnvironment } from '../../src/kernel/environment.ts';
import { createNativeRuntime } from '../../src/sandbox/native/runtime.ts';
import { obeyOrders } from './orders.ts';

const runtime = createNativeRuntime(hostEnvironment());
obeyOrders(runtime, { atEnd: () => void runtime.close() });

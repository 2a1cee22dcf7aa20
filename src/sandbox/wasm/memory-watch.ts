import { Worker } from 'node:worker_threads';
import { places } from './protocol.ts';

/** A thread of its own, since a guest may never give this one back. Its text is ours. */
const program = `
  const { Socket } = require('node:net');
  const channel = new Socket({ fd: ${places.channel}, readable: true, writable: false });
  channel.on('close', () => process.kill(process.pid, 'SIGKILL'));
  channel.on('error', () => undefined);
  channel.resume();
`;

/** Ends this process as soon as whoever gave it its order is gone: nothing else would. */
export function endWithParent(): void {
  new Worker(program, { eval: true }).unref();
}

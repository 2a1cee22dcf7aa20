import type { IncomingMessage } from 'node:http';

const mostMs = 1000;
const mostBytes = 8 * 1024 * 1024;

/**
 * Closing a connection while the client still sends makes its system throw the answer away unread. So what comes is
 * read and dropped, for a moment and up to a size: honest clients stop by then, others are cut off.
 */
export function linger(request: IncomingMessage, done: () => void): void {
  let bytes = 0;
  const stop = (): void => {
    clearTimeout(timer);
    request.off('data', drop).off('end', stop).off('close', stop).pause();
    done();
  };
  const drop = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > mostBytes) stop();
  };
  const timer = setTimeout(stop, mostMs);
  request.on('data', drop).on('end', stop).on('close', stop).resume();
}

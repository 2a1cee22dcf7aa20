import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Knows every connection and what runs on it, so that closing cuts the idle ones at once and the others last. */
export interface Sockets {
  readonly exchanges: number;
  readonly closing: boolean;
  /** To be called for each exchange when it starts, and when it is over. */
  begin(socket: Socket, response: ServerResponse): void;
  end(socket: Socket, response: ServerResponse): void;
  /** Whether an answer on this connection has begun and has not ended. */
  isAnswering(socket: Socket): boolean;
  close(graceMs: number): Promise<void>;
}

/**
 * Of answers that wait behind another one on their connection Node forgets to say that they are closed with it: who
 * sends many requests in one go and leaves would be counted, and kept, for ever.
 */
function giveUp(running: ReadonlySet<ServerResponse>): void {
  for (const response of running) {
    response.destroy();
    response.emit('close');
  }
}

/** A timer that is set for longer goes off at once. */
const longestMs = 2 ** 31 - 1;

export function createSockets(server: Server): Sockets {
  const open = new Map<Socket, Set<ServerResponse>>();
  let exchanges = 0;
  let closed: Promise<void> | undefined;

  server.on('connection', (socket: Socket) => {
    const running = new Set<ServerResponse>();
    open.set(socket, running);
    socket.once('close', () => {
      open.delete(socket);
      setImmediate(giveUp, running);
    });
  });

  function stop(): Promise<void> {
    const done = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const [socket, running] of open) if (running.size === 0) socket.destroy();
    return done;
  }

  return {
    get exchanges() {
      return exchanges;
    },
    get closing() {
      return closed !== undefined;
    },
    begin(socket, response) {
      exchanges += 1;
      open.get(socket)?.add(response);
    },
    end(socket, response) {
      exchanges -= 1;
      const running = open.get(socket);
      running?.delete(response);
      if (closed !== undefined && running?.size === 0) socket.destroySoon();
    },
    isAnswering(socket) {
      for (const response of open.get(socket) ?? []) if (response.headersSent) return true;
      return false;
    },
    async close(graceMs) {
      closed ??= stop();
      // A second call may be less patient than the first.
      const timer = setTimeout(
        () => {
          for (const socket of open.keys()) socket.destroy();
        },
        Math.min(graceMs, longestMs),
      );
      await closed;
      clearTimeout(timer);
    },
  };
}

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createShares, peerIn } from './clients.ts';
import type { Exchange, HttpLimits } from './exchange.ts';
import type { Journal } from './journal.ts';
import { createPressure, createTurns, type Loaded, type Urgency } from './pressure.ts';

/**
 * Tracks every connection and the exchanges on it: so closing cuts the idle ones at once and the others last, no peer
 * takes all there is, and requests of a connection are worked on one after another, each when the answer before it has
 * been taken.
 */
export interface Sockets {
  readonly closing: boolean;
  /** Whether clients hold as much memory as they may, so that large requests have to come later. */
  readonly isScarce: boolean;
  /** Begins an exchange; called for each one. */
  begin(exchange: Exchange, start: Start): void;
  /** Does a piece of a batch when its turn comes; not where the connection is closed. */
  turn(exchange: Exchange, work: () => Promise<void>): Promise<void>;
  /** Whether an answer on this connection has begun and has not ended. */
  isAnswering(socket: Socket): boolean;
  close(graceMs: number): Promise<void>;
}

/** A callback for when an exchange may begin, with whether its peer has room for it. */
type Start = (exchange: Exchange, hasRoom: boolean) => void;

interface Connection {
  /** The socket, from the end of a handshake on the encrypted one. */
  socket: Socket;
  readonly peer: string;
  /** The exchanges of the connection. The first is under way, the others wait for it. */
  readonly exchanges: Exchange[];
  /** Whether the connection has ever had an exchange. */
  isUsed: boolean;
  /** Bytes that had been read when the last exchange was over. */
  readBefore: number;
}

/** The longest delay of a timer; one that is set for longer goes off at once. */
const longestMs = 2 ** 31 - 1;

export function createSockets(server: Server, limits: HttpLimits, journal: Journal): Sockets {
  const open = new Map<Socket, Connection>();
  let waiting = 0;
  let closed: Promise<void> | undefined;

  const connections = createShares<Connection>({
    limit: limits.connections,
    idle: [({ isUsed }) => !isUsed, ({ exchanges }) => exchanges.length === 0],
    giveUp(connection) {
      drop(connection, 'an idle connection was closed: too many are open');
      connections.remove(connection.peer, connection);
    },
  });
  const underWay = createShares<Exchange>({ limit: limits.exchanges, idle: [], giveUp: () => {} });
  const pressure = createPressure({
    limit: limits.bufferBytes,
    *connections() {
      for (const connection of open.values()) if (connection.exchanges.length > 0) yield loadOf(connection);
    },
    onDropped: ({ socket }) => tell('a connection was closed: its client keeps too much waiting', socket),
    onRelief: () => turns.resume(),
  });
  const turns = createTurns(() => pressure.isScarce);

  function tell(message: string, { remoteAddress }: Socket): void {
    journal.refused('dropped', message, { from: remoteAddress });
  }

  function drop({ socket }: Connection, message: string): void {
    tell(message, socket);
    socket.destroy();
  }

  /** Connections of a server that encrypts whose handshake is under way, by the ports of their other ends. */
  const shaking = new Map<string, Connection>();
  const encrypts = 'setSecureContext' in server;

  server.on('connection', (socket: Socket) => {
    const peer = peerIn(socket);
    if (!connections.makeRoom(peer)) {
      tell('a connection was dropped: too many are open', socket);
      socket.destroy();
      return;
    }
    const connection: Connection = { socket, peer, exchanges: [], isUsed: false, readBefore: 0 };
    connections.add(peer, connection);
    open.set(socket, connection);
    socket.once('close', () => close(connection, socket));
    if (!encrypts) return;
    const end = farEndOf(socket);
    shaking.set(end, connection);
    socket.once('close', () => shaking.delete(end));
  });

  server.on('secureConnection', (socket: Socket) => {
    const end = farEndOf(socket);
    const connection = shaking.get(end);
    if (connection === undefined) return void socket.destroy();
    shaking.delete(end);
    open.delete(connection.socket);
    connection.socket = socket;
    open.set(socket, connection);
    socket.once('close', () => close(connection, socket));
  });

  function close(connection: Connection, socket: Socket): void {
    open.delete(socket);
    connections.remove(connection.peer, connection);
    setImmediate(giveUp, connection.exchanges);
  }

  // No bytes were sent or taken for a while, as far as this process knows: it may have been busy, and learn of them
  // now.
  server.on('timeout', (socket: Socket) => setImmediate(letGo, socket, socket.writableLength));

  function letGo(socket: Socket, unread: number): void {
    const connection = open.get(socket);
    if (connection === undefined || socket.writableLength !== unread) return;
    if (unread > 0) drop(connection, 'a connection was closed: its client does not read');
    else if (connection.isUsed && connection.exchanges.length === 0) socket.destroy();
  }

  function begin(exchange: Exchange, start: Start): void {
    if (exchange.response.destroyed) return;
    const { peer } = exchange.client;
    const hasRoom = underWay.makeRoom(peer);
    underWay.add(peer, exchange);
    pressure.watch();
    start(exchange, hasRoom);
  }

  function beginLater(exchange: Exchange, urgency: Urgency, start: Start): void {
    turns.take(exchange.client.peer, urgency, () => {
      begin(exchange, start);
      return undefined;
    });
  }

  function over(connection: Connection, exchange: Exchange, start: Start): void {
    journal.over(exchange);
    const { exchanges, peer, socket } = connection;
    const at = exchanges.indexOf(exchange);
    exchanges.splice(at, 1);
    underWay.remove(exchange.client.peer, exchange);
    if (at > 0) {
      waiting -= 1; // the exchange was closed with its connection
      return;
    }
    connection.readBefore = socket.bytesRead;
    connections.touch(peer, connection);
    const [next] = exchanges;
    if (next !== undefined) {
      waiting -= 1;
      if (!socket.destroyed) beginLater(next, 'among-many', start);
    } else if (closed !== undefined) socket.destroySoon();
  }

  function stop(): Promise<void> {
    const done = new Promise<void>((resolve) => server.close(() => resolve()));
    pressure.close();
    for (const { socket, exchanges } of open.values()) if (exchanges.length === 0) socket.destroy();
    return done;
  }

  return {
    get closing() {
      return closed !== undefined;
    },
    get isScarce() {
      return pressure.isScarce;
    },
    begin(exchange, start) {
      const connection = open.get(exchange.request.socket);
      if (connection === undefined) return; // already closed
      connection.isUsed = true;
      const count = connection.exchanges.push(exchange);
      exchange.response.once('close', () => over(connection, exchange, start));
      if (count === 1 && turns.isFree()) return begin(exchange, start);
      if (count === 1) return beginLater(exchange, 'alone', start);
      waiting += 1;
      if (count > limits.pipelined || waiting > limits.waiting) {
        drop(connection, 'a connection was closed: too many requests wait on it');
      }
    },
    turn({ client: { peer }, request: { socket } }, work) {
      if (!open.has(socket)) return Promise.resolve();
      return new Promise((resolve, reject) => {
        turns.take(peer, 'among-many', () => work().then(resolve, reject));
      });
    },
    isAnswering: (socket) => open.get(socket)?.exchanges.some(({ response }) => response.headersSent) === true,
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

/** The other end of a connection: a socket and the encrypted one above it have the same. */
function farEndOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/**
 * Closes the exchanges of a closed connection. For answers that wait behind another one Node emits no close event: a
 * client that sends many requests in one go and leaves would be counted, and kept, for ever.
 */
function giveUp(exchanges: readonly Exchange[]): void {
  for (const { response } of [...exchanges]) {
    response.destroy();
    response.emit('close');
  }
}

/** Bytes below which a request does not count by itself. */
const littleBytes = 16 * 1024;
/** Bytes that the objects of a connection take besides, counted once its client has kept it waiting for this long. */
const [besidesBytes, besidesMs] = [32 * 1024, 200];

function loadOf({ socket, peer, exchanges, readBefore }: Connection): Loaded {
  const [first] = exchanges;
  const received = socket.bytesRead - readBefore;
  const unread = first?.response.writableLength ?? 0;
  const awaitsClient = unread > 0 || exchanges.length > 1 || first?.request.complete === false;
  const waitedMs = awaitsClient && first !== undefined ? performance.now() - first.startedAt : 0;
  const bytes = unread + (received > littleBytes ? received : 0) + (waitedMs > besidesMs ? besidesBytes : 0);
  return { socket, peer: first?.client.peer ?? peer, bytes, awaitsClient };
}

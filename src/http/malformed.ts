import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { refusalBody, rpcCodes } from './answers.ts';
import type { Journal } from './journal.ts';
import type { Sockets } from './sockets.ts';

const lingerMs = 500;

/** What a connection is told that sends no request at all, too much of one, or too slowly. */
const answers: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
};

/** `reason` is the parser's own sentence, such as that Content-Length and Transfer-Encoding exclude each other. */
interface ParseError extends NodeJS.ErrnoException {
  readonly reason?: string;
}

/** Handles what Node cannot parse, by a short answer written by hand. */
export function createClientErrorHandler(sockets: Sockets, journal: Journal) {
  const told = new WeakSet<Socket>();
  return (error: ParseError, socket: Socket): void => {
    if (told.has(socket)) return;
    told.add(socket);
    // After the start of an answer, more bytes would be read as part of it.
    if (!socket.writable || sockets.isAnswering(socket) || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const [status, message] = answers[error.code ?? ''] ?? [400, `bad request: ${error.reason ?? 'not valid HTTP'}`];
    journal.refused('malformed', message, { status, from: socket.remoteAddress, reason: error.code });
    socket.end(rawAnswer(status, message));
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}

function rawAnswer(status: number, message: string): string {
  const body = refusalBody(rpcCodes.invalid, message);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

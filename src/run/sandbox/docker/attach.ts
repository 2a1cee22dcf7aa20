import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Stream } from '../types.ts';
import type { Engine } from './engine.ts';

/**
 * Opens the streams of a container before it is started. Used instead of the library, which sends its options as a body
 * that Podman passes to the program as the beginning of its standard input.
 */
export function attach({ socket, agent }: Engine, id: string, streams: readonly string[]): Promise<Duplex> {
  const query = ['stream', ...streams].map((name) => `${name}=1`).join('&');
  return new Promise((resolve, reject) => {
    const asked = request({
      socketPath: socket,
      agent,
      method: 'POST',
      path: `/containers/${id}/attach?${query}`,
      headers: { Connection: 'Upgrade', Upgrade: 'tcp', 'Content-Length': 0 },
    });
    asked.on('upgrade', (_response, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    // Any response other than a protocol upgrade is a refusal.
    asked.on('response', (response) => {
      const text: Buffer[] = [];
      response.on('data', (piece: Buffer) => text.push(piece));
      response.on('end', () => reject(new Refusal(response.statusCode ?? 0, messageIn(Buffer.concat(text)))));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** A refusal in the shape of the library's own errors. */
class Refusal extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

function messageIn(body: Buffer): string {
  const text = body.toString('utf8').trim();
  try {
    const { message } = JSON.parse(text);
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}

const headerBytes = 8;

/** Streams by the first byte of a frame header. Engines may send messages of their own as the third stream. */
const streams: Readonly<Record<number, Stream>> = { 1: 'stdout', 2: 'stderr', 3: 'stderr' };

/**
 * Demultiplexes the single stream of a container. The library does this by recursion over frames, and a program that
 * writes single bytes overflows its stack.
 */
export function demultiplexer(onOutput: (stream: Stream, bytes: Buffer) => void): (piece: Buffer) => void {
  const header = Buffer.alloc(headerBytes);
  let filled = 0;
  /** Bytes still to come of the frame whose header is complete. */
  let left = 0;

  const readHeader = (piece: Buffer): number => {
    const taken = piece.copy(header, filled, 0, headerBytes - filled);
    filled += taken;
    if (filled === headerBytes) left = header.readUInt32BE(4);
    return taken;
  };
  const readBody = (piece: Buffer): number => {
    const body = piece.subarray(0, left);
    const stream = streams[header[0] ?? 0];
    if (stream !== undefined) onOutput(stream, body);
    left -= body.length;
    return body.length;
  };

  return (piece) => {
    let at = 0;
    while (at < piece.length) {
      at += filled < headerBytes ? readHeader(piece.subarray(at)) : readBody(piece.subarray(at));
      if (filled === headerBytes && left === 0) filled = 0;
    }
  };
}

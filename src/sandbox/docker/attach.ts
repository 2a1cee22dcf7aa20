import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Engine } from './engine.ts';

/**
 * Opens the streams of a container, before it is started. The library sends its options along as a body, which Podman
 * hands to the program as the beginning of its standard input.
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
    // Anything but a change of protocol is a refusal.
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

/** In the shape of the library's own errors. */
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

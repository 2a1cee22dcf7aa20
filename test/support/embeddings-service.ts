import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOn } from './listen.ts';

/** A request as it came to the service. */
export interface ServiceRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly model: string;
  readonly input: readonly string[];
  readonly encoding_format: string;
}

export interface ServiceReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is text. */
  readonly body?: unknown;
}

/** Null hangs up without a word. */
export type Respond = (request: ServiceRequest, number: number) => ServiceReply | Promise<ServiceReply | null> | null;

export interface EmbeddingsService {
  /** The base, as in `http://127.0.0.1:1234/v1`. */
  readonly url: string;
  readonly requests: readonly ServiceRequest[];
  /** How many requests were under way at once, at most. */
  readonly busiest: () => number;
}

/** A service of embeddings on this machine, which ends with the test. */
export async function startEmbeddingsService(respond: Respond): Promise<EmbeddingsService> {
  const requests: ServiceRequest[] = [];
  let [busy, busiest] = [0, 0];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Omit<ServiceRequest, 'path' | 'headers'>;
    const asked = { path: request.url ?? '', headers: request.headers, ...sent };
    requests.push(asked);
    const reply = await respond(asked, requests.length);
    if (reply === null) {
      request.socket.destroy();
      return;
    }
    const { status = 200, headers = {}, body = '' } = reply;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
  const server = createServer((request, response) => {
    busy++;
    busiest = Math.max(busiest, busy);
    response.once('close', () => busy--);
    void answer(request, response);
  });
  const port = await listenOn(server);
  return { url: `http://127.0.0.1:${port}/v1`, requests, busiest: () => busiest };
}

/** An answer in the format, with these embeddings in this order. */
export function answerWith(embeddings: readonly unknown[]): ServiceReply {
  return { body: { object: 'list', data: embeddings.map((embedding, index) => ({ index, embedding })) } };
}

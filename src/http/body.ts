import { refuse, rpcCodes } from './answers.ts';
import type { Exchange } from './exchange.ts';

/** The whole body; null when there is nothing left to do: the client is gone, or was told that the body is too large. */
export async function readBody(exchange: Exchange, limit: number): Promise<Buffer | null> {
  const read = await takeBody(exchange, limit);
  if (read !== 'too-large') return read;
  const message = `the request body is larger than ${limit} bytes`;
  refuse(exchange, 413, rpcCodes.invalid, message);
  return null;
}

/** The same for those who tell the client themselves. */
export async function takeBody(exchange: Exchange, limit: number): Promise<Buffer | 'too-large' | null> {
  const { request } = exchange;
  if (request.destroyed || request.readableEnded) return null; // no event would ever come
  const declared = Number(request.headers['content-length'] ?? 0);
  return declared > limit ? 'too-large' : collect(exchange, limit);
}

function collect({ request }: Exchange, limit: number): Promise<Buffer | 'too-large' | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: Buffer | 'too-large' | null): void => {
      request.off('data', take).off('end', end).off('close', gone).off('error', gone);
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) settle('too-large');
      else chunks.push(chunk);
    };
    const end = (): void => settle(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    const gone = (): void => settle(null);
    request.on('data', take).on('end', end).on('close', gone).on('error', gone);
  });
}

import { afterEach, expect, it, vi } from 'vitest';
import { ApiError, ask } from './api.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['breaks off', () => new Response('{"skills":[')],
  ['is empty', () => new Response('')],
  ['does not come', () => Promise.reject(new TypeError('network'))],
])('an answer that %s is an error, and not an answer with nothing in it', async (_what, respond) => {
  vi.stubGlobal('fetch', async () => respond());
  const error = await ask('health', {}).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 'unavailable', message: 'the server does not answer' });
});

it('an answer that nobody waits for any more breaks off as it was told to', async () => {
  vi.stubGlobal('fetch', async () => ({ ok: true, json: () => Promise.reject(new DOMException('', 'AbortError')) }));
  await expect(ask('health', {})).rejects.toMatchObject({ name: 'AbortError' });
});

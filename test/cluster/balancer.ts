import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { ask } from '../serve/http.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { freePorts } from '../support/nats.ts';

/** Starts the balancer with the configuration that we ship; only the addresses are those of the test. */
export async function balance(urls: readonly string[], at?: number): Promise<string> {
  const port = at ?? (await freePorts(1))[0];
  const shipped = readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8');
  const text = urls.reduce(
    (all, url, at) => all.replace(`server-${at + 1}:3000`, new URL(url).host),
    shipped.replace('bind :3000', `bind 127.0.0.1:${port}`),
  );
  startHaproxy(text);
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    ask(`${url}/readyz`, { method: 'GET' }).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(isReady, { timeout: 30_000 }).toBe(200);
  return url;
}

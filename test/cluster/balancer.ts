import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ask } from '../serve/http.ts';
import { freePorts } from '../support/nats.ts';

/** Starts the balancer with the configuration that we ship; only the addresses are those of the test. */
export async function balance(urls: readonly string[]): Promise<string> {
  const [port] = await freePorts(1);
  const shipped = readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8');
  const text = urls.reduce(
    (all, url, at) => all.replace(`server-${at + 1}:3000`, new URL(url).host),
    shipped.replace('bind :3000', `bind 127.0.0.1:${port}`),
  );
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-balancer-'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    ask(`${url}/readyz`, { method: 'GET' }).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(isReady, { timeout: 30_000 }).toBe(200);
  return url;
}

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Starts the proxy with this configuration, and ends it with the test. It may take a moment until it answers. */
export function startHaproxy(configuration: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-proxy-'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
}

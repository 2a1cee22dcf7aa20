import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

// docs/openapi.json is what the console's server says of itself; a test fails when the two differ.
const program = fileURLToPath(new URL('../dist/cli/bin.cjs', import.meta.url));
const page = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'repertoire-docs-'));
const server = spawn(process.execPath, [program, 'web', '--no-open'], {
  cwd: home,
  env: { HOME: home, PATH: process.env.PATH },
  stdio: ['ignore', 'ignore', 'pipe'],
});
const ended = new Promise((resolve) => server.once('exit', resolve));
try {
  const url = await new Promise((resolve, reject) => {
    createInterface(server.stderr).on('line', (line) => {
      const found = /the console: (.*)\/#/.exec(line)?.[1];
      if (found) resolve(found);
    });
    void ended.then((code) => reject(new Error(`the server ended with ${code}`)));
  });
  const api = await (await fetch(`${url}/api/openapi.json`)).json();
  writeFileSync(page, JSON.stringify(api));
  execFileSync('npx', ['biome', 'format', '--write', page], { stdio: 'ignore' });
} finally {
  server.kill();
  await ended;
  rmSync(home, { recursive: true, force: true });
}

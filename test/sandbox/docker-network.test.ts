import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { hostEnvironment } from '../../src/core/environment.ts';
import type { HostRule } from '../../src/run/policy/types.ts';
import { createDockerRuntime } from '../../src/run/sandbox/docker/runtime.ts';
import { folderPrefix } from '../../src/run/sandbox/linux/system-view.ts';
import { folderWith, limits, runIn, shell, specOf, useContainers } from '../support/container-runs.ts';
import { listenOn } from '../support/listen.ts';
import { isRoot } from '../support/root.ts';

/** A server of this machine, at an address that is refused to everyone it was not granted to. */
async function serve(text: string): Promise<HostRule & { readonly url: string }> {
  const server = createServer((request, response) => response.end(`${text} ${request.url}\n`));
  const port = await listenOn(server);
  return { host: '127.0.0.1', below: false, port, url: `http://127.0.0.1:${port}` };
}

const fetchIt = (url: string) => `wget -q -O - ${url} 2>&1`;

describe.runIf(isRoot)('the network of a container', () => {
  const place = useContainers();

  it('reaches what was granted, and nothing else', async () => {
    const granted = await serve('granted');
    const other = await serve('other');
    const script = `${fetchIt(`${granted.url}/page`)}; ${fetchIt(other.url)}; ${fetchIt('http://example.com/')}; true`;
    const run = await shell(place.runtime, script, { network: [granted] });
    expect(run.reason).toBe('exited');
    expect(run.stdout).toContain('granted /page\n');
    expect(run.stdout).not.toMatch(/^other/m);
    expect(run.denials.map(({ detail }) => detail)).toEqual([
      expect.stringContaining(`127.0.0.1:${other.port}`),
      expect.stringContaining('example.com'),
    ]);
    expect(run.enforcement).toContainEqual({ what: 'network', by: 'container (no network but the egress proxy)' });
    expect(place.count()).toBe(0);
  });

  it('has no way around the proxy', async () => {
    const granted = await serve('granted');
    const script = `env -u http_proxy -u HTTP_PROXY wget -q -T 3 -O - ${granted.url} 2>&1
      nc -w 2 1.1.1.1 80 </dev/null 2>&1; cat /proc/net/dev | grep -v lo:; find / -type s 2>/dev/null; true`;
    const run = await shell(place.runtime, script, { network: [granted] });
    expect(run.stdout).not.toMatch(/^granted/m);
    expect(run.stdout.split('\n').filter((line) => /^\s*\w+\d:/.test(line))).toEqual([]);
    expect(run.stdout).not.toContain('.sock');
  });

  it('is its own, also when two run at once', async () => {
    const [one, two] = [await serve('one'), await serve('two')];
    const script = `${fetchIt(one.url)}; ${fetchIt(two.url)}; true`;
    const runs = await Promise.all([
      shell(place.runtime, script, { network: [one] }),
      shell(place.runtime, script, { network: [two] }),
      shell(place.runtime, script),
    ]);
    const reached = runs.map(({ stdout }) => ['one', 'two'].filter((text) => stdout.includes(`${text} /`)));
    expect(reached).toEqual([['one'], ['two'], []]);
    expect(place.count()).toBe(0);
  });

  it('is there before the program is, and gone after it, however it ends', async () => {
    const granted = await serve('granted');
    const parent = folderWith();
    const env = { DOCKER_HOST: place.engine.host, XDG_RUNTIME_DIR: parent };
    const runtime = createDockerRuntime(hostEnvironment({ env }));
    for (let i = 0; i < 5; i++) {
      const run = await shell(runtime, fetchIt(granted.url), { network: [granted] });
      expect(run.stdout).toBe('granted /\n');
    }
    const late = { network: [granted], limits: { ...limits, timeoutMs: 1000 } };
    expect(await shell(runtime, 'sleep 60', late)).toMatchObject({ reason: 'timeout' });
    const failed = await runIn(runtime, specOf(['/nowhere'], { network: [granted] }));
    expect(failed.reason).toBe('engine_error');
    const stops = [20, 100, 180, 260].map(async (ms) => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), ms);
      return runIn(runtime, specOf(['/bin/sleep', '60'], { network: [granted] }), { signal: stop.signal });
    });
    for (const run of await Promise.all(stops)) expect(run.reason).toBe('cancelled');
    expect(place.count()).toBe(0);
    expect(readdirSync(parent).filter((name) => name.startsWith(folderPrefix))).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Workshop } from '../run/workshop.ts';
import { startHttp } from '../support/mcp.ts';
import { type NatsCluster, startNats } from '../support/nats.ts';
import { shTool } from './team.ts';

/** A machine that notes which files of the program a process has loaded when it ends. */
function noting() {
  const shop = new Workshop();
  shop.skill(shTool('hello', 'echo hello'));
  const list = shop.world.path('loaded.txt');
  const file = shop.world.write(
    'note.cjs',
    `process.on('exit', () => {
      const files = Object.keys(require.cache).filter((path) => path.includes('dist'));
      require('fs').writeFileSync(${JSON.stringify(list)}, files.join('\\n'));
    });\n`,
  );
  /** The loaded files that know how messages are addressed: those of the client of NATS, and ours for workers. */
  const ofClusters = (): readonly string[] =>
    readFileSync(list, 'utf8')
      .split('\n')
      .filter((path) => readFileSync(path, 'utf8').includes('_INBOX'));
  return { shop, env: { NODE_OPTIONS: `--require ${file}` }, ofClusters };
}

/** Serves until everything is ready, and gives the files of clusters that this took. */
async function servedWith(nats?: NatsCluster): Promise<readonly string[]> {
  const { shop, env, ofClusters } = noting();
  const cluster = nats === undefined ? [] : ['--cluster', nats.url];
  const { process: server } = await startHttp(shop.world, ['serve', '--http', ...cluster], { env });
  await expect.poll(() => server.stderr).toContain('ready: ');
  server.child.kill('SIGTERM');
  await server.exited;
  return ofClusters();
}

describe('a machine without a cluster', () => {
  it('loads nothing of clusters for a server', async () => {
    expect(await servedWith()).toEqual([]);
    expect(await servedWith(await startNats())).not.toEqual([]);
  });

  it('loads nothing of clusters to run a tool', async () => {
    const { shop, env, ofClusters } = noting();
    expect((await shop.run(['run', 'demo:hello'], env)).stdout).toBe('hello\n');
    expect(ofClusters()).toEqual([]);
  });
});

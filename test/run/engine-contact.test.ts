import { describe, expect, it } from 'vitest';
import { ableEngine, startFakeEngine } from '../support/fake-engine.ts';
import { connectStdio } from '../support/mcp.ts';
import { Workshop } from './workshop.ts';

const imageTool = 'image = "example.com/thing:1"\nlimits = { timeout = "1s" }\n';

/** A skill with a command and an image, both allowed. */
async function mixedShop(): Promise<Workshop> {
  const shop = new Workshop();
  shop.skill(`[tools.here]\ncommand = ["echo", "hello"]\n[tools.there]\n${imageTool}`);
  await shop.grant();
  return shop;
}

describe('a container engine', () => {
  it('is not contacted by a server until a container is to be run, and no connection to it stays open', async () => {
    const engine = await startFakeEngine((_method, path) => {
      if (path === '/_ping') return { body: 'OK' };
      if (path.startsWith('/info')) return { body: ableEngine };
      if (path.startsWith('/containers/json')) return { body: [] };
      return { status: 404, body: { message: 'no such image' } };
    });
    const shop = await mixedShop();
    const server = await connectStdio(shop.world, ['serve'], { env: { DOCKER_HOST: engine.host } });
    const execute = (tool: string) =>
      server.call('skill-engine/execute', { skill_name: 'demo', tool_name: tool, parameters: {} });
    await server.call('skill-engine/list_skills', {});
    expect((await execute('here')).isError).not.toBe(true);
    await shop.run(['doctor'], { DOCKER_HOST: engine.host });
    expect(engine.requests).toEqual([]);

    expect((await execute('there')).content[0]?.text).toContain('docker pull example.com/thing:1');
    await expect.poll(() => engine.requests).toContain('GET /containers/json');
    expect(engine.requests.slice(0, 2)).toEqual(['GET /_ping', 'GET /info']);
    await expect.poll(() => engine.connections()).toBe(0);
    await execute('there');
    // What others left behind is looked for once.
    expect(engine.requests.filter((request) => request === 'GET /containers/json')).toHaveLength(1);
  });

  it('is asked for the image of a tool by a dry run too', async () => {
    const engine = await startFakeEngine((_method, path) => {
      if (path === '/_ping') return { body: 'OK' };
      if (path.startsWith('/info')) return { body: ableEngine };
      return { status: 404, body: { message: 'no such image' } };
    });
    const shop = await mixedShop();
    const { code, stderr } = await shop.run(['run', 'demo:there', '--dry-run'], { DOCKER_HOST: engine.host });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('the image example.com/thing:1 is not on this machine'),
    ]);
    expect(stderr).toContain('docker pull example.com/thing:1');
    await expect.poll(() => engine.connections()).toBe(0);
  });

  it('that accepts and stays silent lets doctor end', async () => {
    const engine = await startFakeEngine(() => undefined);
    const shop = new Workshop();
    const env = { DOCKER_HOST: engine.host };
    const [text, json] = await Promise.all([
      shop.run(['doctor', '--sandbox'], env),
      shop.run(['doctor', '--sandbox', '--json'], env),
    ]);
    expect([text.code, text.stdout]).toEqual([0, expect.stringContaining('it does not answer')]);
    expect([json.code, json.stdout]).toEqual([0, expect.stringContaining('it does not answer')]);
  });

  it('that falls silent in the middle of a run lets the command end', async () => {
    const engine = await startFakeEngine((_method, path) => {
      if (path === '/_ping') return { body: 'OK' };
      return path.startsWith('/info') ? { body: ableEngine } : undefined;
    });
    const shop = await mixedShop();
    const run = await shop.run(['run', '--json', 'demo:there'], { DOCKER_HOST: engine.host });
    expect(run.json()).toMatchObject({ reason: 'timeout' });
  });
});

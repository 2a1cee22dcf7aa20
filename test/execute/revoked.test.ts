import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExecutionResult } from '../../src/engine/running/types.ts';
import { engineThatRuns } from '../support/fake-engine.ts';
import { connectStdio, type ToolResult } from '../support/mcp.ts';
import type { World } from '../support/world.ts';
import { asleep, callOf, executed, gone, lab, longSleep, runsIn, uniqueSleep } from './library.ts';

const asking = '[capabilities]\nenv = ["REGION", "ZONE"]';
const sleeping = { sleep: 'echo begun; exec sleep "$1"' };
const why = /^it was cancelled: its grant was revoked or changed: skill 'lab' is not allowed to .*REGION/;

async function granted(): Promise<World> {
  const world = lab(sleeping, asking);
  expect((await world.run(['grant', 'lab', '--yes'])).code).toBe(0);
  return world;
}

async function expectEnded(world: World, seconds: string): Promise<void> {
  await gone(seconds);
  await expect.poll(() => runsIn(world)).toMatchObject([{ result: 'cancelled', message: expect.stringMatching(why) }]);
}

const ways: Readonly<Record<string, (world: World) => unknown>> = {
  'is revoked': (world) => world.run(['revoke', 'lab']),
  'is narrowed': (world) => world.run(['grant', 'lab', '--only', 'env:ZONE', '--yes']),
  'is edited by hand': (world) => {
    const folder = join(world.home, '.local/state/repertoire/grants');
    const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.json')) ?? '');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('REGION', 'STAGE'));
  },
};

describe('a run under way whose grant', () => {
  it.each(Object.entries(ways))('%s is ended, and says why', async (_, change) => {
    const world = await granted();
    const seconds = longSleep();
    const running = world.run(['run', '--json', 'lab:sleep', `value=${seconds}`]);
    await asleep(seconds);
    await change(world);
    await expectEnded(world, seconds);
    const result = (await running).json<ExecutionResult>();
    expect([result.reason, result.stdout]).toEqual(['cancelled', 'begun\n']);
    expect(result.message).toMatch(why);
  });

  it('is revoked is ended in a server, as a call and as a job [C4-CAP-14]', async () => {
    for (const args of [
      ['serve', '--structured'],
      ['serve', '--structured', '--detach-after', '300'],
    ]) {
      const world = await granted();
      const server = await connectStdio(world, args);
      const seconds = longSleep();
      const call = server.request<ToolResult>('tools/call', callOf('sleep', seconds));
      await asleep(seconds);
      if (args.includes('--detach-after')) await call; // it has become a job
      await world.run(['revoke', 'lab']);
      await expectEnded(world, seconds);
      if (!args.includes('--detach-after')) expect(executed(await call).told.message).toMatch(why);
    }
  });

  it('is revoked is ended where it is a module', async () => {
    const world = lab({}, '');
    const endless =
      '0061736d0100000001040160000003020100050301000107130206' +
      '6d656d6f72790200065f737461727400000a0901070003400c000b0b';
    world.write('project/skills/module/go.wasm', Buffer.from(endless, 'hex'));
    world.write('project/skills/module/skill.toml', `[skill]\nmodule = "go.wasm"\n${asking}\n`);
    world.skill('project/skills/module');
    await world.run(['grant', 'module', '--yes']);
    const running = world.run(['run', '--json', 'module:run']);
    await expect.poll(async () => (await runsIn(world)).map(({ result }) => result)).toEqual(['running']);
    await world.run(['revoke', 'module']);
    expect((await running).json<ExecutionResult>()).toMatchObject({
      reason: 'cancelled',
      message: expect.stringContaining('its grant was revoked'),
    });
  });

  it('is revoked is ended where it is a container, which is removed [C4-CAP-14]', async () => {
    const engine = await engineThatRuns();
    const env = { DOCKER_HOST: engine.host };
    const world = lab({}, '');
    world.skill('project/skills/contained');
    const tool = '[tools.wait]\nimage = "example.com/thing:1"\ncommand = ["sleep", "600"]\n';
    world.write('project/skills/contained/skill.toml', `${asking}\n${tool}`);
    expect((await world.run(['grant', 'contained', '--yes'], { env })).code).toBe(0);
    const running = world.run(['run', '--json', 'contained:wait'], { env });
    await expect.poll(() => engine.requests).toContain('POST /containers/abc/start');
    await world.run(['revoke', 'contained'], { env });
    expect((await running).json<ExecutionResult>()).toMatchObject({
      reason: 'cancelled',
      message: expect.stringContaining('its grant was revoked'),
    });
    expect(engine.requests).toContainEqual(expect.stringMatching(/^DELETE \/containers\/repertoire-tool-/));
  });

  it('stays as it was goes on, whatever else is granted and revoked', async () => {
    const world = await granted();
    world.skill('project/skills/other');
    world.write(
      'project/skills/other/skill.toml',
      `[skill]\nruntime = "native"\n${asking}\n[tools.go]\ncommand = ["true"]\n`,
    );
    const seconds = uniqueSleep(3);
    const running = world.run(['run', '--json', 'lab:sleep', `value=${seconds}`]);
    await asleep(seconds);
    await world.run(['grant', 'other', '--yes']);
    await world.run(['revoke', 'other']);
    expect((await running).json<ExecutionResult>().reason).toBe('exited');
  });
});

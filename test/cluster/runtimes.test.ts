import { describe, expect, it, onTestFinished } from 'vitest';
import { Workshop } from '../run/workshop.ts';
import { program } from '../sandbox/guests/programs.ts';
import { image, startContainerEngine } from '../support/containers.ts';
import { startNats } from '../support/nats.ts';
import { isRoot } from '../support/root.ts';
import { shTool, startTestWorker, TestCaller } from './team.ts';

/** Writes a skill with a module of WebAssembly that tells what it is given. */
async function writeModule(shop: Workshop): Promise<void> {
  shop.skill('[skill]\nruntime = "wasm"\nmodule = "echo.wasm"\n[tools.echo]\nargs = []\n', {}, 'module');
  shop.world.write('project/skills/module/echo.wasm', await program('echo'));
}

describe('a worker for some runtimes', () => {
  it('runs modules of WebAssembly as a machine does itself, and is offered nothing else', async () => {
    const nats = await startNats();
    const worker = await startTestWorker(nats, 'one', ['--runtimes', 'wasm']);
    const caller = new TestCaller(nats);
    await writeModule(caller.shop);
    caller.shop.skill(shTool('plain', 'echo here'));
    const [here, there] = [await caller.shop.result(['module']), await caller.result('module')];
    const told = ({ id, reason, exitCode, stdout, enforcement }: typeof here) => [
      ...[reason, exitCode, stdout.replace(id, 'id'), enforcement],
    ];
    expect(told(there)).toEqual(told(here));
    expect(there).toMatchObject({
      reason: 'exited',
      exitCode: 7,
      stdout: expect.stringContaining('SKILL_NAME=module'),
    });
    expect(worker.shop.records().at(-1)).toMatchObject({ event: 'end', runtime: 'wasm', result: 'exited' });
    expect(await caller.result('demo:plain')).toMatchObject({
      reason: 'no_worker',
      message: 'no worker runs native: there are one (wasm)',
    });
  });

  it('does not start for one that the machine cannot run', async () => {
    const nats = await startNats();
    const { code, stderr } = await new Workshop().run(['worker', '--cluster', nats.url, '--runtimes', 'wasm,docker'], {
      DOCKER_HOST: 'unix:///nonexistent/engine.sock',
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('/nonexistent/engine.sock')]);
  });

  it.runIf(isRoot)('runs containers beside modules, and removes those that are cancelled', async () => {
    const engine = await startContainerEngine();
    onTestFinished(() => engine.stop());
    const nats = await startNats();
    const env = { DOCKER_HOST: engine.host };
    const worker = await startTestWorker(nats, 'one', ['--runtimes', 'wasm,docker'], new Workshop(), env);
    const caller = new TestCaller(nats);
    await writeModule(caller.shop);
    const tool = (name: string, words: string) => `[tools.${name}]\nimage = "${image}"\ncommand = ${words}\n`;
    caller.shop.skill(
      tool('say', '["/bin/echo", "contained"]') + tool('wait', '["/bin/sh", "-c", "echo begun; sleep 600"]'),
    );
    await caller.shop.grant();
    const { hint } = await caller.result('demo:say');
    await worker.shop.grant(/repertoire grant (\S+)/.exec(hint ?? '')?.[1]);
    expect(await caller.result('demo:say')).toMatchObject({ reason: 'exited', exitCode: 0, stdout: 'contained\n' });
    expect(worker.shop.records().at(-1)).toMatchObject({ event: 'end', runtime: 'docker', result: 'exited' });
    expect(await caller.result('module')).toMatchObject({ reason: 'exited', exitCode: 7 });
    const run = caller.start('demo:wait');
    await run.until('begun');
    expect(engine.containers()).toHaveLength(1);
    run.child.kill('SIGINT');
    await run.ended;
    await expect.poll(() => engine.containers()).toEqual([]);
    expect(worker.shop.records().at(-1)).toMatchObject({ event: 'end', runtime: 'docker', result: 'cancelled' });
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { invoke } from '../../src/engine/operation.ts';
import { type HealthOutput, health } from '../../src/engine/operations/machine/health.ts';
import { serveConsole } from '../support/console.ts';
import { createWorld } from '../support/world.ts';
import { engineOn } from './engine.ts';

const manifest = `
[tools.pour]
command = ["sh", "scripts/pour.sh"]
`;

it('goes on where a file takes the place of the folder that it keeps its state in', async () => {
  const world = createWorld();
  world.skill('project/.claude/skills/demo');
  const served = await serveConsole(world);
  const events = await served.events();
  await served.told('/api/health');
  world.write('home/.local/state/repertoire', '');
  await sleep(1200); // it looks twice a second
  events.stop();
  await served.told('/api/health');
  const again = await served.events();
  await served.told('/api/grants');
  again.stop();
});

// Every byte is six in JSON: all of it would be ten times as much as this.
it('keeps little for a client that does not read what a run writes', async () => {
  const world = createWorld();
  world.skill('project/.claude/skills/demo');
  world.write('project/.claude/skills/demo/skill.toml', manifest);
  world.write('project/.claude/skills/demo/scripts/pour.sh', "head -c 30000000 /dev/zero | tr '\\0' '\\1'\nsleep 30\n");
  world.write('home/.config/repertoire/policy.toml', '[limits]\nmax_output = "32MB"\n');
  const served = await serveConsole(world);
  const memory = async (): Promise<number> => (await served.told<HealthOutput>('/api/health')).memoryBytes;
  const before = await memory();
  const socket = await served.dial();
  const body = JSON.stringify({ target: 'demo:pour' });
  socket
    .pause()
    .write(
      [
        'POST /api/run HTTP/1.1',
        `Host: ${new URL(served.url).host}`,
        `Authorization: Bearer ${served.token}`,
        'Accept: application/x-ndjson',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    );
  await sleep(5000);
  expect((await memory()) - before).toBeLessThan(150_000_000);
});

it('makes no answer of a whole log at once', async () => {
  const served = await serveConsole(createWorld());
  expect((await served.ask('/api/audit?limit=10000')).status).toBe(200);
  expect((await served.ask('/api/audit?limit=10001')).status).toBe(400);
});

// A page that shows it asks every few seconds, and reading thousands of skills for that takes longer.
it('tells how it is doing by the last look at the disk, without another one', async () => {
  const world = createWorld();
  world.skill('project/.claude/skills/demo');
  const engine = engineOn(world);
  const notes = async (): Promise<number> => (await invoke(engine, health, {}, { origin: 'library' })).summary.notes;
  const before = await notes();
  world.write('project/.claude/skills/demo/assets/a\\b.txt', 'no address can name it');
  expect(await notes()).toBe(before);
  await engine.registry.refresh();
  expect(await notes()).toBe(before + 1);
});

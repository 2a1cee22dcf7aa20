import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { program } from '../support/world.ts';
import { Workshop } from './workshop.ts';

describe('a reader of the output of a tool', () => {
  it('ends the run by reading no further, and the audit log says so', async () => {
    const shop = new Workshop();
    shop.skill('[tools.endless]\ncommand = ["yes"]\nlimits = { max_output = "60MB" }\n');
    await shop.grant();
    const line = 'set -o pipefail; "$0" "$1" run demo:endless | head -n 2';
    const options = { cwd: shop.world.project, env: shop.world.environment(), encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', line, process.execPath, program], options);
    const why = 'it was cancelled: the reader of the output is gone';
    expect([status, stdout, stderr]).toEqual([1, 'y\ny\n', `cancelled: ${why}\n`]);
    expect(shop.records().map(({ event }) => event)).toEqual(['grant', 'start', 'end']);
    expect(shop.records()[2]).toMatchObject({ result: 'cancelled', message: why });
  });

  it('ends the run with the reason where nothing more can be written to it', async () => {
    const shop = new Workshop();
    shop.skill('[tools.say]\ncommand = ["echo", "hello"]\n');
    const line = '"$0" "$1" run demo:say > /dev/full';
    const options = { cwd: shop.world.project, env: shop.world.environment(), encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync('sh', ['-c', line, process.execPath, program], options);
    expect([status, stderr]).toEqual([1, 'cancelled: it was cancelled: the result cannot be written (ENOSPC)\n']);
  });

  it('gets the very bytes of both streams through a pipe, and never half a character', async () => {
    const shop = new Workshop();
    // The first byte of a character comes alone, and one that is no text at all.
    const script = `printf '\\303'; printf '\\303' >&2; sleep 0.2; printf '\\244\\377'; printf '\\244\\377' >&2\n`;
    shop.skill('[tools.bytes]\ncommand = ["sh", "scripts/bytes.sh"]\n', { 'scripts/bytes.sh': script });
    const options = { cwd: shop.world.project, env: shop.world.environment() };
    const { stdout, stderr } = spawnSync(process.execPath, [program, 'run', 'demo:bytes'], options);
    const bytes = Buffer.from([0xc3, 0xa4, 0xff]);
    expect([stdout, stderr]).toEqual([bytes, bytes]);
  });
});

it('tools of one skill may run in different runtimes, each of which is shown and recorded', async () => {
  const shop = new Workshop();
  shop.skill('[tools.here]\ncommand = ["echo", "hello"]\n[tools.there]\nimage = "example.com/none:1"\n');
  await shop.grant();
  expect(await shop.dryRun(['demo:here'])).toMatchObject({ runtime: 'native' });
  expect(await shop.result(['demo:there'])).toMatchObject({ runtime: 'docker', reason: 'engine_error' });
  expect(shop.records().at(-1)).toMatchObject({ runtime: 'docker', result: 'engine_error' });
});

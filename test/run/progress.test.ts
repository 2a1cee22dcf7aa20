import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { onScreen } from '../cli/screen.ts';
import { Workshop } from './workshop.ts';

const slow = 'sleep 2.2; echo first; sleep 2.2; printf half; sleep 2.2; echo " done"; echo problem >&2\n';

function slowShop(): Workshop {
  const shop = new Workshop();
  shop.skill('', { 'scripts/slow.sh': slow });
  return shop;
}

describe('a run that takes long', () => {
  it('tells on a terminal for how long it has been running, and never in the midst of its output', async () => {
    const { sent, left, code } = await onScreen(slowShop().world, ['run', 'demo:slow']);
    expect([left, code]).toEqual(['first\nhalf done\nproblem\n', 0]);
    const [before = '', after = ''] = sent.split('first');
    expect(before).toMatch(/\rRunning: \d+ s …\u001b\[K/);
    expect(after).toMatch(/\rRunning: \d+ s, 6 bytes of output …\u001b\[K/);
    expect(sent).toContain('half done');
  });

  it('tells how much it has written where that goes elsewhere', async () => {
    const { world } = slowShop();
    const files = [world.path('out'), world.path('out.json')] as const;
    const [plain, json] = await Promise.all([
      onScreen(world, ['run', 'demo:slow'], { stdout: files[0] }),
      onScreen(world, ['run', 'demo:slow', '--json'], { stdout: files[1] }),
    ]);
    const [text, result] = files.map((file) => readFileSync(file, 'utf8'));
    expect(plain.sent).toMatch(/\rRunning: \d+ s, 10 bytes of output …\u001b\[K/);
    expect([plain.left, text]).toEqual(['problem\n', 'first\nhalf done\n']);
    expect(json.sent).toContain('\rRunning: ');
    expect([json.left, JSON.parse(result ?? '')]).toMatchObject(['', { reason: 'exited', exitCode: 0 }]);
  });

  it('says nothing of itself in a pipe', async () => {
    const shop = slowShop();
    const [plain, json] = await Promise.all([shop.run(['run', 'demo:slow']), shop.run(['run', 'demo:slow', '--json'])]);
    expect([plain.stdout, plain.stderr]).toEqual(['first\nhalf done\n', 'problem\n']);
    expect([json.stderr, json.json<object>()]).toMatchObject(['', { stdout: 'first\nhalf done\n' }]);
  });
});

describe('Ctrl-C', () => {
  it('ends a run, leaves its record, and ends as shells expect', async () => {
    const shop = new Workshop();
    shop.skill('', { 'scripts/wait.sh': 'echo ready; sleep 30\n' });
    const { left, code } = await onScreen(shop.world, ['run', 'demo:wait'], {
      typed: { after: 'ready', keys: '\u0003' },
    });
    expect(code).toBe(130);
    expect(left).toContain('cancelled');
    const ends = shop.records().flatMap((record) => (record.event === 'end' ? [record.result] : []));
    expect(ends).toEqual(['cancelled']);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('has its like: %s', async (signal, code) => {
    const shop = new Workshop();
    shop.skill('', { 'scripts/wait.sh': 'echo ready; sleep 30\n' });
    const run = shop.start(['run', 'demo:wait']);
    await run.until('ready');
    run.child.kill(signal);
    expect((await run.ended).code).toBe(code);
  });
});

it('colours and cursors of a tool do not reach a terminal, and reach a pipe', async () => {
  const shop = new Workshop();
  const text = '\\033[31mred\\033[0m \\033]0;title\\007plain';
  shop.skill('', { 'scripts/paint.sh': `printf '${text}\\n'; printf '${text}\\n' >&2\n` });
  // Its clock stands still: after a second it would also tell for how long it has been running.
  const clock = shop.world.write('clock.cjs', 'const now = Date.now(); Date.now = () => now;\n');
  const env = { NODE_OPTIONS: `--require=${clock}` };
  const { sent } = await onScreen(shop.world, ['run', 'demo:paint'], { env });
  expect(sent).toBe('red plain\r\nred plain\r\n');
  const piped = await shop.run(['run', 'demo:paint']);
  const raw = '\u001b[31mred\u001b[0m \u001b]0;title\u0007plain\n';
  expect([piped.stdout, piped.stderr]).toEqual([raw, raw]);
});

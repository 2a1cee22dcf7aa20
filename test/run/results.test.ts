import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { onTerminal } from '../cli/program.ts';
import { processesWith, Workshop } from './workshop.ts';

describe('the result of a run', () => {
  it('has what the tool wrote, on the stream it wrote to, and its own exit code', async () => {
    const shop = new Workshop();
    shop.skill('', {
      'scripts/fail.sh': 'echo out; echo err >&2; exit "$1"\n',
      'scripts/bytes.sh': 'printf "\\377\\000\\033[1mA\\n"\n',
    });
    const [failed, fine, json] = await Promise.all([
      shop.run(['run', 'demo:fail', '--', '7']),
      shop.run(['run', 'demo:fail', '--', '0']),
      shop.result(['demo:fail', '--', '7']),
    ]);
    expect([failed.code, failed.stdout, failed.stderr]).toEqual([7, 'out\n', 'err\n']);
    expect([fine.code, fine.stdout, fine.stderr]).toEqual([0, 'out\n', 'err\n']);
    expect(json).toMatchObject({ reason: 'exited', exitCode: 7, stdout: 'out\n', stderr: 'err\n', message: null });
    expect(json.enforcement.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['files', 'network', 'processes', 'memory', 'cpu', 'time', 'output', 'scratch', 'user']),
    );
    // A terminal would obey what a stranger wrote; a person is shown it instead.
    const shown = await onTerminal(shop.world, ['run', 'demo:bytes']);
    expect(shown).not.toContain('\u001b[1mA');
    expect(shown).toContain('A');
  });

  it('is data where the tool says that it writes JSON, and can be cut down', async () => {
    const shop = new Workshop();
    shop.skill(
      `[tools.list]
command = ["sh", "scripts/list.sh"]
output = "json"
[tools.lines]
command = ["seq", "1", "20"]
`,
      { 'scripts/list.sh': `echo '{"items":[{"name":"a","n":1},{"name":"b","n":2}]}'\n` },
    );
    const run = (...args: readonly string[]) => shop.run(['run', ...args]);
    const [list, names, lines, tail, longest, wrong] = await Promise.all([
      shop.result(['demo:list']),
      run('demo:list', '--jq', '.items[].name'),
      run('demo:lines', '--grep', '^1', '--head', '2'),
      run('demo:lines', '--tail', '1'),
      shop.result(['demo:lines', '--max-output', '10']),
      run('demo:lines', '--jq', '.items'),
    ]);
    expect(list.value).toEqual({
      items: [
        { name: 'a', n: 1 },
        { name: 'b', n: 2 },
      ],
    });
    expect(names.stdout.replaceAll('"', '')).toBe('a\nb\n');
    expect(lines.stdout).toBe('1\n10\n');
    expect(tail.stdout).toBe('20\n');
    expect(longest.stdout.length).toBeLessThanOrEqual(10);
    expect(longest.notes).not.toEqual([]);
    // A filter that does not fit costs nothing of what the tool has done.
    expect([wrong.code, wrong.stdout.split('\n').length]).toEqual([0, 21]);
    expect(wrong.stderr).toContain('The output was not filtered');
  });

  it('comes while the tool still runs, and not only at its end [C4-LIMIT-14]', async () => {
    const shop = new Workshop();
    shop.skill('', { 'scripts/slow.sh': 'echo first; sleep 20; echo last\n' });
    const run = shop.start(['run', 'demo:slow']);
    await run.until('first\n');
    expect([run.child.exitCode, run.said]).toEqual([null, 'first\n']);
    run.child.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130, stdout: 'first\n' });
  });

  it('ends with the one who asked: an interrupted run leaves no process and its record', async () => {
    const shop = new Workshop();
    const word = `2000.${process.pid}7`;
    shop.skill('', { 'scripts/tree.sh': `(setsid sleep ${word} &) ; sleep ${word} & echo ready; sleep ${word}\n` });
    const env = { TMPDIR: shop.ownFolder('tmp') }; // who is killed cannot clear up
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
      const run = shop.start(['run', 'demo:tree'], { env });
      await run.until('ready');
      await expect.poll(() => processesWith(word)).toBe(3);
      run.child.kill(signal);
      await run.ended;
      await expect.poll(() => processesWith(word)).toBe(0);
    }
    const ends = shop.records().flatMap((record) => (record.event === 'end' ? [record.result] : []));
    expect(ends).toEqual(['cancelled', 'cancelled']);
    expect((await shop.run(['audit', 'verify'])).code).toBe(0);
    const { executions } = (await shop.run(['audit', '--json'])).json<{ executions: { result: string }[] }>();
    expect(executions.map(({ result }) => result)).toEqual(['cancelled', 'cancelled', 'lost']);
  });

  it('is nothing at all in a dry run: the very arguments and all that they could touch', async () => {
    const shop = new Workshop();
    const place = shop.place('in.txt');
    shop.skill(
      `[capabilities]
filesystem = ["write:${place}"]
network = ["api.example.com:443"]
secrets = ["API_TOKEN"]
[tools.mark]
command = ["sh", "scripts/mark.sh", "${place}/ran", "{text}"]
stdin = "{input}"
timeout = "7s"
[tools.mark.parameters]
text = { type = "string" }
input = { type = "string" }
`,
      { 'scripts/mark.sh': 'touch "$1"\n' },
    );
    const secret = { API_TOKEN: 'hush-hush-hush' };
    const args = ['run', 'demo', '--dry-run', '--param', 'text=a b; $(id)', '--param', 'input=12345'];
    // What would be refused is refused here too.
    const denied = await shop.run(args, secret);
    expect([denied.code, denied.stdout]).toEqual([1, '']);
    expect(denied.stderr).toContain('repertoire grant demo');
    await shop.grant();
    const { code, stdout } = await shop.run(args, secret);
    expect(code).toBe(0);
    expect(stdout).toContain(`  "/skill/scripts/mark.sh"\n  "${place}/ran"\n  "a b; $(id)"\n`);
    expect(stdout).toContain('in /skill, with 5 bytes on standard input');
    expect(stdout).toContain('network      api.example.com:443');
    expect(stdout).toContain(`${place} (write)`);
    expect(stdout).toContain('API_TOKEN=(secret)');
    expect(stdout).toMatch(/timeout +7 s/);
    expect(stdout).not.toContain('hush');
    const plan = await shop.dryRun(args.slice(1), secret);
    expect(plan.argv.slice(1)).toEqual(['/skill/scripts/mark.sh', `${place}/ran`, 'a b; $(id)']);
    expect(plan.permissions.mounts).toEqual([{ source: place, target: place, access: 'write' }]);
    expect(shop.records().map(({ event }) => event)).toEqual(['grant']);
    expect(existsSync(`${place}/ran`)).toBe(false);
  });
});

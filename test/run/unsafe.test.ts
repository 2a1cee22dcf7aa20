import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Workshop } from './workshop.ts';

const warning = 'warning: NO SANDBOX (--unsafe-no-sandbox)';

const bubblewrap = execFileSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim();

/** A skill that leaves a file where it may not, in a folder that is no temporary one. */
function marking(): { readonly shop: Workshop; readonly mark: string; readonly from: readonly string[] } {
  const shop = new Workshop();
  const place = shop.place();
  const mark = `${place}/ran`;
  const folder = shop.skill(`[tools.mark]\ncommand = ["sh", "scripts/mark.sh", "${mark}"]\n`, {
    'scripts/mark.sh': 'touch "$1" && echo "marked from $(pwd)"\n',
  });
  cpSync(folder, `${place}/skills/demo`, { recursive: true });
  rmSync(folder, { recursive: true });
  return { shop, mark, from: ['--skill-dir', `${place}/skills`] };
}

describe('without a sandbox', () => {
  it('nothing is run where there is none, and the remedy is named [C4-RUNTIME-08]', async () => {
    const { shop, mark, from } = marking();
    // A machine on which bubblewrap is not installed; and one that has it, and does not let it do anything.
    const machines = [
      ['bwrap', '--dev-bind', '/', '/', '--ro-bind', '/dev/null', bubblewrap],
      ['bwrap', '--dev-bind', '/', '/', '--unshare-user', '--disable-userns'],
    ];
    for (const through of machines) {
      const { code, stdout, stderr } = await shop.start(['run', 'demo', ...from], { through }).ended;
      expect([code, stdout, existsSync(mark)]).toEqual([1, '', false]);
      expect(stderr).toMatch(/^engine_error: the sandbox (needs|cannot|could not)/);
      expect(stderr).toMatch(/\n(Install|Run|User namespaces)/);
    }
    const ends = shop.records().flatMap((record) => (record.event === 'end' ? [[record.result, record.unsafe]] : []));
    expect(ends).toEqual(Array(2).fill(['engine_error', false]));
  });

  it('is possible for those who insist, is loud, and is in the log', async () => {
    const { shop, mark, from } = marking();
    expect((await shop.run(['run', 'demo', ...from])).code).not.toBe(0);
    expect(existsSync(mark)).toBe(false);
    const run = await shop.run(['run', 'demo', '--unsafe-no-sandbox', ...from]);
    expect([run.code, existsSync(mark)]).toEqual([0, true]);
    expect(run.stdout).toBe(`marked from ${from[1]}/demo\n`);
    expect(run.stderr.startsWith(warning)).toBe(true);
    const json = await shop.run(['run', 'demo', '--json', ...from], { REPERTOIRE_UNSAFE_NO_SANDBOX: '1' });
    expect(json.stderr.startsWith(warning)).toBe(true);
    expect(json.json<{ enforcement: { what: string; by: string }[] }>().enforcement).toContainEqual({
      what: 'files',
      by: 'nothing: it runs without a sandbox',
    });
    const unsafe = shop.records().flatMap((record) => (record.event === 'end' ? [record.unsafe] : []));
    expect(unsafe).toEqual([false, true, true]);
    expect((await shop.run(['audit'])).stdout.match(/\[no sandbox\]/g)).toHaveLength(2);
  });

  it('has to be said by the user: a project’s settings cannot', async () => {
    const { shop, mark, from } = marking();
    shop.world.write('project/repertoire.toml', 'unsafe_no_sandbox = true\n');
    shop.world.write('project/.repertoire.toml', 'unsafe_no_sandbox = true\n');
    const run = await shop.run(['run', 'demo', ...from]);
    expect([run.stdout, run.stderr.includes('NO SANDBOX')]).toEqual(['', false]);
    expect(existsSync(mark)).toBe(false);
  });

  it('is no less checked: parameters, grants and secrets hold', async () => {
    const shop = new Workshop();
    shop.skill('[capabilities]\nenv = ["REGION"]\n[tools.t]\ncommand = ["env"]\n');
    const denied = await shop.run(['run', 'demo', '--unsafe-no-sandbox'], { PLANTED: 'planted-value' });
    expect([denied.code, denied.stdout]).toEqual([1, '']);
    await shop.grant();
    const run = await shop.run(['run', 'demo', '--unsafe-no-sandbox'], { PLANTED: 'planted-value', REGION: 'north' });
    expect(run.stdout).toContain('REGION=north\n');
    expect(run.stdout).not.toContain('planted-value');
  });

  it('is said by a server too, when it starts', async () => {
    const { shop } = marking();
    for (const [args, isWarned] of [
      [['serve', '--unsafe-no-sandbox'], true],
      [['serve'], false],
    ] as const) {
      const server = shop.start(args, { stdin: '' });
      expect((await server.ended).stderr.includes('NO SANDBOX')).toBe(isWarned);
    }
  });
});

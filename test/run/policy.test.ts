import { chmodSync, existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { users, Workshop } from './workshop.ts';

describe('the policy of the operator', () => {
  it('says what may be granted at all', async () => {
    const shop = new Workshop();
    const place = shop.place('in/a.txt', 'out/b.txt');
    const policy = shop.policy(`[allow]
network = ["*.example.com:443"]
filesystem = ["read:${place}/in"]
env = ["APP_*"]
secrets = ["DEPLOY_TOKEN"]
commands = ["curl"]
images = ["docker.io/library/*"]
runtimes = ["native", "docker"]
`);
    const cases: readonly (readonly [asked: string, words: string | null])[] = [
      ['network = ["api.example.com:443"]', null],
      ['network = ["api.example.com"]', 'talk to api.example.com on any port'],
      ['network = ["example.org:443"]', 'talk to example.org on port 443'],
      [`filesystem = ["read:${place}/in/a.txt"]`, null],
      [`filesystem = ["write:${place}/in"]`, `read and change files below ${place}/in`],
      [`filesystem = ["read:${place}/out"]`, `read files below ${place}/out`],
      ['env = ["APP_REGION"]', null],
      ['env = ["REGION"]', 'see the environment variable REGION'],
      ['secrets = ["DEPLOY_TOKEN"]', null],
      ['secrets = ["OTHER_TOKEN"]', 'be given the secret OTHER_TOKEN'],
    ];
    for (const [index, [asked]] of cases.entries()) {
      shop.skill(`[capabilities]\n${asked}\n[tools.t]\ncommand = ["true"]\n`, {}, `case-${index}`);
    }
    shop.skill('[tools.t]\ncommand = ["curl", "--version"]\n', {}, 'curl');
    shop.skill('[tools.t]\ncommand = ["rsync", "--version"]\n', {}, 'rsync');
    shop.skill('[skill]\nruntime = "docker"\nimage = "docker.io/library/alpine:3.20"\n', {}, 'image');
    shop.skill('[skill]\nruntime = "docker"\nimage = "ghcr.io/someone/thing:1"\n', {}, 'foreign');
    const grant = (name: string) => shop.run(['grant', name, '--yes']);
    const check = async ([asked, words]: (typeof cases)[number], index: number): Promise<void> => {
      const { code, stderr } = await grant(`case-${index}`);
      expect([asked, code]).toEqual([asked, words === null ? 0 : 1]);
      expect(stderr).toContain(words === null ? '' : `the policy in ${policy} does not let any skill ${words}`);
    };
    await Promise.all(cases.map(check));
    const [curl, rsync, image, foreign] = await Promise.all(['curl', 'rsync', 'image', 'foreign'].map(grant));
    expect([curl?.code, rsync?.code, image?.code, foreign?.code]).toEqual([0, 1, 0, 1]);
    expect(rsync?.stderr).toContain('does not let any skill run the program rsync');
    expect(foreign?.stderr).toContain('does not let any skill use the container image ghcr.io/someone/thing:1');
    // What was granted before the policy became stricter is not allowed any more.
    shop.policy('[allow]\nenv = []\n');
    const later = await shop.run(['run', 'case-6:t']);
    expect([later.code, later.stderr]).toEqual([
      1,
      expect.stringContaining('does not let any skill see the environment variable'),
    ]);
  });

  it('says which programs run without being asked for; all others need a grant, and run in the sandbox then [C4-RUNTIME-06 S4-SANDBOX-03]', async () => {
    const shop = new Workshop();
    const place = shop.place();
    // By its name, by its path, and by a name that is nobody's.
    const of = (command: string): string => `[tools.t]\ncommand = [${command}]\n`;
    shop.skill(of(`"env", "sh", "-c", "touch ${place}/ran; id -u; ls /root /home"`), {}, 'named');
    shop.skill(of(`"/usr/bin/env", "touch", "${place}/ran"`), {}, 'path');
    shop.skill(of('"no-such-program-anywhere"'), {}, 'missing');
    shop.skill(of('"cat", "/skill/SKILL.md"'), {}, 'free');
    const denied = await Promise.all(['named', 'path', 'missing'].map((name) => shop.run(['run', name])));
    for (const { code, stdout, stderr } of denied) {
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/is not allowed to run the program|Name the program alone|is a path/);
    }
    expect((await shop.run(['run', 'free'])).stdout).toContain('name: free');
    expect((await shop.grant('named')).stdout).toContain('run the program env');
    const granted = await shop.run(['run', 'named']);
    expect(granted.stdout).not.toMatch(/^0$/m);
    expect(granted.stderr).toContain(`touch: `);
    expect(existsSync(`${place}/ran`)).toBe(false);
    await shop.grant('missing');
    const missing = await shop.run(['run', 'missing']);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('is not installed on this machine')]);
    // The operator may take programs off the list, and then these have to be asked for too.
    shop.policy('[commands]\nfree = ["echo"]\n');
    expect((await shop.run(['run', 'free'])).stderr).toContain('is not allowed to run the program cat');
  });

  it('says in what tools run', async () => {
    const shop = new Workshop();
    shop.skill('', { 'scripts/say.sh': 'echo said\n' });
    const policy = shop.policy('[allow]\nruntimes = ["wasm"]\n');
    const { code, stdout, stderr } = await shop.run(['run', 'demo']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`the policy in ${policy} does not let any skill use the runtime native`);
    // Doing without a sandbox is no way around it.
    const unsafe = await shop.run(['run', 'demo', '--unsafe-no-sandbox']);
    expect([unsafe.code, unsafe.stdout]).toEqual([1, '']);
  });

  it.each(users)('may want limits held rather than watched (as %s)', async (user) => {
    const shop = new Workshop(user);
    shop.skill('', { 'scripts/say.sh': 'echo said\n' });
    const memory = (await shop.result(['demo'])).enforcement.find(({ what }) => what === 'memory')?.by ?? '';
    const policy = shop.policy('[allow]\nwatched_limits = false\n');
    const { code, stdout, stderr } = await shop.run(['run', 'demo']);
    if (memory.startsWith('cgroup')) return expect([code, stdout]).toEqual([0, 'said\n']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`can only be watched here, which the policy in ${policy} does not allow`);
  });

  it('lets nothing run while something is wrong with it, and says where', async () => {
    const shop = new Workshop();
    shop.skill('', { 'scripts/say.sh': 'echo said\n' });
    const wrong: readonly (readonly [text: string, where: string, what: string])[] = [
      ['[allow]\nnetwork = ["*.example.com"]\nnetwrok = []\n', ':3', 'unknown key "allow.netwrok"'],
      ['[ceilings]\nmemory = "lots"\n', ':2', 'ceilings.memory'],
      ['[allow]\nfilesystem = [\n  "read:/srv",\n  "srv",\n]\n', ':4', 'srv'],
      ['[allow]\nruntimes = "native"\n', ':2', 'must be a list'],
      ['[allow]\nwatched_limits = "no"\n', ':2', 'must be true or false'],
      ['[allow\n', ':1', ''],
      ['[limits]\ntimeout = -1\n', ':2', 'limits.timeout'],
    ];
    for (const [text, where, what] of wrong) {
      const file = shop.policy(text);
      const [run, grant] = await Promise.all([shop.run(['run', 'demo']), shop.run(['grant', 'demo', '--yes'])]);
      expect([text, run.code === 0, run.stdout]).toEqual([text, false, '']);
      expect(run.stderr).toContain(`${file}${where}`);
      expect(run.stderr).toContain(what);
      expect([grant.code === 0, grant.stderr]).toEqual([false, expect.stringContaining(`${file}${where}`)]);
    }
    chmodSync(shop.policy('[limits]\ntimeout = "5s"\n'), 0o666);
    expect((await shop.run(['run', 'demo'])).stderr).toContain('everyone can write to it');
    const missing = await shop.run(['run', 'demo'], { REPERTOIRE_POLICY: '/nowhere/policy.toml' });
    expect([missing.code === 0, missing.stderr]).toEqual([false, expect.stringContaining('REPERTOIRE_POLICY names')]);
    // Each of them was an execution that was refused, and is in the log as such.
    const ends = shop.records().flatMap((record) => (record.event === 'end' ? [record.result] : []));
    expect(ends).toEqual(Array(wrong.length + 2).fill('engine_error'));
    shop.policy('');
    expect((await shop.run(['run', 'demo'])).stdout).toBe('said\n');
  });
});

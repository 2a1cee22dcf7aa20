import { chmodSync, copyFileSync, existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { GrantOutput } from '../../src/engine/operations/running/grant.ts';
import type { GrantsOutput } from '../../src/engine/operations/running/grants.ts';
import { quoted, shell } from '../cli/program.ts';
import { program } from '../support/world.ts';
import { Workshop } from './workshop.ts';

/** A skill that asks to write into a place, and leaves a file there when it may. */
function asking(shop: Workshop): { readonly folder: string; readonly place: string; readonly ran: () => boolean } {
  const place = shop.place();
  const manifest = `[capabilities]
filesystem = ["write:${place}"]
env = ["REGION"]
[tools.mark]
command = ["sh", "scripts/mark.sh", "${place}/ran"]
[tools.modest]
command = ["sh", "scripts/mark.sh", "${place}/ran"]
capabilities = { env = ["REGION"] }
`;
  const folder = shop.skill(manifest, { 'scripts/mark.sh': 'touch "$1" && echo "marked in $REGION"\n' });
  return { folder, place, ran: () => existsSync(`${place}/ran`) };
}

async function grantsOf(shop: Workshop): Promise<GrantsOutput> {
  return (await shop.run(['grants', '--json'])).json();
}

describe('a grant', () => {
  it('is needed for what is declared, gives no more than that, and can be taken back [C4-CAP-05 C4-CAP-09 S4-PERM-01]', async () => {
    const shop = new Workshop();
    const { folder, place, ran } = asking(shop);
    const region = { REGION: 'north' };
    // Declared and not granted.
    const before = await shop.run(['run', 'demo:mark'], region);
    expect([before.code, before.stdout, ran()]).toEqual([1, '', false]);
    expect(before.stderr).toBe(
      `denied: skill 'demo' is not allowed to read and change files below ${place}; ` +
        `see the environment variable REGION\nRun: repertoire grant demo\n`,
    );
    expect((await grantsOf(shop)).grants).toEqual([]);
    // Granted: what it may is said in words.
    const granted = await shop.run(['grant', 'demo', '--yes']);
    expect(granted.code).toBe(0);
    expect(granted.stdout).toContain(
      `granted to demo:\n  - read and change files below ${place}\n  - see the environment variable REGION\n`,
    );
    expect((await shop.run(['run', 'demo:mark'], region)).stdout).toBe('marked in north\n');
    expect(ran()).toBe(true);
    rmSync(`${place}/ran`);
    // Granted to the skill, and not asked for by this tool.
    const modest = await shop.run(['run', 'demo:modest'], region);
    expect([modest.code === 0, ran()]).toEqual([false, false]);
    const { grants } = await grantsOf(shop);
    expect(grants).toMatchObject([{ skill: 'demo', folder, valid: true, changes: [] }]);
    expect((await shop.run(['grants'])).stdout).toMatch(/^demo valid .*\n {2}- read and change files below /);
    const revoked = await shop.run(['revoke', 'demo']);
    expect([revoked.code, revoked.stdout]).toEqual([0, 'Revoked: demo\n']);
    expect((await shop.run(['run', 'demo:mark'], region)).code).toBe(1);
    expect(ran()).toBe(false);
    const again = await shop.run(['revoke', 'demo']);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("nothing is granted to 'demo'")]);
  });

  it('is asked for in words where somebody can answer, and only a clear yes is one', async () => {
    const shop = new Workshop();
    const { place, ran } = asking(shop);
    const answered = async (answer: string): Promise<string> => {
      const command = [process.execPath, program, 'grant', 'demo'].map(quoted).join(' ');
      const env = { TERM: 'xterm', NO_COLOR: '1', SHELL: '/bin/bash' };
      const script = `echo ${quoted(answer)} | script -qec ${quoted(`${command}; echo "code $?"`)} /dev/null`;
      return (await shell(shop.world, script, env)).stdout.replaceAll('\r', '');
    };
    const [no, nonsense] = await Promise.all([answered('n'), answered('yesterday')]);
    expect(no).toContain(
      `asks to:\n  - read and change files below ${place}\n  - see the environment variable REGION\n`,
    );
    expect(no).toContain('This is valid until any of its files changes. Allow it? [y/N]');
    for (const said of [no, nonsense]) expect(said).toMatch(/demo is not granted anything\.\ncode 1/);
    expect((await grantsOf(shop)).grants).toEqual([]);
    expect(await answered('y')).toMatch(/granted to demo\.\ncode 0/);
    await shop.run(['run', 'demo:mark']);
    expect(ran()).toBe(true);
  });

  it('is not given where nobody can be asked', async () => {
    const shop = new Workshop();
    asking(shop);
    const [silent, piped, json] = await Promise.all([
      shop.run(['grant', 'demo']),
      shop.start(['grant', 'demo'], { stdin: 'y\n' }).ended,
      shop.run(['grant', 'demo', '--json']),
    ]);
    for (const run of [silent, piped]) {
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('repertoire grant demo --yes')]);
    }
    expect(json.json<{ error: { code: string } }>().error.code).toBe('usage');
    expect((await grantsOf(shop)).grants).toEqual([]);
    const yes = (await shop.run(['grant', 'demo', '--yes', '--json'])).json<GrantOutput>();
    expect([yes.granted, yes.may.length, yes.digest]).toEqual([true, 2, expect.stringMatching(/^sha256:[\da-f]{64}$/)]);
  });

  it('is not needed by a tool that asks for nothing', async () => {
    const shop = new Workshop();
    shop.skill('', { 'scripts/plain.sh': 'echo plain\n' });
    const { code, stdout } = await shop.run(['grant', 'demo']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('needs no grant')]);
    expect((await shop.run(['run', 'demo'])).stdout).toBe('plain\n');
  });

  it('ends with one changed byte, one changed mode, one file more or less, and the file is named [C4-CAP-10 C4-CAP-11]', async () => {
    const shop = new Workshop();
    const { folder, place, ran } = asking(shop);
    shop.world.write('project/skills/demo/data/table.csv', 'a,b\n');
    const original = shop.world.path('script.sh');
    copyFileSync(`${folder}/scripts/mark.sh`, original);
    await shop.grant();
    const refusal = async (): Promise<string> => {
      const { code, stderr } = await shop.run(['run', 'demo:mark']);
      expect([code, ran()]).toEqual([1, false]);
      return stderr;
    };
    const script = 'project/skills/demo/scripts/mark.sh';
    shop.world.write(script, 'touch "$1" && echo "marked in $REGIOM"\n');
    expect(await refusal()).toBe(
      "denied: the grant of skill 'demo' is no longer valid: scripts/mark.sh has changed\n" +
        'Review the change, then run: repertoire grant demo\n',
    );
    const { grants } = await grantsOf(shop);
    expect(grants).toMatchObject([{ valid: false, changes: ['scripts/mark.sh has changed'] }]);
    expect((await shop.run(['grants'])).stdout).toContain('demo invalid');
    copyFileSync(original, `${folder}/scripts/mark.sh`);
    chmodSync(`${folder}/scripts/mark.sh`, 0o755);
    expect(await refusal()).toContain('scripts/mark.sh has changed');
    chmodSync(`${folder}/scripts/mark.sh`, 0o644);
    shop.world.write('project/skills/demo/data/more.csv', '');
    expect(await refusal()).toContain('data/more.csv is new');
    rmSync(`${folder}/data/more.csv`);
    rmSync(`${folder}/data/table.csv`);
    expect(await refusal()).toContain('data/table.csv is gone');
    shop.world.write('project/skills/demo/data/table.csv', 'a,b\n');
    // As it was when it was granted, it holds again; and a new one is for what is there now.
    expect((await shop.run(['run', 'demo:mark'])).code).toBe(0);
    rmSync(`${place}/ran`); // each run of root's is a user of its own, and could not touch it again
    shop.world.write('project/skills/demo/SKILL.md', '---\nname: demo\ndescription: Another.\n---\n');
    expect((await shop.run(['run', 'demo:mark'])).stderr).toContain('SKILL.md has changed');
    await shop.grant();
    expect(await shop.run(['run', 'demo:mark'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('is of the project’s manifest too, where that speaks of the skill', async () => {
    const shop = new Workshop();
    shop.skill('', { 'scripts/say.sh': 'echo "in $REGION"\n' });
    const manifest = (more: string): string =>
      shop.world.write(
        'project/.skill-engine.toml',
        `[skills.demo]\n[skills.demo.capabilities]\nenv = ["REGION"]\n${more}`,
      );
    manifest('');
    expect((await shop.run(['run', 'demo'], { REGION: 'north' })).stderr).toContain('Run: repertoire grant demo');
    await shop.grant();
    expect((await shop.run(['run', 'demo'], { REGION: 'north' })).stdout).toBe('in north\n');
    manifest('secrets = ["API_TOKEN"]\n');
    const { code, stdout, stderr } = await shop.run(['run', 'demo'], { REGION: 'north', API_TOKEN: 'long enough' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('.skill-engine.toml has changed');
  });

  it('counts for nothing when its file is not the user’s alone, or is another’s', async () => {
    const shop = new Workshop();
    const { ran } = asking(shop);
    await shop.grant();
    const [file] = readdirSync(shop.state('grants')).map((name) => shop.state(`grants/${name}`));
    chmodSync(file ?? '', 0o666);
    const run = await shop.run(['run', 'demo:mark']);
    expect([run.code, ran()]).toEqual([1, false]);
    expect(run.stderr).toContain('can be written by others; it is ignored');
    expect((await grantsOf(shop)).problems).toEqual([expect.stringContaining('can be written by others')]);
    // A copy of the skill elsewhere has no grant, whatever its name and however much it is the same.
    chmodSync(file ?? '', 0o600);
    shop.world.folder('other/skills');
    await shell(shop.world, 'cp -a skills/demo ../other/skills/demo');
    const copy = await shop.run([
      'run',
      'demo:mark',
      '--skill-dir',
      shop.world.path('other/skills'),
      '--no-scan-default-dirs',
    ]);
    expect([copy.code, ran()]).toEqual([1, false]);
    expect((await shop.run(['run', 'demo:mark'])).code).toBe(0);
  });

  it('is asked for with the place that a link really leads to', async () => {
    const shop = new Workshop();
    const [place, other] = [shop.place('deep/file'), shop.place('diary')];
    symlinkSync(other, `${place}/link`);
    shop.skill(
      `[capabilities]\nfilesystem = ["read:${place}/link"]\n[tools.show]\ncommand = ["cat", "${place}/link/diary"]\n`,
    );
    const { stdout } = await shop.grant();
    expect(stdout).toContain(`  - read files below ${place}/link\n`);
    expect(stdout).toContain(`  - so reach ${other}, which is where ${place}/link leads\n`);
    expect((await shop.run(['run', 'demo'])).stdout).toBe('text of diary\n');
    // What it leads to later was never shown to anybody.
    rmSync(`${place}/link`);
    symlinkSync(`${place}/deep`, `${place}/link`);
    expect((await shop.run(['run', 'demo'])).stderr).toContain('which it did not when');
  });
});

import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Machine, refused } from '../../../test/support/machine.ts';
import { textsOf } from './capabilities.ts';

describe('the permissions of a run', () => {
  it('are none, without a grant, for a tool that asks for nothing', async () => {
    const machine = new Machine();
    const asked = machine.asking({ filesystem: ['write:/tmp', 'write:/tmp/x'], commands: ['python3', 'cat'] });
    expect(await machine.permissions(asked)).toMatchObject({ network: [], mounts: [], env: [], secrets: [] });
  });

  it('include nothing that was asked for and not granted [C4-CAP-05]', async () => {
    const machine = new Machine();
    const asked = machine.asking({ network: ['*.example.com'], secrets: ['TOKEN'], commands: ['kubectl', 'cat'] });
    const error = await machine.refusal(asked);
    expect(error.message).toBe(
      "skill 'helper' is not allowed to talk to every host below example.com on any port; be given the secret TOKEN; run the program kubectl",
    );
    expect(error.hint).toBe('Run: repertoire grant helper');
    await machine.grant(asked);
    expect(await machine.permissions(asked)).toMatchObject({ network: asked.network, secrets: ['TOKEN'] });
  });

  it('are what was granted, and no more than was asked for', async () => {
    const machine = new Machine();
    await machine.grant(
      machine.asking({ network: ['*.example.com'], env: ['A', 'B'], filesystem: [`write:${machine.data}`] }),
    );
    const less = machine.asking({ network: ['api.example.com:443'], env: ['A'], filesystem: [`read:${machine.data}`] });
    expect(await machine.permissions(less)).toMatchObject({
      network: [{ host: 'api.example.com', below: false, port: 443 }],
      mounts: [{ source: machine.data, target: machine.data, access: 'read' }],
      env: ['A'],
    });
    const more = machine.asking({ network: ['example.com', 'api.example.com'], env: ['A', 'C'] });
    const refusal = await machine.refusal(more);
    expect(refusal.message).toBe(
      "skill 'helper' is not allowed to talk to example.com on any port; see the environment variable C",
    );
    expect(refusal.hint).toBe(
      'It was granted only a part of what it asks for. For all of it, run: repertoire grant helper\n' +
        "For just this as well: repertoire grant helper --only 'network:*.example.com' --only network:example.com " +
        `--only filesystem:write:${machine.data} --only env:A --only env:B --only env:C`,
    );
  });
});

describe('a grant', () => {
  const change: Readonly<Record<string, readonly [words: string, change: (skill: string) => void]>> = {
    'one more byte': ['scripts/run.sh has changed', (skill) => appendFileSync(join(skill, 'scripts/run.sh'), ' ')],
    'one other byte': ['scripts/run.sh has changed', (skill) => writeFileSync(join(skill, 'scripts/run.sh'), 'echo 2')],
    'another mode': ['scripts/run.sh has changed', (skill) => chmodSync(join(skill, 'scripts/run.sh'), 0o755)],
    'a new file': ['.hidden is new', (skill) => writeFileSync(join(skill, '.hidden'), '')],
    'a file less': ['scripts/run.sh is gone', (skill) => rmSync(join(skill, 'scripts/run.sh'))],
    'another name': [
      'b.sh is new, scripts/run.sh is gone',
      (skill) => renameSync(join(skill, 'scripts/run.sh'), join(skill, 'b.sh')),
    ],
  };
  for (const [what, [words, apply]] of Object.entries(change)) {
    it(`does not survive ${what}, and says so [C4-CAP-10 C4-CAP-11]`, async () => {
      const machine = new Machine();
      const asked = machine.asking({ env: ['A'] });
      await machine.grant(asked);
      expect(await machine.permissions(asked)).toMatchObject({ env: ['A'] });
      apply(machine.skill);
      const error = await machine.refusal(asked);
      expect(error.message).toContain(`is no longer valid: ${words}`);
      expect(error.hint).toContain('repertoire grant helper');
      expect(await machine.permissions(machine.asking({}))).toMatchObject({ env: [] });
      await machine.grant(asked);
      expect(await machine.permissions(asked)).toMatchObject({ env: ['A'] });
    });
  }

  it('that is damaged does not count, and says why', async () => {
    const machine = new Machine();
    const asked = machine.asking({ env: ['A'] });
    await machine.grant(asked);
    const folder = join(machine.environment.home, '.local/state/repertoire/grants');
    writeFileSync(join(folder, readdirSync(folder)[0] ?? ''), '{');
    expect((await machine.refusal(asked)).message).toMatch(/see the environment variable A \(.*is ignored\)$/);
  });

  it('holds only while links lead where they led', async () => {
    const machine = new Machine();
    const [link, other] = [join(machine.place, 'link'), join(machine.place, 'other')];
    mkdirSync(other);
    symlinkSync(machine.data, link);
    const asked = machine.asking({ filesystem: [`read:${link}`] });
    await machine.grant(asked);
    expect((await machine.permissions(asked)).mounts).toEqual([{ source: machine.data, target: link, access: 'read' }]);
    rmSync(link);
    symlinkSync(other, link);
    expect((await machine.refusal(asked)).message).toContain(`${link} now leads to ${other}, which it did not`);
  });

  it('of a folder that is not there yet holds for a folder at that very place, and for no link', async () => {
    const machine = new Machine();
    const [real, other] = [join(machine.place, 'real'), join(machine.place, 'other')];
    for (const folder of [real, other]) mkdirSync(folder);
    symlinkSync(real, join(machine.place, 'link'));
    symlinkSync(join(machine.place, 'nowhere'), join(machine.place, 'dangling'));
    const [late, dangling] = [join(machine.place, 'link/a/b'), join(machine.place, 'dangling')];
    const asked = machine.asking({ filesystem: [`write:${late}`, `read:${dangling}`] });
    await machine.grant(asked);
    expect((await machine.permissions(asked)).mounts).toEqual([]);
    mkdirSync(late, { recursive: true });
    expect((await machine.permissions(asked)).mounts).toEqual([
      { source: join(real, 'a/b'), target: late, access: 'write' },
    ]);
    rmSync(join(real, 'a'), { recursive: true });
    mkdirSync(join(other, 'b'));
    symlinkSync(other, join(real, 'a'));
    expect((await machine.refusal(asked)).message).toContain(`${late} now leads to ${other}/b, which it did not`);
    rmSync(join(real, 'a'));
    mkdirSync(join(machine.place, 'nowhere'));
    expect((await machine.refusal(asked)).message).toContain(`${dangling} did not exist when it was granted`);
  });

  it('of a folder does not include the target of a link in it', async () => {
    const machine = new Machine();
    const outside = join(machine.place, 'outside');
    mkdirSync(outside);
    mkdirSync(join(machine.data, 'inside'));
    await machine.grant(machine.asking({ filesystem: [`write:${machine.data}`] }));
    const inner = machine.asking({ filesystem: [`read:${machine.data}/inside`] });
    expect((await machine.permissions(inner)).mounts).toHaveLength(1);
    rmSync(join(machine.data, 'inside'), { recursive: true });
    symlinkSync(outside, join(machine.data, 'inside'));
    expect((await machine.refusal(inner)).message).toContain('which it did not when');
  });

  it('is not given for what is refused to everybody', async () => {
    const machine = new Machine();
    const { home } = machine.environment;
    mkdirSync(join(home, '.ssh'));
    const asked = machine.asking({ filesystem: ['read:~/.ssh', 'read:~'] });
    const error = await refused(machine.grant(asked));
    expect(error.message).toContain(`is in ${home}/.ssh, which holds keys and passwords`);
    expect(error.message).toContain(`read:${home} contains`);
    expect((await machine.refusal(asked)).message).toBe(error.message);
  });
});

describe('the forms of permissions', () => {
  it('are those of the documents [S4-PERM-02 S4-PERM-03]', () => {
    const machine = new Machine();
    const asked = machine.asking({ network: ['*.example.com'], filesystem: ['read:/data', 'write:/tmp'] });
    expect(textsOf(asked)).toMatchObject({ network: ['*.example.com'], filesystem: ['read:/data', 'write:/tmp'] });
  });
});

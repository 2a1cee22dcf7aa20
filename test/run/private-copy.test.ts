import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { executed, tool } from '../execute/library.ts';
import { connectStdio } from '../support/mcp.ts';
import { type User, users, Workshop } from './workshop.ts';

const region = { REGION: 'north' };
const tries = 40;

/** A granted skill with a tool that says who it is, and a script that could take its place. */
async function granted(user: User): Promise<{ shop: Workshop; script: string; evil: string; digest: string }> {
  const shop = new Workshop(user);
  const manifest = '[capabilities]\nenv = ["REGION"]\n[tools.say]\ncommand = ["sh", "scripts/say.sh"]\n';
  const folder = shop.skill(manifest, { 'scripts/say.sh': 'echo "good in $REGION"; sleep 0.05\n' });
  const evil = shop.world.write('evil.sh', 'echo "evil in $REGION"\n');
  await shop.grant();
  const { digest } = await shop.dryRun(['demo:say'], region);
  return { shop, script: join(folder, 'scripts/say.sh'), evil, digest };
}

/** Where copies are kept, by the digests of what they hold. */
function copiesOf(shop: Workshop): string {
  return shop.world.path('cache/repertoire/skills');
}

/** The one copy there is. */
function copyIn(shop: Workshop): string {
  const names = readdirSync(copiesOf(shop));
  expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  return join(copiesOf(shop), names[0] ?? '', 'skill');
}

describe.each(users)('what is run, as %s', (user) => {
  it('is what was checked, however a file is swapped between the check and the run [C4-CAP-10 C4-CAP-13]', async () => {
    const { shop, script, evil, digest } = await granted(user);
    const server = await connectStdio(shop.world, ['serve', '--structured'], { env: region, ...shop.uid });
    const log = shop.state('audit/audit.jsonl');
    const sizeNow = (): number => (existsSync(log) ? statSync(log).size : 0);
    const [good, bad] = [`${evil}.good`, `${evil}.bad`];
    let swaps = 0;
    for (let turn = 0; turn < tries; turn++) {
      copyFileSync(script, good);
      copyFileSync(evil, bad);
      const before = sizeNow();
      let isOver = false;
      // When the first record is written, everything has been checked and nothing has been started.
      const swapping = (async () => {
        while (sizeNow() === before && !isOver) await new Promise(setImmediate);
        renameSync(bad, script);
        if (!isOver) swaps++;
      })();
      const { told, text } = executed(
        await server.call(tool, { skill_name: 'demo', tool_name: 'say', parameters: {} }),
      );
      isOver = true;
      await swapping;
      renameSync(good, script);
      expect([told?.exit_reason, told?.stdout, told?.digest], text).toEqual(['exited', 'good in north\n', digest]);
    }
    expect(swaps).toBeGreaterThan(tries / 2);
    const recorded = shop.records().flatMap((record) => ('digest' in record ? [record.digest] : []));
    expect(recorded).toHaveLength(1 + 2 * tries); // the grant, and both records of each run
    expect(new Set(recorded)).toEqual(new Set([digest]));
  });

  it('does not change while it runs, whatever is written to the files of the skill [C4-CAP-13]', async () => {
    const shop = new Workshop(user);
    const folder = shop.skill('[tools.slow]\ncommand = ["sh", "scripts/slow.sh"]\n', {
      'scripts/slow.sh': 'cat data/text; echo begun; sleep 1; cat data/text; . ./scripts/more.sh; ls\n',
      'scripts/more.sh': 'echo good\n',
      'data/text': 'old\n',
    });
    const started = shop.start(['run', 'demo:slow']);
    await started.until('begun');
    for (const file of ['scripts/slow.sh', 'scripts/more.sh', 'data/text']) {
      writeFileSync(join(folder, file), 'echo evil\n', { flag: 'r+' }); // the same file, and not another of its name
    }
    shop.world.write('project/skills/demo/added', '');
    const { code, stdout } = await started.ended;
    expect([code, stdout]).toEqual([0, 'old\nbegun\nold\ngood\nSKILL.md\ndata\nscripts\nskill.toml\n']);
  });

  it('has what the skill has: links, programs that can be executed and times; but no FIFO', async () => {
    const shop = new Workshop(user);
    const folder = shop.skill('[tools.look]\ncommand = ["sh", "scripts/look.sh"]\n', {
      'scripts/look.sh':
        'cat link; bin/hello; stat -c %Y data; test -x data; echo $?; ls; touch data || echo refused\n',
      'bin/hello': '#!/bin/sh\necho hello\n',
      data: 'text\n',
    });
    chmodSync(join(folder, 'bin/hello'), 0o755);
    symlinkSync('data', join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    execFileSync('touch', ['-d', '@1700000000', join(folder, 'data')]);
    const { stdout } = await shop.result(['demo:look']);
    const entries = ['SKILL.md', 'bin', 'data', 'link', 'scripts', 'skill.toml'];
    expect(stdout.split('\n')).toEqual(['text', 'hello', '1700000000', '1', ...entries, 'refused', '']);
  });
});

describe('the copy of a skill', () => {
  const say = '[tools.say]\ncommand = ["sh", "scripts/say.sh"]\n';
  const files = { 'scripts/say.sh': 'echo good\n' };

  it('is made once, is closed to others, and is believed by its bytes alone', async () => {
    const shop = new Workshop();
    shop.skill(say, files);
    const said = async (): Promise<string> => (await shop.result(['demo:say'])).stdout;
    expect(await said()).toBe('good\n');
    const script = join(copyIn(shop), 'scripts/say.sh');
    const { ino } = statSync(script);
    expect(statSync(copiesOf(shop)).mode & 0o777).toBe(0o700);
    expect(statSync(script).mode & 0o222).toBe(0);
    expect([await said(), statSync(script).ino]).toEqual(['good\n', ino]);
    chmodSync(script, 0o644);
    writeFileSync(script, 'echo evil\n');
    expect(await said()).toBe('good\n');
    writeFileSync(join(copyIn(shop), 'added'), '');
    expect(await said()).toBe('good\n');
    expect(existsSync(join(copyIn(shop), 'added'))).toBe(false);
  });

  it('is made anew for a skill that was changed, and lies where no grant leads', async () => {
    const shop = new Workshop();
    const cache = shop.place();
    const env = { XDG_CACHE_HOME: cache };
    const kept = (): number => readdirSync(join(cache, 'repertoire/skills')).length;
    shop.skill(say, files);
    expect([(await shop.result(['demo:say'], env)).stdout, kept()]).toEqual(['good\n', 1]);
    shop.skill(say, { 'scripts/say.sh': 'echo better\n' });
    expect([(await shop.result(['demo:say'], env)).stdout, kept()]).toEqual(['better\n', 2]);
    shop.skill(`${say}[capabilities]\nfilesystem = ["write:${cache}"]\n`, files);
    const { code, stderr } = await shop.run(['grant', 'demo', '--yes'], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('files of this program')]);
  });

  it('cannot be made where nothing can be written, which is said with the remedy', async () => {
    const shop = new Workshop();
    shop.skill(say, files);
    const file = shop.world.write('taken', '');
    const { reason, message, hint } = await shop.result(['demo:say'], { XDG_CACHE_HOME: file });
    expect([reason, message]).toEqual(['engine_error', expect.stringContaining(`${file}/repertoire/skills`)]);
    expect(hint).toContain('XDG_CACHE_HOME');
    expect(readFileSync(file, 'utf8')).toBe('');
  });
});

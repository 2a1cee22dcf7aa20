import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { quoted, shell } from '../cli/program.ts';
import { program } from '../support/world.ts';
import { users, Workshop } from './workshop.ts';

/** Runs the test that comes with a skill, with the program on the path. */
async function testOf(
  shop: Workshop,
  folder: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const shim = shop.world.write(
    'bin/repertoire',
    `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(program)} "$@"\n`,
  );
  chmodSync(shim, 0o755);
  const path = `${shop.world.path('bin')}:${process.env['PATH']}`;
  return shell(shop.world, `sh ${quoted(join(folder, 'tests/count.sh'))}`, { PATH: path });
}

describe('repertoire new skill', () => {
  it.each(['native', 'wasm', 'docker'])('makes one for %s that validates and lists its tool', async (runtime) => {
    const shop = new Workshop();
    const made = await shop.run(['new', 'skill', 'word-count', '--runtime', runtime]);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout).toContain('Try it: repertoire tools word-count');
    const folder = shop.world.path('project/skills/word-count');
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['SKILL.md', 'skill.toml', 'tests']));
    const [validated, listed] = await Promise.all([
      shop.run(['validate', folder]),
      shop.run(['tools', 'word-count', '--json']),
    ]);
    expect([validated.code, validated.stdout]).toEqual([0, expect.stringContaining('no problems')]);
    expect(listed.code).toBe(0);
    expect(listed.json()).toMatchObject({
      skills: [{ skill: 'word-count', runtime, problems: [], tools: [{ name: 'count', readOnly: true }] }],
    });
  });

  it.each(users)('makes one whose tool runs and whose test passes, and fails when it should, as %s', async (user) => {
    const shop = new Workshop(user);
    shop.ownFolder('project/skills');
    expect((await shop.run(['new', 'skill', 'word-count'])).code).toBe(0);
    const folder = shop.world.path('project/skills/word-count');
    const run = await shop.result(['word-count:count', '--param', 'text=one two\nthree', '--param', 'top=1']);
    expect(run.value).toEqual({ lines: 1, words: 3, characters: 13, most: { one: 1 } });
    const piped = shop.start(['run', 'word-count', '--stdin'], { stdin: 'a b c' });
    expect((await piped.ended).stdout).toBe('{"lines":0,"words":3,"characters":5}\n');
    if (user !== 'yourself') return;
    expect(await testOf(shop, folder)).toMatchObject({ code: 0, stdout: 'all right\n' });
    const script = join(folder, 'scripts/count.mjs');
    writeFileSync(script, readFileSync(script, 'utf8').replace('words.length', '99'));
    const broken = await testOf(shop, folder);
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('"words":99')]);
  });

  it('makes one with a module whose tool runs and whose test passes', async () => {
    const shop = new Workshop();
    await shop.run(['new', 'skill', 'word-count', '--runtime', 'wasm']);
    const run = await shop.result(['word-count:count', '--param', 'text=one two\nthree']);
    expect([run.message, run.value]).toEqual([null, { lines: 1, words: 3, bytes: 13 }]);
    expect(await testOf(shop, shop.world.path('project/skills/word-count'))).toMatchObject({ stdout: 'all right\n' });
  });

  it('overwrites nothing, and refuses an invalid name', async () => {
    const shop = new Workshop();
    const folder = shop.skill('', {}, 'word-count');
    const before = readdirSync(folder);
    const [there, odd, up, elsewhere] = await Promise.all([
      shop.run(['new', 'skill', 'word-count']),
      shop.run(['new', 'skill', 'Word Count']),
      shop.run(['new', 'skill', '../up']),
      shop.run(['new', 'skill', 'other', '--dir', shop.world.path('elsewhere')]),
    ]);
    expect([there.code, there.stderr]).toEqual([1, expect.stringContaining('already exists')]);
    expect(readdirSync(folder)).toEqual(before);
    for (const { code, stderr } of [odd, up])
      expect([code, stderr]).toEqual([2, expect.stringContaining('lower-case')]);
    expect([elsewhere.code, readdirSync(shop.world.path('elsewhere'))]).toEqual([0, ['other']]);
    expect(readdirSync(shop.world.path('project'))).not.toContain('up');
  });
});

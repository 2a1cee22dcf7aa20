import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GrantsOutput } from '../../src/engine/operations/running/grants.ts';
import { serveConsole } from '../support/console.ts';
import { Workshop } from './workshop.ts';

const manifest = '[capabilities]\nenv = ["REGION"]\n[tools.one]\ncommand = ["sh", "scripts/one.sh"]\n';

/** A skill that was granted a variable; its folder, and that of the texts that are kept. */
async function granted(files: Readonly<Record<string, string>> = {}) {
  const shop = new Workshop();
  const folder = shop.skill(manifest, { 'scripts/one.sh': 'echo one\necho two\n', 'old.md': 'old\n', ...files });
  await shop.grant();
  return { shop, folder, kept: shop.world.path('home/.local/state/repertoire/granted') };
}

async function changes(shop: Workshop) {
  const { grants } = (await shop.run(['grants', 'demo', '--diff', '--json'])).json<GrantsOutput>();
  return grants[0]?.files;
}

describe('the files that a grant was for', () => {
  it('are kept as texts, so that a change can be reviewed line by line', async () => {
    const { shop, folder, kept } = await granted();
    expect(await changes(shop)).toEqual([]);
    expect(statSync(kept).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(kept)) expect(statSync(join(kept, name)).mode & 0o777).toBe(0o600);

    writeFileSync(join(folder, 'scripts/one.sh'), 'echo one\necho three\n');
    writeFileSync(join(folder, 'new.md'), 'new\n');
    rmSync(join(folder, 'old.md'));
    chmodSync(join(folder, 'skill.toml'), 0o755);
    const text = 'echo one\necho two\n';
    expect(await changes(shop)).toEqual([
      { path: 'scripts/one.sh', change: 'changed', before: text, after: 'echo one\necho three\n', note: null },
      { path: 'skill.toml', change: 'changed', before: manifest, after: manifest, note: 'It can be executed now.' },
      { path: 'new.md', change: 'added', before: null, after: 'new\n', note: null },
      { path: 'old.md', change: 'removed', before: 'old\n', after: null, note: null },
    ]);
    const { stdout } = await shop.run(['grants', 'demo', '--diff']);
    expect(stdout).toContain('@@ -1,2 +1,2 @@\n echo one\n-echo two\n+echo three\n');
    const served = await serveConsole(shop.world);
    const told = await served.told<GrantsOutput>('/api/grants?skill=demo&diff=true');
    expect(told.grants[0]?.files).toEqual(await changes(shop));
  });

  it('are forgotten with the grant, and replaced with the next', async () => {
    const { shop, folder, kept } = await granted();
    const before = readdirSync(kept).sort();
    writeFileSync(join(folder, 'scripts/one.sh'), 'echo other\n');
    await shop.grant();
    const after = readdirSync(kept).sort();
    expect([after.length, after.filter((name) => !before.includes(name)).length]).toEqual([before.length, 1]);
    await shop.run(['revoke', 'demo']);
    expect(readdirSync(kept)).toEqual([]);
  });

  it('are left out, with a note, where they are not text, too long, or were tampered with since', async () => {
    const long = 'x'.repeat(300_000);
    const { shop, folder, kept } = await granted({ 'long.md': long, 'bytes.bin': 'a\0b' });
    for (const path of ['long.md', 'bytes.bin', 'scripts/one.sh']) writeFileSync(join(folder, path), 'new\n');
    for (const name of readdirSync(kept)) writeFileSync(join(kept, name), 'echo harmless\n');
    const told = (await changes(shop)) ?? [];
    expect(told.map(({ path, before, note }) => [path, before, note?.slice(0, 30)])).toEqual(
      ['bytes.bin', 'long.md', 'scripts/one.sh'].map((path) => [path, null, 'Its text from then is not kept']),
    );
    expect((await shop.run(['grants', 'demo', '--diff'])).stdout).not.toContain('harmless');
  });
});

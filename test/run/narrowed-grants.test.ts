import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { GrantOutput } from '../../src/engine/operations/running/grant.ts';
import type { GrantsOutput } from '../../src/engine/operations/running/grants.ts';
import { Workshop } from './workshop.ts';

/** A skill that asks for two variables and a place; one tool needs them all, the other needs one. */
function asking(shop: Workshop): { readonly folder: string; readonly place: string } {
  const place = shop.place();
  const manifest = `[capabilities]
filesystem = ["write:${place}"]
env = ["REGION", "ZONE"]
[tools.all]
command = ["sh", "scripts/say.sh"]
[tools.modest]
command = ["sh", "scripts/say.sh"]
capabilities = { env = ["REGION"] }
`;
  return { folder: shop.skill(manifest, { 'scripts/say.sh': 'echo "in $REGION"\n' }), place };
}

async function grantsOf(shop: Workshop): Promise<GrantsOutput['grants']> {
  return (await shop.run(['grants', '--json'])).json<GrantsOutput>().grants;
}

const region = { REGION: 'north' };

describe('a grant of only a part', () => {
  it('lets the tools run that need no more, and says of the others what is missing and how to allow it', async () => {
    const shop = new Workshop();
    const { place } = asking(shop);
    const granted = await shop.run(['grant', 'demo', '--only', 'env:REGION', '--yes']);
    expect([granted.code, granted.stdout]).toEqual([
      0,
      'granted to demo:\n  - see the environment variable REGION\n' +
        `not granted:\n  - read and change files below ${place}\n  - see the environment variable ZONE\n`,
    ]);
    expect((await shop.run(['run', 'demo:modest'], region)).stdout).toBe('in north\n');
    const denied = await shop.run(['run', 'demo:all'], region);
    expect([denied.code, denied.stdout]).toEqual([1, '']);
    expect(denied.stderr).toBe(
      `denied: skill 'demo' is not allowed to read and change files below ${place}; ` +
        'see the environment variable ZONE\n' +
        'It was granted only a part of what it asks for. For all of it, run: repertoire grant demo\n' +
        'For just this as well: repertoire grant demo ' +
        `--only filesystem:write:${place} --only env:REGION --only env:ZONE\n`,
    );
    expect(await grantsOf(shop)).toMatchObject([
      {
        may: ['see the environment variable REGION'],
        items: [{ key: 'env:REGION', words: 'see the environment variable REGION' }],
        withheld: [{ key: `filesystem:write:${place}` }, { key: 'env:ZONE' }],
        valid: true,
      },
    ]);
    expect((await shop.run(['grants'])).stdout).toMatch(
      /^demo valid .*\n {2}- see the environment variable REGION\n {2}- not granted: read .*\n {2}- not granted: see .* ZONE\n$/,
    );
    // What is typed as it was told grants just that.
    const wider = ['--only', `filesystem:write:${place}`, '--only', 'env:REGION', '--only', 'env:ZONE'];
    await shop.run(['grant', 'demo', ...wider, '--yes']);
    expect((await shop.run(['run', 'demo:all'], region)).stdout).toBe('in north\n');
    expect(await grantsOf(shop)).toMatchObject([{ withheld: [] }]);
  });

  it('takes the place of a wider one, and a whole one takes its place', async () => {
    const shop = new Workshop();
    asking(shop);
    const items = async (...args: string[]): Promise<boolean[]> =>
      (await shop.run(['grant', 'demo', '--yes', '--json', ...args]))
        .json<GrantOutput>()
        .items.map(({ granted }) => granted);
    expect(await items()).toEqual([true, true, true]);
    expect(await items('--only', 'filesystem')).toEqual([true, false, false]);
    expect((await shop.run(['run', 'demo:modest'], region)).code).toBe(1);
    expect(await items('--only', 'env')).toEqual([false, true, true]);
    expect((await shop.run(['run', 'demo:modest'], region)).code).toBe(0);
    expect(await items()).toEqual([true, true, true]);
  });

  it('is of what is asked for: anything else is a mistake that names what there is', async () => {
    const shop = new Workshop();
    const { place } = asking(shop);
    const { code, stderr } = await shop.run(['grant', 'demo', '--only', 'env:SECRET', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain("it does not ask for 'env:SECRET'");
    expect(stderr).toContain(`It asks for: filesystem:write:${place}, env:REGION, env:ZONE`);
    expect(await grantsOf(shop)).toEqual([]);
  });

  it('can be had of a skill that also asks for what nobody can have', async () => {
    const shop = new Workshop();
    shop.skill(
      '[capabilities]\nenv = ["REGION"]\nfilesystem = ["read:/proc"]\n' +
        '[tools.say]\ncommand = ["sh", "scripts/say.sh"]\ncapabilities = { env = ["REGION"] }\n',
      { 'scripts/say.sh': 'echo "in $REGION"\n' },
    );
    expect((await shop.run(['grant', 'demo', '--yes'])).stderr).toContain(
      'asks for permissions that cannot be granted',
    );
    expect((await shop.run(['grant', 'demo', '--only', 'env:REGION', '--yes'])).code).toBe(0);
    expect((await shop.run(['run', 'demo:say'], region)).stdout).toBe('in north\n');
    expect((await shop.run(['grant', 'demo', '--only', 'filesystem', '--yes'])).code).toBe(1);
  });

  it('is void when a file changes, as every grant', async () => {
    const shop = new Workshop();
    const { folder } = asking(shop);
    await shop.run(['grant', 'demo', '--only', 'env', '--yes']);
    appendFileSync(`${folder}/scripts/say.sh`, '# more\n');
    expect((await shop.run(['run', 'demo:modest'], region)).stderr).toContain('scripts/say.sh has changed');
    expect(await grantsOf(shop)).toMatchObject([{ valid: false, changes: ['scripts/say.sh has changed'] }]);
  });
});

describe('a grant of what was shown', () => {
  it('is given while the files are the same, and not when one has changed meanwhile', async () => {
    const shop = new Workshop();
    const { folder } = asking(shop);
    const { digest } = (await shop.run(['grant', 'demo', '--yes', '--json'])).json<GrantOutput>();
    await shop.run(['revoke', 'demo']);
    appendFileSync(`${folder}/scripts/say.sh`, '# more\n');
    const late = await shop.run(['grant', 'demo', '--expected', digest, '--yes']);
    expect([late.code, late.stderr]).toEqual([
      1,
      expect.stringContaining("the files of skill 'demo' have changed since they were shown"),
    ]);
    expect(await grantsOf(shop)).toEqual([]);
    const now = (await shop.run(['grant', 'demo', '--yes', '--json'])).json<GrantOutput>();
    await shop.run(['revoke', 'demo']);
    const timely = await shop.run(['grant', 'demo', '--expected', now.digest, '--yes']);
    expect([timely.code, (await grantsOf(shop)).length]).toEqual([0, 1]);
  });
});

import { chmodSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { ActivityOutput } from '../../src/engine/operations/machine/activity.ts';
import type { AuditRow } from '../../src/run/audit/read.ts';
import { Workshop } from '../run/workshop.ts';
import { serveConsole } from '../support/console.ts';

/** A skill that asks for two variables. */
function asking(): { readonly shop: Workshop; readonly folder: string } {
  const shop = new Workshop();
  return { shop, folder: shop.skill('[capabilities]\nenv = ["REGION", "ZONE"]\n[tools.one]\ncommand = ["true"]\n') };
}

async function rows(shop: Workshop, ...args: string[]): Promise<readonly AuditRow[]> {
  return (await shop.run(['audit', '--json', ...args])).json<{ executions: readonly AuditRow[] }>().executions;
}

describe('grants in the audit log', () => {
  it('each grant, narrowing and revocation is there, with who, when, what and of which files [C4-AUDIT-11]', async () => {
    const { shop, folder } = asking();
    const began = Date.now();
    await shop.grant();
    await shop.run(['grant', 'demo', '--yes', '--only', 'env:ZONE']);
    await shop.run(['run', 'demo:one']);
    await shop.run(['revoke', 'demo']);
    const { user, digest, ...rest } = (await rows(shop, '--result', 'granted'))[0] as AuditRow;
    expect([user, digest]).toEqual([userInfo().username, expect.stringMatching(/^sha256:[\da-f]{64}$/)]);
    expect(rest).toMatchObject({ event: 'grant', skill: 'demo', folder, by: 'cli', result: 'granted' });
    expect(Date.parse(rest.timestamp)).toBeGreaterThanOrEqual(began - 1000);
    expect((await rows(shop)).map(({ result, parameters }) => [result, parameters])).toEqual([
      ['granted', { items: ['env:REGION', 'env:ZONE'] }],
      ['narrowed', { items: ['env:ZONE'], withheld: ['env:REGION'] }],
      ['denied', {}],
      ['revoked', { items: ['env:ZONE'], withheld: ['env:REGION'] }],
    ]);
    expect((await shop.run(['audit', '--result', 'revoked'])).stdout).toMatch(
      new RegExp(`^\\S+ +revoked +demo ${userInfo().username}, cli \\{"items":\\["env:ZONE"\\]`),
    );
    expect((await shop.run(['audit', 'verify'])).stdout).toContain('intact');
  });

  it('are told among the activity, as they happen too', async () => {
    const { shop } = asking();
    const served = await serveConsole(shop.world);
    const live = await served.events();
    await shop.run(['grant', 'demo', '--yes', '--only', 'env:ZONE']);
    await served.post('/api/revoke', { skill: 'demo' });
    await live.until((event) => event.type === 'activity' && event.row.what === 'revoked');
    live.stop();
    const told = async (...args: string[]) =>
      (await shop.run(['activity', '--json', ...args]))
        .json<ActivityOutput>()
        .rows.map(({ what, user, client, skill, detail, outcome }) => [what, user, client, skill, detail, outcome]);
    const [revoked, granted] = [
      ['revoked', userInfo().username, 'console', 'demo', 'env:ZONE', 'ok'],
      ['granted', userInfo().username, 'cli', 'demo', 'env:ZONE', 'ok'],
    ];
    expect(await told()).toEqual([revoked, granted]);
    expect(await told('--what', 'granted')).toEqual([granted]);
    expect(await told('--what', 'loaded')).toEqual([]);
    expect((await shop.run(['activity'])).stdout).toMatch(/granted +demo env:ZONE/);
  });

  it('are there too where they were made in the console', async () => {
    const { shop } = asking();
    const served = await serveConsole(shop.world);
    expect((await served.post('/api/grant', { skill: 'demo' })).status).toBe(200);
    expect((await served.post('/api/revoke', { skill: 'demo' })).status).toBe(200);
    expect((await rows(shop)).map(({ result, by }) => [result, by])).toEqual([
      ['granted', 'console'],
      ['revoked', 'console'],
    ]);
  });

  it('are given only where they can be written down, and revoked where they cannot', async () => {
    const { shop } = asking();
    await shop.grant();
    const key = shop.world.path('home/.config/repertoire/audit-key.pem');
    chmodSync(key, 0o644);
    const refused = await shop.run(['grant', 'demo', '--yes', '--only', 'env:ZONE']);
    expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining('audit')]);
    const kept = (await shop.run(['grants'])).stdout;
    expect(kept).toContain('REGION');
    const revoked = await shop.run(['revoke', 'demo']);
    expect([revoked.code === 0, revoked.stderr]).toEqual([false, expect.stringContaining('it is revoked, but')]);
    expect((await shop.run(['grants'])).stdout).toBe('Nothing is granted.\n');
  });

  it('that could not be kept are said not to have been granted', async () => {
    const { shop } = asking();
    writeFileSync(shop.world.write('home/.local/state/repertoire/grants', ''), '');
    expect((await shop.run(['grant', 'demo', '--yes'])).code).not.toBe(0);
    expect((await rows(shop)).map(({ result }) => result)).toEqual(['granted', 'not_granted']);
  });
});

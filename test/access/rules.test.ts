import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { auditOf } from '../execute/library.ts';
import { createWorld, type World } from '../support/world.ts';
import { colours, everything, rulesOfTwo, startTeam, tenantSkill, twoTeams } from './tenants.ts';

const load = (name: string) => ({ name: 'skill', arguments: { name } });
const runOf = (skill: string) => ({
  name: 'skill-engine/execute',
  arguments: { skill_name: skill, tool_name: 'tell', parameters: {} },
});

describe('rules of who may do what', () => {
  it('show nobody anything who is in none of them', async () => {
    const team = await startTeam();
    const carol = await team.session('carol');
    const { text } = await carol.ask('tools/list');
    for (const colour of Object.values(colours)) expect(text).not.toContain(colour);
    expect((await carol.ask('tools/call', load('cobalt-vault'))).text).toContain('none');
  });

  it('tell seeing from running', async () => {
    const team = await startTeam('[[rules]]\nsubjects = ["ben"]\nsee = ["vermilion-*"]\nrun = "cobalt-vault"\n');
    const ben = await team.session('ben');
    expect((await ben.ask('tools/call', load('vermilion-vault'))).text).toContain('12-34');
    expect((await ben.ask('tools/call', runOf('vermilion-vault'))).text).toContain('that you may run');
    expect((await ben.ask('tools/call', runOf('cobalt-vault'))).text).toContain('the cobalt secret');
    expect(await auditOf(team.world)).toMatchObject([
      { skill: 'vermilion-vault', result: 'not_found', subject: 'ben', client: 'test', server: expect.any(String) },
      { skill: 'cobalt-vault', result: 'exited', subject: 'ben', client: 'test', server: expect.any(String) },
    ]);
  });

  it('name groups by the claim that the provider has them in', async () => {
    const team = await startTeam(rulesOfTwo, ['--oauth-groups-claim', 'roles']);
    const eve = await team.session('eve', { groups: ['vermilion'], roles: [] });
    expect((await eve.ask('tools/list')).text).not.toContain('vermilion');
    const ann = await team.session('eve', { roles: ['vermilion', 'other'] });
    expect((await ann.ask('tools/list')).text).toContain('vermilion-vault');
  });

  it('hold from the moment they are written, and let nobody in while they are wrong', async () => {
    const team = await startTeam();
    const ben = await team.session('ben');
    const text = async () => (await ben.ask('tools/call', load('vermilion-vault'))).text;
    expect(await text()).not.toContain('12-34');
    team.rules('[[rules]]\nsubjects = ["ben"]\nsee = ["*"]\n');
    expect(await text()).toContain('12-34');
    team.rules('[[rules]]\nsubject = ["ben"]\nsee = ["*"]\n');
    expect(await text()).not.toContain('12-34');
    team.rules(rulesOfTwo);
    expect(await text()).not.toContain('12-34');
    expect((await ben.ask('tools/call', load('cobalt-vault'))).text).toContain('12-34');
  });

  it('do not hold for the token of the server, nor for a token that is good for everything', async () => {
    const team = await startTeam(rulesOfTwo, ['--auth-token', 'the-own-token-of-the-server']);
    const own = await team.api({ authorization: 'Bearer the-own-token-of-the-server' }, 'browse');
    const admin = await team.api(await team.headers('root', 'skills:read admin'), 'browse');
    for (const { text } of [own, admin]) for (const colour of Object.values(colours)) expect(text).toContain(colour);
  });

  it.each([
    ['a file that is not there', null, /cannot be read: it does not exist/],
    ['a key that is unknown', '[[rules]]\nuser = "ann"\n', /access\.toml:2: /],
    ['a file that everyone can write', '', /everyone can write to it/],
  ])('do not let a server start with %s', async (_, text, message) => {
    const world = createWorld();
    const file = world.path('home/access.toml');
    if (text !== null) chmodSync(world.write('home/access.toml', text), text === '' ? 0o666 : 0o600);
    const run = await world.run([
      'serve',
      '--http',
      '--port',
      '0',
      '--oauth-issuer',
      'https://id.example',
      '--access-file',
      file,
    ]);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(message);
  });

  it('do not let a server start that could not know who calls', async () => {
    const world = createWorld();
    const run = await world.run([
      'serve',
      '--http',
      '--port',
      '0',
      '--access-file',
      world.write('home/access.toml', ''),
    ]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('--oauth-issuer')]);
  });
});

describe("a person's secrets", () => {
  it('are given to runs on her behalf alone, and those of the machine to whoever has none', async () => {
    const world = createWorld();
    const head = '[capabilities]\nsecrets = ["API_TOKEN"]';
    tenantSkill(world, 'cobalt', 'printf %s "$API_TOKEN" | sha256sum', head);
    const secrets: Readonly<Record<string, string>> = {
      'secrets.toml': 'API_TOKEN = "of-the-machine"\n',
      'user-secrets.toml': '[ann]\nAPI_TOKEN = "of-ann-herself"\n[ben.cobalt-vault]\nAPI_TOKEN = "of-ben-himself"\n',
    };
    for (const [name, text] of Object.entries(secrets)) {
      chmodSync(world.write(`home/.config/repertoire/${name}`, text), 0o600);
    }
    expect((await world.run(['grant', 'cobalt-vault', '--yes'])).code).toBe(0);
    const team = await startTeam(
      '[[rules]]\nsubjects = ["ann", "ben", "carol", "__proto__"]\nrun = ["*"]\n',
      [],
      world,
    );
    const sum = async (subject: string) =>
      /[0-9a-f]{64}(?= {2}-)/.exec(
        (await (await team.session(subject)).ask('tools/call', runOf('cobalt-vault'))).text,
      )?.[0];
    const { sha256 } = await import('../../src/core/hash.ts');
    expect(await sum('ann')).toBe(sha256('of-ann-herself'));
    expect(await sum('ben')).toBe(sha256('of-ben-himself'));
    expect(await sum('carol')).toBe(sha256('of-the-machine'));
    expect(await sum('__proto__')).toBe(sha256('of-the-machine'));
  });
});

describe('grants that take two people', () => {
  const rules =
    'grants = "four-eyes"\n[[rules]]\nsubjects = ["ann", "ben"]\ngrant = ["cobalt-*"]\nrun = ["cobalt-*"]\n';
  const asking = (): World => {
    const world = twoTeams();
    tenantSkill(world, 'cobalt', 'echo ran', '[capabilities]\nnetwork = ["api.example.com"]');
    return world;
  };
  const grant = { skill: 'cobalt-vault' };
  const told = ({ text }: { readonly text: string }) => JSON.parse(text) as { granted: boolean; waits?: boolean };

  it('wait until another person has given the same, and name both', async () => {
    const team = await startTeam(rules, [], asking());
    const [ann, ben] = [await team.headers('ann'), await team.headers('ben')];
    const run = async () => (await team.api(ann, 'run', { target: 'cobalt-vault:tell' })).text;
    for (let at = 0; at < 2; at++) {
      expect(told(await team.api(ann, 'grant', grant))).toMatchObject({ granted: false, waits: true });
    }
    expect(await run()).toContain('"reason":"denied"');
    expect(told(await team.api(ben, 'grant', grant))).toMatchObject({ granted: true });
    expect(await run()).toContain('ran');
    const given = (await auditOf(team.world)).filter(({ event }) => event === 'grant');
    expect(given).toMatchObject([
      { result: 'requested', subject: 'ann', server: expect.any(String) },
      { result: 'requested', subject: 'ann' },
      { result: 'granted', subject: 'ben', server: expect.any(String) },
    ]);
  });

  it('begin anew when the files have changed meanwhile', async () => {
    const team = await startTeam(rules, [], asking());
    const [ann, ben] = [await team.headers('ann'), await team.headers('ben')];
    await team.api(ann, 'grant', grant);
    team.world.write('project/skills/cobalt-vault/scripts/tell.sh', 'echo changed\n');
    expect(told(await team.api(ben, 'grant', grant))).toMatchObject({ granted: false, waits: true });
    expect(told(await team.api(ann, 'grant', grant))).toMatchObject({ granted: true });
  });

  it('need the scope and the right of both', async () => {
    const team = await startTeam(rules, [], asking());
    expect(told(await team.api(await team.headers('ann'), 'grant', grant)).waits).toBe(true);
    const unscoped = await team.headers('ben', 'skills:read skills:run');
    expect((await team.api(unscoped, 'grant', grant)).status).toBe(403);
    const stranger = await team.headers('carol', everything);
    expect((await team.api(stranger, 'grant', grant)).status).toBe(403);
  });
});

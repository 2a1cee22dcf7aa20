import { describe, expect, it, onTestFinished } from 'vitest';
import { auditOf } from '../execute/library.ts';
import { eras } from '../extension/clients.ts';
import { ask, listenTo } from '../serve/http.ts';
import { createWorld } from '../support/world.ts';
import { colours, everything, startTeam, type Team, tenantSkill } from './tenants.ts';

const execute = 'skill-engine/execute';
const runOf = (skill: string) => ({
  name: execute,
  arguments: { skill_name: skill, tool_name: 'tell', parameters: {} },
});

/** Asks as somebody, in either era of the protocol. */
type AskAs = (method: string, params?: object) => Promise<string>;

async function asking(team: Team, era: (typeof eras)[number], subject: string): Promise<AskAs> {
  if (era === 'modern') return async (method, params) => (await team.modern(subject, method, params)).text;
  const session = await team.session(subject);
  return async (method, params) =>
    method === 'server/discover' ? JSON.stringify(session.result) : (await session.ask(method, params ?? {})).text;
}

/** Requests that list or find, with the words of the other team where there is a place for some. */
const listing = (word: string): readonly (readonly [method: string, params?: object])[] => [
  ['server/discover'],
  ['tools/list'],
  ['skills/list'],
  ['resources/list'],
  ['prompts/list'],
  [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'skill://{+path}' }, argument: { name: 'path', value: '' } },
  ],
  ['tools/call', { name: 'skills.list', arguments: {} }],
  ['tools/call', { name: 'skill-engine/list_skills', arguments: {} }],
  ['tools/call', { name: 'skills.search', arguments: { query: 'numbers of the quarter' } }],
  ['tools/call', { name: 'skills.search', arguments: { query: word.slice(0, -1) } }],
  ['tools/call', { name: 'skill-engine/search_skills', arguments: { query: 'combination numbers quarter' } }],
  ['tools/call', { name: 'skill', arguments: { name: 'nothing-of-that-name' } }],
];

describe.each(eras)('two tenants of one server (%s)', (era) => {
  it('see their own skills in everything that lists or finds, and nothing of the other', async () => {
    const team = await startTeam();
    for (const [subject, other] of [
      ['ann', colours.ben],
      ['ben', colours.ann],
    ] as const) {
      const asked = await asking(team, era, subject);
      const answers: string[] = [];
      for (const [method, params] of listing(other)) answers.push(await asked(method, params));
      for (const answer of answers) expect(answer).not.toContain(other);
      // What must have something to say has said it.
      const own = colours[subject];
      expect(answers.filter((answer) => answer.includes(own)).length).toBeGreaterThan(8);
    }
  });

  it('get for the name of the other what they get for a name that nothing has', async () => {
    const team = await startTeam();
    const uri = /skill:\/\/[^"\\]*cobalt-vault\/SKILL\.md/.exec((await team.modern('ben', 'skills/list')).text)?.[0];
    expect(uri).toBeDefined();
    const asked = await asking(team, era, 'ann');
    const guesses = (name: string): readonly (readonly [string, object])[] => [
      ['tools/call', { name: 'skill', arguments: { name } }],
      ['tools/call', { name: 'skill', arguments: { name: `file:${name}` } }],
      ['tools/call', { name: 'skill', arguments: { name, file: 'skill.toml' } }],
      ['tools/call', runOf(name)],
      ['resources/read', { uri: uri?.replace('cobalt-vault', name) }],
      ['skills/get', { uri: uri?.replace('cobalt-vault', name) }],
      ['resources/directory/read', { uri: uri?.replace('cobalt-vault/SKILL.md', name) }],
      ['prompts/get', { name }],
      ['completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: 'arguments', value: '' } }],
    ];
    const plain = (text: string, name: string): string =>
      text
        .replaceAll(name, 'NAME')
        .replace(/"id":(?:\d+|"[^"]*")/g, '')
        .replace(/^id: .*$/gm, '');
    const [theirs, nothing] = [guesses('cobalt-vault'), guesses('cobort-vault')];
    for (const [at, [method, params]] of theirs.entries()) {
      const [, other] = nothing[at] ?? ['', {}];
      const [one, two] = [await asked(method, params), await asked(method, other)];
      expect(plain(one, 'cobalt-vault')).toBe(plain(two, 'cobort-vault'));
      expect(one).not.toContain('12-34');
    }
    expect((await auditOf(team.world)).map(({ result }) => result)).not.toContain('exited');
  });
});

describe('what comes by itself', () => {
  it('names nothing of the other when skills change', async () => {
    const team = await startTeam();
    const { headers } = await team.session('ben');
    const events = await listenTo(team.url, { headers });
    tenantSkill(team.world, 'vermilion-new', 'echo new');
    await expect.poll(() => events.text(), { timeout: 20_000 }).toContain('list_changed');
    expect(events.text()).not.toContain('vermilion');
  });

  it('is held by the same rules over the older transport', async () => {
    const team = await startTeam(undefined, ['--transport', 'sse']);
    const headers = await team.headers('ben');
    const events = await listenTo(team.url, { headers });
    await expect.poll(() => events.text()).toContain('sessionId=');
    const place = new URL(/data: (\/messages\S+)/.exec(events.text())?.[1] ?? '', team.url).href;
    const send = (body: object) => ask(place, { headers, body: { jsonrpc: '2.0', ...body } });
    const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    await send({ id: 1, method: 'initialize', params });
    await send({ method: 'notifications/initialized' });
    await send({ id: 2, method: 'tools/list', params: {} });
    await send({ id: 3, method: 'tools/call', params: { name: 'skill', arguments: { name: 'vermilion-vault' } } });
    await expect.poll(() => events.messages().filter(({ id }) => id !== undefined)).toHaveLength(3);
    expect(events.text()).toContain('cobalt-vault');
    expect(events.text()).not.toContain('12-34');
    expect(events.text().replaceAll("'vermilion-vault'", '')).not.toContain('vermilion');
  });
});

describe('what one tenant has under way', () => {
  it('is neither shown, read nor cancelled by the other, who knows its id', async () => {
    const world = createWorld();
    for (const colour of Object.values(colours)) tenantSkill(world, colour, `echo the ${colour} secret; sleep 30`);
    const team = await startTeam(undefined, ['--detach-after', '300'], world);
    const [ann, ben] = [await team.session('ann'), await team.session('ben')];
    const started = await ann.ask('tools/call', runOf('vermilion-vault'));
    const id = /as job ([\w-]+)/.exec(started.text)?.[1] ?? '';
    const about = (tool_name: string, job: string) => ({
      name: execute,
      arguments: { skill_name: '@jobs', tool_name, parameters: { job } },
    });
    await expect
      .poll(async () => (await ann.ask('tools/call', about('output', id))).text)
      .toContain('vermilion secret');
    for (const action of ['status', 'output', 'cancel']) {
      const [one, two] = await Promise.all(
        [id, 'no-such-job'].map(async (job) =>
          (await ben.ask('tools/call', about(action, job))).text.replaceAll(job, 'JOB'),
        ),
      );
      expect(one?.replace(/"id":\d+/, '').replace(/^id: .*$/gm, '')).toBe(
        two?.replace(/"id":\d+/, '').replace(/^id: .*$/gm, ''),
      );
    }
    const status = await ann.ask('tools/call', about('status', id));
    expect(status.text).toContain('running');
    await ann.ask('tools/call', about('cancel', id));
    await expect.poll(async () => (await ann.ask('tools/call', about('status', id))).text).toContain('cancelled');
  });

  it('is not reached by the id of a session', async () => {
    const team = await startTeam();
    const { id } = await team.session('ann');
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    for (const method of ['POST', 'GET', 'DELETE']) {
      const headers = { ...(await team.headers('ben')), 'mcp-session-id': id };
      expect((await ask(team.url, { method, headers, ...(method === 'POST' && { body: list }) })).status).toBe(404);
    }
  });
});

type Fields = Readonly<Record<string, { readonly type?: unknown }>>;
type Described = Readonly<
  Record<
    string,
    {
      get?: { parameters: readonly { name: string; required: boolean }[] };
      post?: {
        requestBody: { content: { 'application/json': { schema: { properties?: Fields; required?: string[] } } } };
      };
    }
  >
>;

/** Calls an operation with whatever it needs: which of them are answered at all is the question. */
function asOperation(team: Team, headers: object, name: string, { get, post }: Described[string] = {}) {
  if (get !== undefined) {
    const needed = get.parameters
      .filter(({ required }) => required)
      .map((one): [string, string] => [one.name, 'cobalt-vault']);
    return team.api(headers, `${name}?${new URLSearchParams(needed).toString()}`);
  }
  const { properties = {}, required = [] } = post?.requestBody.content['application/json'].schema ?? {};
  const values = required.map((one) => [one, properties[one]?.type === 'array' ? ['cobalt-vault'] : 'cobalt-vault']);
  return team.api(headers, name, Object.fromEntries(values) as object);
}

describe('the HTTP API, with an access token', () => {
  it('shows, finds and runs what its holder may, and nothing else', async () => {
    const team = await startTeam();
    const ben = await team.headers('ben');
    for (const path of ['browse', 'search?query=numbers%20of%20the%20quarter', 'search?query=vermilion', 'tools']) {
      const { status, text } = await team.api(ben, path);
      expect([path, status]).toEqual([path, 200]);
      expect(text.replace('"query":"vermilion"', '')).not.toContain('vermilion');
    }
    expect((await team.api(ben, 'browse')).text).toContain('cobalt-vault');
    expect((await team.api(ben, 'read?name=vermilion-vault&path=SKILL.md')).status).toBe(404);
    const own = await team.api(ben, 'run', { target: 'cobalt-vault:tell' });
    expect(own.text).toContain('the cobalt secret');
    const theirs = await team.api(ben, 'run', { target: 'vermilion-vault:tell' });
    expect([theirs.status, theirs.text]).toEqual([403, expect.stringContaining('none of that name that you may run')]);
  });

  it('tells nothing of records, figures and outputs, but to those who run the server', async () => {
    const team = await startTeam();
    const [ann, ben] = [await team.headers('ann'), await team.headers('ben')];
    const { id } = JSON.parse((await team.api(ann, 'run', { target: 'vermilion-vault:tell' })).text) as { id: string };
    for (const path of [
      ...['audit', 'audit?action=verify', 'statistics', 'doctor', 'agents', 'locked', 'health'],
      ...['outdated', 'why?name=vermilion-vault'],
      ...[`output?id=${id}`, `download?id=${id}`],
    ]) {
      const { status, text } = await team.api(ben, path);
      expect([path, status]).toEqual([path, 403]);
      expect(text).not.toContain('vermilion');
    }
    for (const [path, body] of Object.entries({
      ...{ disable: { skills: ['vermilion-vault'] }, revoke: { skill: 'vermilion-vault' } },
      ...{ grant: { skill: 'vermilion-vault' }, allow: { skill: 'vermilion-vault', digest: 'x', reason: 'y' } },
    })) {
      expect([path, (await team.api(ben, path, body)).status]).toEqual([path, 403]);
    }
    expect((await team.api(ben, 'cancel', { key: id })).status).toBe(404);
    const admin = await team.headers('root', 'skills:read admin');
    const { text } = await team.api(admin, 'audit');
    const { executions } = JSON.parse(text) as { executions: readonly object[] };
    expect(executions).toContainEqual(
      expect.objectContaining({ skill: 'vermilion-vault', subject: 'ann', by: 'console', server: expect.any(String) }),
    );
    expect((await team.api(admin, `output?id=${id}`)).text).toContain('the vermilion secret');
  });

  it('tells what the pages of the console show of what is its holder’s own', async () => {
    const team = await startTeam();
    const [ann, ben] = [await team.headers('ann'), await team.headers('ben')];
    for (const [who, colour] of [
      [ann, 'vermilion'],
      [ben, 'cobalt'],
    ] as const) {
      expect((await team.api(who, 'run', { target: `${colour}-vault:tell` })).status).toBe(200);
    }
    const { rows } = JSON.parse((await team.api(ben, 'activity')).text) as { rows: readonly object[] };
    expect(rows).toMatchObject([{ what: 'ran', skill: 'cobalt-vault', detail: 'tell' }]);
    const { items, skills } = JSON.parse((await team.api(ben, 'attention')).text) as { items: []; skills: number };
    expect([items, skills]).toEqual([[], 1]);
    const own = await team.api(ben, 'inspect?name=cobalt-vault');
    expect(own.status).toBe(200);
    expect(JSON.parse(own.text)).toMatchObject({ skill: { fullName: 'cobalt-vault' }, agents: [], others: [] });
    const theirs = await team.api(ben, 'inspect?name=vermilion-vault');
    expect(theirs.status).toBe(404);
    const nobodys = await team.api(ben, 'inspect?name=virmilion-vault');
    expect(theirs.text).toBe(nobodys.text.replaceAll('virmilion', 'vermilion'));
  });

  it.each([everything, 'skills:read'])(
    'tells the page of somebody with %s which operations it would answer',
    async (scope) => {
      const team = await startTeam(undefined, ['--console', 'full']);
      const ben = await team.headers('ben', scope);
      const { may } = JSON.parse((await team.api(ben, 'session')).text) as { may: readonly string[] };
      const { paths } = JSON.parse((await team.api(ben, 'openapi.json')).text) as { paths: Described };
      const names = [...new Set(Object.keys(paths).map((path) => path.slice('/api/'.length)))].filter(
        (name) => !['session', 'events', 'file', 'download', 'cancel', 'openapi.json'].includes(name),
      );
      const answered: string[] = [];
      for (const name of names) {
        const { status, text } = await asOperation(team, ben, name, paths[`/api/${name}`]);
        const isRefused = status === 403 && /those who run this server|have the scope/.test(text);
        if (!isRefused) answered.push(name);
      }
      expect(answered).toContain('browse');
      expect(answered).not.toContain('health');
      expect([...may].sort()).toEqual(answered.sort());
    },
  );

  it('tells its holder that something has changed, and not what', async () => {
    const team = await startTeam();
    const [ann, ben] = [await team.headers('ann'), await team.headers('ben')];
    const stopping = new AbortController();
    onTestFinished(() => stopping.abort());
    const { body } = await fetch(`${team.origin}/api/events`, { headers: ben, signal: stopping.signal });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let told = '';
    const more = async (words: string): Promise<void> => {
      while (!told.includes(words)) told += (await reader?.read())?.value ?? '';
    };
    await team.api(ann, 'run', { target: 'vermilion-vault:tell' });
    team.world.skill('project/skills/vermilion-news');
    await more('"skills"');
    await team.api(ann, 'grant', { skill: 'vermilion-vault' });
    await more('"grants"');
    const events = [...told.matchAll(/^data: (.*)$/gm)].map(([, text]) => text);
    expect(new Set(events)).toEqual(new Set(['{"type":"skills","revision":""}', '{"type":"grants"}']));
  });

  it('refuses a token that lacks the scope, or is wrong', async () => {
    const team = await startTeam();
    const reading = await team.headers('ben', 'skills:read');
    expect((await team.api(reading, 'browse')).status).toBe(200);
    expect((await team.api(reading, 'run', { target: 'cobalt-vault:tell' })).status).toBe(403);
    expect((await team.api(await team.headers('ben', everything, { aud: 'other' }), 'browse')).status).toBe(401);
  });
});

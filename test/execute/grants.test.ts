import type { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { type Era, eras } from '../extension/clients.ts';
import { connectStdio, modernMeta, type StdioServer, startHttp, startStdio } from '../support/mcp.ts';
import type { World } from '../support/world.ts';
import { type Answer, askedClient, overStdio } from './clients.ts';
import { auditOf, callOf, executed, lab, resultsIn, run, tool, toolSkill } from './library.ts';

const hint = 'Run: repertoire grant lab';

/** A skill that asks for a variable of the environment, which is there. */
function asking(): World {
  return lab({ region: 'echo "region: $REGION"' }, '[capabilities]\nenv = ["REGION"]');
}

const env = { REGION: 'north' };

async function isGranted(world: World): Promise<boolean> {
  return (await world.run(['grants', '--json'])).stdout.includes('REGION');
}

describe('a grant that is missing', () => {
  it.each(eras)('is asked for in the conversation, and a yes grants and runs (%s)', async (era) => {
    const world = asking();
    const asked: string[] = [];
    const client = await overStdio(world, askedClient(era, asked, 'yes'), env);
    const { text, told } = await call(client);
    expect([text, told.exit_reason]).toEqual(['region: north\n', 'exited']);
    expect(asked).toEqual([expect.stringMatching(/^The skill 'lab' in \/.*\/skills\/lab asks to:\n {2}- .*REGION/)]);
    expect(asked[0]).toMatch(/until any of its files changes\. Allow it\?$/);
    // It holds for the next call, and for everyone else on this machine.
    expect((await call(client)).text).toBe('region: north\n');
    expect(asked).toHaveLength(1);
    expect((await world.run(['run', 'lab:region'], { env })).stdout).toBe('region: north\n');
    const [granted] = await auditOf(world);
    expect(granted).toMatchObject({ event: 'grant', result: 'granted', by: 'mcp', client: expect.any(String) });
  });

  it.each(eras)('is asked for as far as the call needs it, where a part was granted (%s)', async (era) => {
    const modest = 'capabilities = { env = ["REGION"] }';
    const world = lab(
      { region: { sh: 'echo "region: $REGION"', toml: modest }, zone: 'echo "zone: $ZONE"' },
      '[capabilities]\nenv = ["REGION", "ZONE", "STAGE"]',
    );
    await world.run(['grant', 'lab', '--only', 'env:STAGE', '--yes']);
    const asked: string[] = [];
    const client = await overStdio(world, askedClient(era, asked, 'yes'), env);
    expect((await call(client)).text).toBe('region: north\n');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('REGION');
    expect(asked[0]).toContain('STAGE');
    expect(asked[0]).not.toContain('ZONE');
    expect((await world.run(['grants'])).stdout).toContain('not granted: see the environment variable ZONE');
  });

  it.each(eras.flatMap((era) => (['no', 'decline', 'cancel'] as const).map((answer) => [era, answer] as const)))(
    'is not given where the answer is another (%s, %s)',
    async (era, answer) => {
      const world = asking();
      const asked: string[] = [];
      const client = await overStdio(world, askedClient(era, asked, answer), env);
      const { result, text, told } = await call(client);
      expect([result.isError, told.exit_reason, told.hint]).toEqual([true, 'denied', hint]);
      expect(text).toContain(hint);
      expect(asked).toHaveLength(1);
      expect(await isGranted(world)).toBe(false);
      expect(await resultsIn(world)).toEqual(['denied']);
    },
  );

  it('is told where nobody can be asked, with what to type; it holds until a byte of the skill changes [C4-CAP-03 C4-CAP-05 C4-CAP-09 C4-CAP-10 C4-CAP-11]', async () => {
    const world = asking();
    // Not asked for, and so not there, though it needs no grant.
    toolSkill(world, 'modest', { region: 'echo "region: $REGION"' });
    const server = await connectStdio(world, ['serve', '--structured'], { env });
    const modest = { skill_name: 'modest', tool_name: 'region', parameters: {} };
    expect(executed(await server.call(tool, modest)).text).toBe('region: \n');
    const { result, text, told } = await run(server, 'region');
    expect([result.isError, told.exit_reason]).toEqual([true, 'denied']);
    expect(text).toBe(`denied: skill 'lab' is not allowed to see the environment variable REGION\n\n${hint}`);
    expect((await world.run(['grant', 'lab', '--yes'])).code).toBe(0);
    expect((await run(server, 'region')).text).toBe('region: north\n');
    world.write('project/skills/lab/scripts/region.sh', 'echo "region: $REGION" \n');
    const changed = await run(server, 'region');
    expect([changed.told.exit_reason, changed.text]).toEqual(['denied', expect.stringContaining('scripts/region.sh')]);
    expect(changed.text).toContain('run: repertoire grant lab');
    expect(await resultsIn(world)).toEqual(['exited', 'denied', 'granted', 'exited', 'denied']);
  });

  it('is told to who fails to ask, too', async () => {
    const world = asking();
    const client = await overStdio(world, askedClient('legacy', [], 'failure'), env);
    const { result, text } = await call(client);
    expect(result.isError).toBe(true);
    expect(text).toContain(hint);
    expect(await isGranted(world)).toBe(false);
  });

  it.each(eras)('is asked for over HTTP only where the operator says so (%s)', async (era) => {
    const world = asking();
    const serve = ['serve', '--structured', '--transport', 'http'];
    const asked: string[] = [];
    const closed = await overHttp(world, serve, era, asked);
    const refused = await call(closed);
    expect([refused.told.exit_reason, asked]).toEqual(['denied', []]);
    expect(refused.text).toContain(hint);
    const open = await overHttp(world, [...serve, '--grants-over-http'], era, asked);
    expect((await call(open)).text).toBe('region: north\n');
    expect(asked).toHaveLength(1);
  });

  it.each(eras)('is not given by an answer about a skill that has changed meanwhile (%s)', async (era) => {
    const world = asking();
    const asked: string[] = [];
    const change: Answer = () => {
      // Between the question and the answer, the script becomes another one.
      if (asked.length > 1) return 'no';
      world.write('project/skills/lab/scripts/region.sh', 'echo "stolen: $REGION"\n');
      return 'yes';
    };
    const client = await overStdio(world, askedClient(era, asked, change), env);
    const { text, told } = await call(client);
    expect([told.exit_reason, text]).toEqual(['denied', expect.stringContaining(hint)]);
    expect(await isGranted(world)).toBe(false);
  });
});

describe('what comes back with an answer', () => {
  const yes = { inputResponses: { allow: { action: 'accept', content: { allow: true } } } };
  const meta = {
    _meta: { ...modernMeta._meta, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } },
  };
  const question = (server: StdioServer) => server.ask('tools/call', { ...callOf('region'), ...meta });

  it('must be what went out with the question', async () => {
    const world = asking();
    const server = startStdio(world, ['serve', '--structured'], { env });
    const { result } = await question(server);
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        allow: { method: 'elicitation/create', params: { message: expect.stringContaining('REGION') } },
      },
    });
    const state = String(result?.['requestState']);
    const retry = (requestState?: string) =>
      server.ask('tools/call', { ...callOf('region'), ...yes, ...(requestState && { requestState }), ...meta });
    // Nothing but the very state is taken: not a forged one, not one of another server, and not none at all.
    const other = startStdio(world, ['serve', '--structured'], { env });
    const foreign = String((await question(other)).result?.['requestState']);
    const [head = '', mac = ''] = state.split(/\.(?=[^.]*$)/);
    const body = Buffer.from(JSON.stringify({ p: { about: 'x' }, exp: 9_999_999_999 })).toString('base64url');
    for (const forged of ['x', foreign, `${head}x.${mac}`, `v1.${body}.${mac}`]) {
      expect((await retry(forged)).error, forged).toMatchObject({ code: -32602 });
    }
    expect((await retry()).result).toMatchObject({ resultType: 'input_required' });
    expect(await isGranted(world)).toBe(false);
    expect(await resultsIn(world)).toEqual([]);
    // The true one is.
    expect((await retry(state)).result).toMatchObject({ content: [{ text: 'region: north\n' }] });
  });

  it('is not taken for another skill', async () => {
    const world = asking();
    const server = startStdio(world, ['serve', '--structured'], { env });
    const state = String((await question(server)).result?.['requestState']);
    world.write('project/skills/lab/scripts/more.sh', 'echo more\n');
    const { result } = await server.ask('tools/call', { ...callOf('region'), ...yes, requestState: state, ...meta });
    expect(result).toMatchObject({ resultType: 'input_required' });
    expect(await isGranted(world)).toBe(false);
  });
});

async function call(client: Client) {
  return executed((await client.callTool(callOf('region') as never)) as never);
}

async function overHttp(world: World, args: readonly string[], era: Era, asked: string[]): Promise<Client> {
  const { url } = await startHttp(world, args, { env });
  const client = askedClient(era, asked, 'yes');
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

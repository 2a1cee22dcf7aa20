import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Service } from '../../src/faces/mcp/service.ts';
import { type Message, modernMeta, startStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { anyOpening, hello, openings, type Said } from './openings.ts';
import { askLibrary, askOpening, type Sent, serviceOn } from './twins.ts';

/** Ids of both kinds. */
function numbered(said: readonly Said[]): Sent[] {
  return said.map(({ silent, ...message }, at) => {
    const id = at % 2 === 0 ? at : `request ${at}`;
    return JSON.parse(JSON.stringify(silent ? message : { id, ...message })) as Sent;
  });
}

async function expectSame(service: Service, said: readonly Said[], title = ''): Promise<void> {
  const sent = numbered(said);
  const [ours, theirs] = await Promise.all([askOpening(service, sent), askLibrary(service, sent)]);
  expect(ours, title).toEqual(theirs);
}

async function served(profile?: Parameters<typeof serviceOn>[1]): Promise<Service> {
  const world = createWorld();
  world.skill('project/skills/pdf', { description: 'Reads <b>PDF</b> & more' });
  world.skill('home/.claude/skills/git-log');
  return serviceOn(world, profile);
}

it('every way to open a connection is answered exactly as the library does', async () => {
  const service = await served();
  for (const [title, said] of Object.entries(openings)) await expectSame(service, said, title);
});

it.each(['mcp', 'mcp-server'] as const)('does so for the tools of `%s`', async (profile) => {
  const service = await served(profile);
  for (const title of ["a handshake for '2025-11-25'", 'the newer era', 'tools before the handshake']) {
    await expectSame(service, openings[title] ?? [], title);
  }
});

it('any sequence of messages is answered as the library does', async () => {
  const service = await served();
  await fc.assert(
    fc.asyncProperty(anyOpening, (said) => expectSame(service, said)),
    { numRuns: 500 },
  );
});

const legacyQuestions: readonly Said[] = [
  hello('2025-06-18', { capabilities: { roots: { listChanged: true } } }),
  { method: 'notifications/initialized', silent: true },
  { method: 'ping' },
  { method: 'tools/list' },
];
const modernQuestions: readonly Said[] = [
  { method: 'server/discover', params: modernMeta },
  { method: 'tools/list', params: modernMeta },
  { method: 'ping', params: modernMeta },
];

it.each([
  ['older', legacyQuestions, undefined],
  ['newer', modernQuestions, modernMeta],
] as const)('the program, fresh, gives the answers of the library: the %s era', async (_era, said, params) => {
  const world = createWorld();
  world.skill('project/skills/pdf');
  const [fresh, loaded] = [startStdio(world, ['serve']), startStdio(world, ['serve'])];
  for (const server of [fresh, loaded]) await server.logged(/ready:/); // from here on both say the same of the skills
  await loaded.ask('prompts/list', params); // only the library answers this one
  for (const { method, params: given, silent } of said) {
    if (silent) for (const server of [fresh, loaded]) server.notify(method);
    else
      expect(answerOf(await fresh.ask(method, given as object))).toEqual(
        answerOf(await loaded.ask(method, given as object)),
      );
  }
});

function answerOf({ result, error }: Message): object {
  return { result, error };
}

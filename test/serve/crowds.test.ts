import { expect, it } from 'vitest';
import { connectStdio, startHttp } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { ask, askModern, listenTo, openSession } from './http.ts';

const skills = 20;

function numberedSkills(): World {
  const world = createWorld();
  for (let at = 0; at < skills; at++) world.skill(`project/skills/skill-${at}`, { body: `\nText of number ${at}.\n` });
  return world;
}

const call = (at: number) => ({ name: 'skill', arguments: { name: `skill-${at % skills}` } });
const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

it('a hundred clients of both eras at once are each given what they asked for [C2-TRANS-08]', async () => {
  const { url, process } = await startHttp(numberedSkills());
  const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
  const clients = Array.from({ length: 100 }, async (_, at) => {
    if (at % 3 === 0) {
      const { status, messages } = await askModern(url, 'tools/call', call(at));
      expect(status).toBe(200);
      return textOf(messages[0]?.result);
    }
    const revision = revisions[at % revisions.length];
    const session = await openSession(url, revision);
    expect(session.result['protocolVersion']).toBe(revision);
    const [loaded, listed] = await Promise.all([
      session.request('tools/call', call(at)),
      session.request<{ tools: unknown[] }>('tools/list'),
    ]);
    expect(listed.tools).toHaveLength(6);
    return textOf(loaded);
  });
  const texts = await Promise.all(clients);
  for (const [at, text] of texts.entries()) expect(text).toContain(`Text of number ${at % skills}.`);
  expect(process.stderr).not.toMatch(/ (error|warn) /);
});

it('many streams stay open while others call; each session gets its own answers only', async () => {
  const { url } = await startHttp(numberedSkills(), ['serve', '--transport', 'sse']);
  const streams = await Promise.all(Array.from({ length: 30 }, () => listenTo(url)));
  for (const stream of streams) await expect.poll(stream.text).toContain('sessionId=');
  await Promise.all(
    streams.map((stream, at) =>
      ask(new URL(/data: (\S+)/.exec(stream.text())?.[1] ?? '', url).href, {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call(at) }, // the same id in every session
      }),
    ),
  );
  for (const [at, stream] of streams.entries()) {
    await expect.poll(() => stream.messages().length).toBe(1);
    expect(textOf(stream.messages()[0]?.result)).toContain(`Text of number ${at % skills}.`);
  }
});

it('one session may ask many things at once, and each answer goes to its request', async () => {
  const { url } = await startHttp(numberedSkills());
  const session = await openSession(url);
  const texts = await Promise.all(
    Array.from({ length: 60 }, async (_, at) => textOf(await session.request('tools/call', call(at)))),
  );
  for (const [at, text] of texts.entries()) expect(text).toContain(`Text of number ${at % skills}.`);
});

it('a thousand requests at once over stdio are all answered, each with its own answer', async () => {
  const server = await connectStdio(numberedSkills(), ['serve']);
  const texts = await Promise.all(
    Array.from({ length: 1_000 }, async (_, at) => {
      const { name, arguments: args } = call(at);
      return (await server.call(name, args)).content[0]?.text;
    }),
  );
  for (const [at, text] of texts.entries()) expect(text).toContain(`Text of number ${at % skills}.`);
});

it('clients that disconnect in the middle do not disturb the others', async () => {
  const { url, process } = await startHttp(numberedSkills());
  const steady = await openSession(url);
  for (let round = 0; round < 10; round++) {
    const session = await openSession(url);
    const streams = await Promise.all([0, 1, 2].map(() => listenTo(url, { headers: session.headers })));
    for (const stream of streams) stream.close();
    const gone = await listenTo(url, {
      method: 'POST',
      headers: steady.headers,
      body: { jsonrpc: '2.0', id: `gone ${round}`, method: 'tools/call', params: call(round) },
    });
    gone.close();
    expect(textOf(await steady.request('tools/call', call(round)))).toContain(`Text of number ${round}.`);
  }
  expect(process.stderr).not.toMatch(/ error /);
});

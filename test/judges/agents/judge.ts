import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, inject, it, onTestFinished } from 'vitest';
import { startNats } from '../../support/nats.ts';
import { createWorld, type World } from '../../support/world.ts';
import { judgesNode } from '../node.ts';
import { startServer } from '../server.ts';
import { type Agent, type AgentId, agents } from './agents.ts';
import { judgeConversation } from './checks.ts';
import { Conversation, type StartOptions } from './conversation.ts';
import { type Report, writeNatives, wrongClaims } from './native.ts';
import { runWith, served, writeSkills } from './world.ts';

const transports = ['stdio', 'HTTP'] as const;
/** A server of a cluster gives events ids, which clients make different things of. */
const all = [...transports, 'HTTP in a cluster'] as const;

/** The Nodes that run the server: this one, and a newer one where this is old. */
const nodes = [...new Set([process.execPath, judgesNode()])].map((path) => ({
  path,
  version: execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim(),
}));

/** Declares the tests of one agent. */
export function judgeAgent(id: AgentId): void {
  const agent = agents[id];
  const { slash } = agent;
  const reason = inject('notInstalled')[id];
  const test = (what: string, judge: () => Promise<void>): void =>
    it(what, async ({ skip }) => {
      if (reason !== undefined) skip(`${agent.name} cannot be installed: ${reason}`);
      await judge();
    });

  for (const transport of all) {
    for (const node of transport === 'HTTP in a cluster' ? nodes.slice(0, 1) : nodes) {
      test(`conversation, ${transport}, Node ${node.version}`, async () => {
        const world = await connect(agent, transport, node.path);
        await judgeConversation(await start(world, agent, { args: agent.wait }), world, agent);
      });
    }
  }

  for (const transport of transports) {
    if (slash !== undefined) {
      test(`prompt, ${transport}`, async () => {
        const world = await connect(agent, transport, process.execPath);
        const { shown } = await start(world, agent, { prompt: slash('csv-profiler') });
        const file = readFileSync(world.path(`${served}/csv-profiler/SKILL.md`), 'utf8').trim();
        // Gemini CLI passes the text of a prompt on as a JSON string.
        expect([file, JSON.stringify(file).slice(1, -1)].some((text) => shown.includes(text))).toBe(true);
      });
    }
  }

  test('native view', async () => {
    const world = createWorld();
    agent.prepare?.(world);
    const written = writeNatives(world);
    const report = (await world.run(['doctor', '--agent', id, '--json'])).json<Report>();
    const { shown } = await start(world, agent);
    expect(report.agent.skills.length).toBeGreaterThan(0);
    expect(wrongClaims(report, written, shown)).toEqual([]);
  });
}

/** A fresh home in which a user has connected the agent. */
async function connect(agent: Agent, transport: (typeof all)[number], node: string): Promise<World> {
  const world = createWorld();
  agent.prepare?.(world);
  writeSkills(world);
  const words = ['setup', agent.id, '--approve', 'all'];
  if (transport === 'stdio') await runWith(node, world, words);
  else {
    const cluster = transport === 'HTTP' ? [] : ['--cluster', (await startNats()).url];
    const server = await startServer(world, ['serve', '--http', ...cluster], node);
    onTestFinished(() => server.stop());
    await runWith(node, world, [...words, '--http', server.url]);
  }
  return world;
}

async function start(world: World, agent: Agent, options: StartOptions = {}): Promise<Conversation> {
  const conversation = await Conversation.start(world, agent, options);
  onTestFinished(() => conversation.close());
  return conversation;
}

import { existsSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { fetchPackages } from '../install.ts';
import { type Agent, type AgentId, agents, packages, programOf } from './agents.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Why an agent cannot be tried, for those that cannot. */
    notInstalled: Readonly<Partial<Record<AgentId, string>>>;
  }
}

/** Fetches the agents. One that cannot be had is named, and its tests say why they did not run. */
export async function setup(project: TestProject): Promise<void> {
  const outcomes = await Promise.all(Object.values(agents).map(async (agent) => [agent.id, await obstacleTo(agent)]));
  const notInstalled = Object.fromEntries(outcomes.filter(([, reason]) => reason !== undefined)) as Record<
    AgentId,
    string
  >;
  project.provide('notInstalled', notInstalled);
}

/** Installs an agent; returns what was in the way, if something was. */
async function obstacleTo(agent: Agent): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'agents are tried on Linux alone';
  try {
    await fetchPackages(agent.name, `${packages}/${agent.id}`);
  } catch (error) {
    return reasonIn((error as { stderr?: string }).stderr ?? String(error));
  }
  return existsSync(programOf(agent)) ? undefined : `npm has no program for ${process.platform}-${process.arch}`;
}

/** The code of npm's error, and the first line that says more. */
function reasonIn(text: string): string {
  const [code = '', ...rest] = text.split('\n').map((line) => line.replace(/^npm error/, '').trim());
  return `${code}; ${rest.find((line) => line.length > 30) ?? ''}`;
}

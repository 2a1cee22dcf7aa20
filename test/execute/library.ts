import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import type { StdioServer, ToolResult } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

export const tool = 'skill-engine/execute';

/** A tool of a skill: a script of the shell, with one optional parameter `value`, and further lines of its table. */
export interface ToolText {
  readonly sh: string;
  readonly toml?: string;
}

/** Writes a skill with tools. The head is what stands before them in skill.toml. */
export function toolSkill(
  world: World,
  name: string,
  tools: Readonly<Record<string, string | ToolText>>,
  head = '',
): string {
  const folder = `project/skills/${name}`;
  const tables = Object.entries(tools).map(([id, text]) => {
    const { sh, toml = '' } = typeof text === 'string' ? { sh: text } : text;
    world.write(`${folder}/scripts/${id}.sh`, `${sh}\n`);
    return [
      `[tools.${id}]`,
      `description = "Does ${id}."`,
      `command = ["sh", "scripts/${id}.sh", "{value}"]`,
      `parameters.value = { type = "string", description = "What to do it with." }`,
      toml,
    ].join('\n');
  });
  world.write(`${folder}/skill.toml`, `[skill]\nruntime = "native"\n${head}\n${tables.join('\n')}\n`);
  return world.skill(folder);
}

/** A world with one such skill, `lab`. */
export function lab(tools: Readonly<Record<string, string | ToolText>>, head = ''): World {
  const world = createWorld();
  toolSkill(world, 'lab', tools, head);
  return world;
}

/** What programs are told of an execution. */
export interface Told {
  id: string;
  skill: string;
  tool: string;
  runtime: string;
  exit_reason: string;
  exit_code?: number;
  stdout: string;
  stderr: string;
  value?: unknown;
  message?: string;
  hint?: string;
  notes?: string[];
  duration_ms: number;
  limits?: Record<string, number>;
  enforcement: Record<string, string>;
  denials: string[];
  digest: string;
}

export interface Executed {
  readonly result: ToolResult;
  /** All texts, one below the other. */
  readonly text: string;
  readonly told: Told;
}

/** The arguments of a call of one of the lab's tools. */
export function callOf(name: string, value?: string, more: object = {}): { name: string; arguments: object } {
  const parameters = value === undefined ? {} : { value };
  return { name: tool, arguments: { skill_name: 'lab', tool_name: name, parameters, ...more } };
}

/** Runs one of the lab's tools. */
export async function run(server: StdioServer, name: string, value?: string, more: object = {}): Promise<Executed> {
  return executed(await server.request<ToolResult>('tools/call', callOf(name, value, more)));
}

export function executed(result: ToolResult): Executed {
  const text = result.content.map((part) => part.text).join('\n');
  return { result, text, told: result.structuredContent as unknown as Told };
}

/** An execution or a grant, as the audit log tells it. */
export interface AuditRow {
  event: string;
  id: string;
  skill: string;
  tool: string;
  result: string;
  message: string | null;
  exitCode: number | null;
  by: string;
  client?: string;
}

/** Everything so far; `running` where it has not ended. */
export async function auditOf(world: World): Promise<AuditRow[]> {
  return (await world.run(['audit', '--json'])).json<{ executions: AuditRow[] }>().executions;
}

/** Those of executions alone. */
export async function runsIn(world: World): Promise<AuditRow[]> {
  return (await auditOf(world)).filter(({ event }) => event !== 'grant');
}

/** What came of each of them. */
export async function resultsIn(world: World): Promise<string[]> {
  return (await auditOf(world)).map(({ result }) => result);
}

/** A number of seconds that nobody else sleeps for, by which a run is known among the processes of the machine. */
export function uniqueSleep(wholeSeconds: number): string {
  return `${wholeSeconds}.${randomInt(100_000, 999_999)}`;
}

/** One that is longer than any test. */
export function longSleep(): string {
  const seconds = uniqueSleep(randomInt(3000, 9000));
  onTestFinished(() => expect(sleepers(seconds), 'nothing is left').toEqual([]));
  return seconds;
}

/** The processes of the machine that sleep for so long. */
export function sleepers(seconds: string): string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8') === `sleep\0${seconds}\0`;
    } catch {
      return false; // it has ended meanwhile
    }
  });
}

/** Waits until it sleeps, which is when the run is under way. */
export async function asleep(seconds: string): Promise<void> {
  await expect.poll(() => sleepers(seconds).length, { interval: 20 }).toBe(1);
}

/** Waits until it no longer does, which is long before it would have by itself. */
export async function gone(seconds: string): Promise<void> {
  await expect.poll(() => sleepers(seconds), { interval: 20 }).toEqual([]);
}

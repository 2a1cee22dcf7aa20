import type { World } from '../support/world.ts';

export interface Row {
  fullName: string;
  file: string;
  state: string;
  sees: string;
  reason: string;
  characters: number | null;
  server: string;
}

export interface Report {
  id: string;
  name: string;
  known: string;
  reads: string[];
  plugins: string[];
  rules: { does: string; what: string; known: string; by: string; version: string | null; date: string }[];
  excludes: string[];
  listing: { characters: number; most: number | null; rooms: { characters: number; with: string }[] } | null;
  skills: Row[];
  skipped: { file: string; sees: string; reason: string; remedy: string }[];
  summary: Record<string, number>;
}

/** What `doctor --agent` says, as JSON. */
export async function report(
  world: World,
  agent: string,
  args: readonly string[] = [],
  cwd = 'project',
): Promise<Report> {
  const run = await world.run(['doctor', '--json', '--agent', agent, ...args], { cwd });
  return run.json<{ agent: Report }>().agent;
}

/** The one row of a name, as `state server`. */
export async function fate(world: World, agent: string, name: string): Promise<string> {
  const rows = (await report(world, agent)).skills.filter((row) => row.fullName === name);
  return rows.map(({ state, server }) => `${state} ${server}`).join(', ');
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, hostEnvironment } from '../../src/core/environment.ts';
import type { ActivityEvent, ActivityRow } from '../../src/run/audit/activity.ts';
import type { RunOptions, World } from '../support/world.ts';

export function environmentOf(world: World): Environment {
  return hostEnvironment({ home: world.home, cwd: world.project, env: world.environment() });
}

export function folderOf(world: World): string {
  return world.path('home/.local/state/repertoire/activity');
}

/** The files of the log, the current one last. */
export function namesIn(world: World): string[] {
  return existsSync(folderOf(world)) ? readdirSync(folderOf(world)).sort() : [];
}

export function linesIn(world: World): string[] {
  return namesIn(world).flatMap((name) =>
    readFileSync(join(folderOf(world), name), 'utf8')
      .split('\n')
      .slice(0, -1),
  );
}

export interface Activity {
  readonly rows: readonly ActivityRow[];
  readonly kept: boolean;
}

/** What the program shows of it, the newest first. */
export async function activityOf(world: World, args: readonly string[] = [], options?: RunOptions): Promise<Activity> {
  return (await world.run(['activity', '--json', ...args], options)).json<Activity>();
}

export function eventAt(time: number, more: Partial<ActivityEvent> = {}): ActivityEvent {
  return {
    time: new Date(time).toISOString(),
    what: 'loaded',
    client: 'claude-code',
    skill: 'pdf',
    detail: null,
    hits: null,
    outcome: 'ok',
    durationMs: 1,
    ...more,
  };
}

import type { Source } from './types.ts';

export const ran = (version: string, date: string): Source => ({ by: 'run', version, date });
export const read = (by: Exclude<Source['by'], 'run'>, date: string): Source => ({ by, version: null, date });

/** Whether a skill may be left out because of it. Agents were found not to do what everything but a run said of them. */
export function isRelied({ by }: Source): boolean {
  return by === 'run';
}

const shown: Readonly<Record<Source['by'], string>> = {
  run: 'running',
  source: 'its source of',
  documentation: 'its documentation of',
  installer: 'the table of an installer of',
};

/** As in `running 2.1.325 on 2026-11-16`. */
export function words({ by, version, date }: Source): string {
  return `${shown[by]}${version === null ? '' : ` ${version} on`} ${date}`;
}

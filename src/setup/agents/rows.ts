import type { Base, NameRule, Place, SetupAgent } from './types.ts';

export const home = (path: string): Place => ({ base: 'home', path });
export const config = (path: string): Place => ({ base: 'config', path });
export const data = (path: string): Place => ({ base: 'data', path });
export const moved = (variable: string, fallback: string, path: string): Place => ({
  base: { variable, fallback },
  path,
});
export const only = (on: NodeJS.Platform, base: Base, path: string): Place => ({ base, path, on });

/** What the strictest of the models' services take. Who is not known to rewrite names is held to it. */
const strict: NameRule = { pattern: /^[a-zA-Z0-9_-]{1,64}$/, together: 64 };
/** What is rewritten on the way to the model and back. */
export const lenient: NameRule = { pattern: /^[a-zA-Z0-9_./-]{1,128}$/, together: 110 };

/** What most of them do; each row says where it differs. */
export const usual = {
  aliases: [],
  format: 'json',
  at: ['mcpServers'],
  project: [],
  programs: [],
  toolNames: 'portable',
  names: strict,
  isApp: true,
  startMs: 60_000,
  notes: [],
} as const satisfies Partial<SetupAgent>;

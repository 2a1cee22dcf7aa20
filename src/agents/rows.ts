import type { Base, Listing, NameRule, Native, Place, Reading, Scope, Source } from './types.ts';

// The vocabulary in which the objects of agents are written.

export const home = (path: string): Place => ['home', path];
export const config = (path: string): Place => ['config', path];
export const data = (path: string): Place => ['data', path];
export const moved = (variable: string, fallback: string, path: string): Place => [{ variable, fallback }, path];
export const only = (on: NodeJS.Platform, base: Base, path: string): Place => [base, path, on];

export const ran = (version: string, date: string): Source => ({ by: 'run', version, date });
export const read = (by: Exclude<Source['by'], 'run'>, date: string): Source => ({ by, version: null, date });

/**
 * A folder in a project: in the folder that the agent starts in and in those above it, up to the top of the repository.
 */
export const inProject = (provider: string, shown: string, folders: Reading['folders'] = 'all'): Reading => ({
  ...{ provider, location: 'project', shown, folders },
});
export const atHome = (provider: string, shown: string, source?: Source): Reading => ({
  ...{ provider, location: 'global', shown, folders: 'all' },
  ...(source === undefined ? {} : { source }),
});
export const plugins = (provider: string, source?: Source): Reading => ({
  ...{ provider, location: 'plugin', shown: `plugins of ${provider}`, folders: 'all' },
  ...(source === undefined ? {} : { source }),
});

export const shared = inProject('agents', '.agents/skills');
export const sharedAtHome = atHome('agents', '~/.agents/skills');
export const claude = inProject('claude', '.claude/skills');
export const claudeAtHome = atHome('claude', '~/.claude/skills');

/** The folders in an installer's table, which is all that is known of what the agent reads. */
export const installed = (...places: readonly Reading[]): Native => ({
  source: read('installer', '2026-10-19'),
  places,
});

/** A list that showed every description whole. More than that was not tried. */
export function ample(characters: number, tried: string): Listing {
  return {
    most: Number.POSITIVE_INFINITY,
    rooms: [{ characters, with: `${tried}; more was not tried` }],
    overflow: 'not known',
    overhead: ({ name, file }) => name.length + file.length + 100,
  };
}

/** The rule for tool names that are rewritten on the way to the model and back. */
export const lenient: NameRule = { pattern: /^[a-zA-Z0-9_./-]{1,128}$/, together: 110 };

/** The name of the scope in commands of agents. */
export const userOr = (scope: Scope): string => (scope === 'project' ? 'project' : 'user');
/** The words of a command that knows only the user's file; null for a project. */
export const ofUser = (scope: Scope, words: readonly string[]): readonly string[] | null =>
  scope === 'global' ? words : null;

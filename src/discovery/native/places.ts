import type { Place, Source } from './types.ts';

/** In a project: in the folder that the agent starts in and in those above it, up to the top of the repository. */
export const inProject = (provider: string, shown: string, folders: Place['folders'] = 'all'): Place => ({
  ...{ provider, location: 'project', shown, folders },
});
export const atHome = (provider: string, shown: string, source?: Source): Place => ({
  ...{ provider, location: 'global', shown, folders: 'all' },
  ...(source === undefined ? {} : { source }),
});
export const plugins = (provider: string, source?: Source): Place => ({
  ...{ provider, location: 'plugin', shown: `plugins of ${provider}`, folders: 'all' },
  ...(source === undefined ? {} : { source }),
});

export const shared = inProject('agents', '.agents/skills');
export const sharedAtHome = atHome('agents', '~/.agents/skills');
export const claude = inProject('claude', '.claude/skills');
export const claudeAtHome = atHome('claude', '~/.claude/skills');

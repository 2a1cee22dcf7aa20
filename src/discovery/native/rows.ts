import * as rule from './rules.ts';
import type { Place, Rule } from './types.ts';

export const inProject = (provider: string, shown: string): Place => ({ provider, location: 'project', shown });
export const atHome = (provider: string, shown: string): Place => ({ provider, location: 'global', shown });

export const shared = inProject('agents', '.agents/skills');
export const sharedAtHome = atHome('agents', '~/.agents/skills');
export const claude = inProject('claude', '.claude/skills');
export const claudeAtHome = atHome('claude', '~/.claude/skills');

/** What holds of agents whose parser nobody has described. */
const unsure: readonly Rule[] = [rule.fileNameUnsure, rule.brokenYamlUnsure, rule.oddFencesUnsure];

/** What most rows say; each says where it differs. */
export const usual = {
  aliases: [],
  plugins: [],
  rules: unsure,
  sameName: 'unknown',
  label: 'name',
  obeysManual: false,
  listing: null,
  spares: null,
} as const;

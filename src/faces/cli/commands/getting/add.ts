import { add as operation } from '../../../../engine/operations/getting/add.ts';
import { defineCommand } from '../../command.ts';
import { getting } from './got-lines.ts';

export const add = defineCommand({
  operation,
  spelling: {
    source: { positional: true, value: 'SOURCE', completes: 'path' },
    skill: { short: 's', value: 'NAME' },
    agent: { short: 'a', value: 'AGENT' },
    project: { short: 'p' },
    global: { short: 'g' },
    ref: { value: 'REF' },
    yes: { short: 'y' },
  },
  about:
    'Gets skills from a source, scans them, shows what they are and what they ask for, and installs them if you agree: one ' +
    'real copy in .agents/skills, of this project or with --global of your home, and links for agents that need a folder ' +
    'of their own. Where each came from, its commit and the digest of its files go into the lock file, which other ' +
    'installers read as well. Nothing is overwritten that was not installed in this way. Exit code 1: not everything ' +
    'was installed, because you did not agree, something is in the way, or the scan blocks it.',
  examples: [
    { run: 'repertoire add ./team-skills', what: 'every skill in a folder' },
    { run: 'repertoire add anthropics/skills --skill pdf', what: 'one skill of a repository on GitHub' },
    { run: 'repertoire add git@example.com:team/skills.git --ref v2 --global', what: 'for all projects, at a tag' },
    { run: 'repertoire add ./team-skills --agent claude-code --copy', what: 'with a copy for an agent' },
    { run: 'repertoire add ./team-skills --dry-run', what: 'look, and change nothing' },
  ],
  ...getting,
});

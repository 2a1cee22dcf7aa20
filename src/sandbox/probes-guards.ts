import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { grantedTarget, type Probe, refused, shell } from './probe.ts';

/** Attacks on what stays as it is where a tool may write: see `guards/`. */
export const guardProbes: readonly Probe[] = [
  {
    id: 'guarded',
    name: 'Git hooks in a folder that may be written to',
    expectation: 'none is made or changed, and the repository is not moved; other files are written',
    what: 'files',
    isGranted: true,
    command: () =>
      shell(
        `cd "$1" || exit; (echo x > .git/hooks/pre-commit) 2>/dev/null && echo hook; mv .git moved 2>/dev/null && echo moved
        echo x > notes && echo ALIVE`,
        grantedTarget,
      ),
    judge: refused,
  },
  {
    id: 'guarded-new',
    name: 'settings of an agent, made in a folder that may be written to',
    expectation: 'the run is ended, and what it made is renamed',
    what: 'files',
    isGranted: true,
    command: () => shell('mkdir "$1/.claude" && sleep 10', grantedTarget),
    judge: ({ outcome }, { granted }) => ({
      held: outcome.reason === 'denied' && !existsSync(join(granted, '.claude')),
      detail: outcome.message ?? `it ended with ${outcome.reason}`,
    }),
  },
  {
    id: 'setuid',
    name: 'files that run as somebody else (setuid, setgid)',
    expectation: 'none is made',
    what: 'user',
    isPossible: () => process.platform === 'linux',
    command: () =>
      shell(': > /tmp/mine; for m in 4755 2755; do chmod $m /tmp/mine 2>/dev/null && echo mode $m; done; echo ALIVE'),
    judge: refused,
  },
];

import { sep } from 'node:path';
import type { Environment } from '../../kernel/environment.ts';
import { SkillError } from '../../kernel/errors.ts';
import { realPathOrSelf } from '../../kernel/files.ts';
import { packageFile } from '../../kernel/package-file.ts';
import { programOnPath } from '../agents/detect.ts';
import type { Launch, SetupAgent } from '../agents/types.ts';

/** This program, by the ways to start it. */
export interface Program {
  /** Its file, to be given to Node. */
  readonly file: string;
  /** Node, by a path that is likely to stay. */
  readonly node: string;
  /** The program on PATH that is this very one; null where there is none. */
  readonly onPath: string | null;
  /** Whether it lies where npx keeps what it has downloaded. */
  readonly isPassing: boolean;
}

export function findProgram(environment: Environment): Program {
  const file = packageFile('dist/cli/bin.cjs');
  if (file === undefined) {
    const hint = 'Build it (npm run build) or install it again, then run repertoire setup.';
    throw new SkillError('unavailable', 'the program that agents would start is missing', { hint });
  }
  const isThis = (path: string | undefined, real: string): path is string =>
    path !== undefined && realPathOrSelf(path) === realPathOrSelf(real);
  const node = programOnPath('node', environment);
  const own = programOnPath('repertoire', environment);
  return {
    file,
    // What Node says of itself is a path with a version in it on many machines, gone with the next one.
    node: isThis(node, process.execPath) ? node : process.execPath,
    onPath: environment.platform !== 'win32' && isThis(own, file) && !isCached(own) ? own : null,
    isPassing: isCached(file),
  };
}

/** npx empties this folder when it likes. */
function isCached(path: string): boolean {
  return path.includes(`${sep}_npx${sep}`);
}

/**
 * All tools: loading, searching and running. The program itself needs `node` on the agent's PATH, which an application
 * started from a menu may not have: there Node is named as well.
 */
export function launchFor(
  { isApp }: SetupAgent,
  { file, node, onPath }: Program,
  toolNames: SetupAgent['toolNames'],
  options: readonly string[],
): Launch {
  const args = ['serve', ...(toolNames === 'portable' ? ['--tool-names', 'portable'] : []), ...options];
  return onPath === null || isApp ? { command: node, args: [file, ...args] } : { command: onPath, args };
}

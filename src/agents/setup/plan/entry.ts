import { join, sep } from 'node:path';
import { realPathOrSelf } from '../../../core/disk/files.ts';
import { packageFile } from '../../../core/disk/package-file.ts';
import type { Environment } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import { shellWord } from '../../../core/text/text.ts';
import { fileOf, programOnPath, projectFolder } from '../agents/places.ts';
import { setupAgents } from '../agents/table.ts';
import type { Approved, Entry, Launch, Remote, Scope, SetupAgent } from '../agents/types.ts';

/** The request that is carried out for each of the agents. */
export interface Request {
  readonly name: string;
  readonly scope: Scope;
  readonly kind: 'add' | 'remove';
  /** The server to connect to; null where each agent starts one of its own. */
  readonly remote: Remote | null;
  /** Options that go into the entry. */
  readonly options: readonly string[];
  /** Whether an agent is on this machine, or will be. */
  readonly isHere: (agent: SetupAgent) => boolean;
  /** Tokens for `--exclude` that stand for what all of these agents load by themselves. */
  readonly excludesFor: (agents: readonly string[]) => readonly string[];
  readonly program: Program;
  /** The tools that the agents may call without asking; null where nothing is to be changed about that. */
  readonly approve: Approved | null;
  /** Whether the project's folder is to be trusted. */
  readonly trust: boolean;
}

/** The command by which an agent is to start the server. */
function launchIn(agent: SetupAgent, request: Request, environment: Environment): Launch {
  const readers = readersOf(agent, request.scope, environment);
  const isPortable = readers.some(({ toolNames }) => toolNames === 'portable');
  const here = readers.filter((one) => one === agent || request.isHere(one));
  const excludes = request.excludesFor(here.map(({ id }) => id));
  const options = [...(excludes.length === 0 ? [] : ['--exclude', excludes.join(',')]), ...request.options];
  return launchFor(agent, request.program, isPortable ? 'portable' : 'documented', options);
}

/**
 * The agents that read the same entry: in a project some share a file. An option that one of them cannot have, none
 * gets; and only what all of them that are here load by themselves is left out.
 */
function readersOf(agent: SetupAgent, scope: Scope, environment: Environment): readonly SetupAgent[] {
  if (scope === 'global') return [agent];
  const [file, project] = [fileOf(agent, scope, environment), projectFolder(environment)];
  const shares = (other: SetupAgent): boolean =>
    other.at.join('.') === agent.at.join('.') &&
    (fileOf(other, scope, environment) === file ||
      other.alsoReads?.some((path) => join(project, path) === file) === true);
  return file === null ? [agent] : setupAgents.filter(shares);
}

/** The entry for the agent's file; null to remove it, undefined where the file cannot express it. */
export function entryFor(agent: SetupAgent, request: Request, environment: Environment): Entry | null | undefined {
  if (request.kind === 'remove') return null;
  const { remote, name, approve } = request;
  const entry =
    remote === null ? agent.shape.stdio(launchIn(agent, request, environment), name) : agent.shape.http?.(remote, name);
  if (entry === undefined || approve === null) return entry;
  const { set, drop } = agent.approval?.keys?.(approve) ?? { set: {}, drop: [] };
  return { ...entry, set: { ...entry.set, ...set }, drop: [...entry.drop, ...drop] };
}

/** The command line by which the agent's own program does the same; null where it has none. */
export function ownLine(agent: SetupAgent, request: Request, environment: Environment): string | null {
  const { name, scope, remote, kind } = request;
  const own = agent.ownCommand;
  if (own === undefined) return null;
  const words =
    kind === 'remove'
      ? own.remove(name, scope)
      : remote === null
        ? own.stdio(name, scope, launchIn(agent, request, environment))
        : own.http(name, scope, remote.url);
  return words === null ? null : words.map(shellWord).join(' ');
}

/** Notes on what a person must know or do beyond the written entry. */
export function notesFor(agent: SetupAgent, { kind, remote, scope, program }: Request): readonly string[] {
  if (kind === 'remove') return [];
  const isTokenLeft = remote !== null && remote.tokenVariable !== null && agent.shape.variables === null;
  return [
    ...(isTokenLeft
      ? [`${agent.name} does not read variables: add the header Authorization: Bearer YOUR_TOKEN to the entry.`]
      : []),
    ...(remote?.tokenVariable != null && !isTokenLeft
      ? [`Start ${agent.name} with ${remote.tokenVariable} set: the entry takes the token from there.`]
      : []),
    ...(scope === 'project' && remote === null
      ? [
          'The entry names a program on this machine. Others who share the project must run repertoire setup themselves.',
        ]
      : []),
    ...(program.isPassing && remote === null
      ? ['This program is in the cache of npx, which may be emptied: install it, then set up again from there.']
      : []),
    ...agent.notes,
  ];
}

/** This program, by the ways to start it. */
export interface Program {
  /** The program's file, to be passed to Node. */
  readonly file: string;
  /** Node, by a path that is likely to stay. */
  readonly node: string;
  /** The program on PATH, if it is this very one; null otherwise. */
  readonly onPath: string | null;
  /** Whether it lies where npx keeps its downloads. */
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
    // The path in `process.execPath` has a version in it on many machines, and is gone with the next one.
    node: isThis(node, process.execPath) ? node : process.execPath,
    onPath: environment.platform !== 'win32' && isThis(own, file) && !isCached(own) ? own : null,
    isPassing: isCached(file),
  };
}

/** Tells whether a path lies in npx's cache, which npx empties when it likes. */
function isCached(path: string): boolean {
  return path.includes(`${sep}_npx${sep}`);
}

/**
 * The command that serves all tools: loading, searching and running. The program itself needs `node` on the agent's
 * PATH, which an application started from a menu may not have: there Node is named as well.
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

import { join } from 'node:path';
import { detectedBy } from '../../agents/setup/agents/places.ts';
import { setupAgents } from '../../agents/setup/agents/table.ts';
import type { Approved, Scope, SetupAgent } from '../../agents/setup/agents/types.ts';
import { findProgram, type Request } from '../../agents/setup/plan/entry.ts';
import type { Mode } from '../../agents/setup/plan/perform.ts';
import { type AgentReport, carryOut } from '../../agents/setup/plan/plan.ts';
import { createLock, type Held } from '../../core/disk/lock.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { stateFolder } from '../../core/disk/own-folders.ts';
import type { Environment } from '../../core/environment.ts';
import { linesWithoutSecrets } from '../../core/text/secret-names.ts';
import { agentNamed } from '../../discovery/native/agents.ts';
import { disabledEntry, disabledPrefix, nativeJoint, nativePrefix } from '../../registry/filters.ts';
import { excludesFor } from '../agents/native.ts';
import type { Engine } from '../engine.ts';
import { remoteFor, writtenOptions } from './request.ts';

interface Wanted {
  readonly named: readonly SetupAgent[];
  readonly scope: Scope;
  readonly server: string;
  readonly all: boolean;
  readonly dryRun: boolean;
  readonly remove: boolean;
  readonly http?: string | undefined;
  readonly approve?: Approved | undefined;
  readonly trust: boolean;
}

interface Connected {
  readonly mode: Mode;
  readonly agents: readonly AgentReport[];
  readonly ok: boolean;
}

/** Connects the agents that are named or found, or shows what that would change. */
export function connectAgents({ configuration, environment }: Engine, wanted: Wanted): Connected {
  const { named, scope, server, all, remove } = wanted;
  const isDetected = (agent: SetupAgent): boolean => detectedBy(agent, environment) !== null;
  const request: Request = {
    ...{ name: server, scope, kind: remove ? 'remove' : 'add' },
    excludesFor: (ids) => [...seenByAll(ids), ...disabledFor(ids, configuration.values.disabled)],
    approve: wanted.approve ?? null,
    trust: wanted.trust,
    remote: remoteFor(wanted.http, environment),
    options: writtenOptions(configuration, environment),
    isHere: (agent) => named.includes(agent) || isDetected(agent),
    program: findProgram(environment),
  };
  const mode = modeOf(wanted);
  const wantsFound = all || named.length === 0;
  // An entry that was set up once is removed even where the agent itself has gone.
  const asked = setupAgents.filter((agent) => named.includes(agent) || (wantsFound && (remove || isDetected(agent))));
  const carriedOut = () =>
    asked.map((agent) => ({ isNamed: named.includes(agent), report: carryOut(agent, request, mode, environment) }));
  const reports = mode === 'write' ? inTurn(environment, carriedOut) : carriedOut();
  const agents = reports
    .filter(({ isNamed, report }) => isNamed || !isBeside(report, request))
    .map(({ report }) => ({ ...hidden(report), approval: hidden(report.approval), trust: hidden(report.trust) }));
  const isDone = agents.every((one) =>
    [one, one.approval, one.trust].every((part) => (part?.problem ?? null) === null),
  );
  return { mode, agents, ok: mode === 'show' || (isDone && (remove || agents.length > 0)) };
}

/** The ids of the agents on this machine, as they are known by what they read. */
export function agentsHere(environment: Environment): ReadonlySet<string> {
  const here = setupAgents.filter((agent) => detectedBy(agent, environment) !== null);
  return new Set(here.map(({ id }) => agentNamed(id)?.id ?? id));
}

/** The tokens for skills that each of several agents loads by itself: only these can be left out of a shared entry. */
function seenByAll(ids: readonly string[]): readonly string[] {
  const tokens = ids.map(excludesFor);
  if (tokens.some((one) => one.length === 0)) return [];
  const agents = new Set(tokens.flat().map((token) => token.slice(nativePrefix.length)));
  return agents.size === 0 ? [] : [nativePrefix + [...agents].join(nativeJoint)];
}

/** The token for what was disabled for an agent, where no other token tells the server whom it serves. */
function disabledFor(ids: readonly string[], disabled: readonly string[]): readonly string[] {
  const [only = '', ...others] = ids.map((id) => agentNamed(id)?.id ?? id);
  const isAsked = others.length === 0 && disabled.some((entry) => disabledEntry(entry).agent === only);
  return isAsked && seenByAll(ids).length === 0 ? [disabledPrefix + only] : [];
}

function modeOf({ named, all, dryRun }: Wanted): Mode {
  if (dryRun) return 'dry-run';
  return named.length > 0 || all ? 'write' : 'show';
}

/** Tells whether a report can be left out for an agent that was not named, because it does not concern it. */
function isBeside({ state, approval, trust }: AgentReport, { kind }: Request): boolean {
  const isAbsent = state === 'absent' && [approval, trust].every((part) => (part?.action ?? 'none') === 'none');
  return state === 'unsupported' || (kind === 'remove' && isAbsent);
}

/**
 * Hides secrets in a diff: other servers may have their keys in the same file. Our own lines name variables, and never
 * hold their values.
 */
function hidden<T extends { readonly diff: string | null } | null>(report: T): T {
  return report === null || report.diff === null ? report : { ...report, diff: withoutSecrets(report.diff) };
}

function withoutSecrets(diff: string): string {
  const lines = diff.split('\n');
  const hidden = linesWithoutSecrets(lines, '(hidden)');
  return lines.map((line, at) => (line.includes('REPERTOIRE_TOKEN') ? line : hidden[at])).join('\n');
}

/** Milliseconds to wait for the lock; all files together are written in less. */
const lockTimeoutMs = 10_000;

/**
 * Runs an action under a lock: of two processes that change the same file at the same time, one would undo what the
 * other has done. If the lock cannot be had, the action runs without it: a person waits, and the files themselves are
 * checked once more before each write.
 */
function inTurn<T>(environment: Environment, action: () => T): T {
  const folder = stateFolder(environment);
  const lock = createLock(join(folder, 'setup.lock'), "agents' files are");
  let held: Held | null = null;
  try {
    makeFolder(folder);
    held = lock.take(lockTimeoutMs);
  } catch {
    // Without the lock.
  }
  try {
    return action();
  } finally {
    held?.release();
    lock.close();
  }
}

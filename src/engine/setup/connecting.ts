import { withoutSecretLooks } from '../../audit/secret-names.ts';
import { detectedBy } from '../../setup/agents/detect.ts';
import { setupAgents } from '../../setup/agents/table.ts';
import type { Scope, SetupAgent } from '../../setup/agents/types.ts';
import { type AgentReport, carryOut, type Mode } from '../../setup/plan/carry-out.ts';
import type { Request } from '../../setup/plan/entry.ts';
import { findProgram } from '../../setup/plan/launch.ts';
import { excludesFor } from '../agents/native.ts';
import type { Engine } from '../engine.ts';
import { remoteFor, writtenOptions } from './request.ts';
import { inTurn } from './turn.ts';

export interface Wanted {
  readonly named: readonly SetupAgent[];
  readonly scope: Scope;
  readonly server: string;
  readonly all: boolean;
  readonly dryRun: boolean;
  readonly remove: boolean;
  readonly http?: string | undefined;
}

interface Connected {
  readonly mode: Mode;
  readonly agents: readonly AgentReport[];
  readonly ok: boolean;
}

/** Connects the agents that are named, or found, or shows what that would be. */
export function connectAgents({ configuration, environment }: Engine, wanted: Wanted): Connected {
  const { named, scope, server, all, remove } = wanted;
  const isDetected = (agent: SetupAgent): boolean => detectedBy(agent, environment) !== null;
  const request: Request = {
    ...{ name: server, scope, kind: remove ? 'remove' : 'add', excludesFor },
    remote: remoteFor(wanted.http, environment),
    options: writtenOptions(configuration, environment),
    isHere: (agent) => named.includes(agent) || isDetected(agent),
    program: findProgram(environment),
  };
  const mode = modeOf(wanted);
  const wantsFound = all || named.length === 0;
  // What was set up once is taken out also where the agent itself has gone.
  const asked = setupAgents.filter((agent) => named.includes(agent) || (wantsFound && (remove || isDetected(agent))));
  const carriedOut = () =>
    asked.map((agent) => ({ isNamed: named.includes(agent), report: carryOut(agent, request, mode, environment) }));
  const reports = mode === 'write' ? inTurn(environment, carriedOut) : carriedOut();
  const agents = reports
    .filter(({ isNamed, report }) => isNamed || !isBeside(report, request))
    .map(({ report }) => ({ ...report, diff: report.diff === null ? null : withoutSecrets(report.diff) }));
  const isDone = agents.every(({ problem }) => problem === null) && (remove || agents.length > 0);
  return { mode, agents, ok: mode === 'show' || isDone };
}

function modeOf({ named, all, dryRun }: Wanted): Mode {
  if (dryRun) return 'dry-run';
  return named.length > 0 || all ? 'write' : 'show';
}

/** Who was not asked for by name need not hear what does not concern it. */
function isBeside({ state }: AgentReport, { kind }: Request): boolean {
  return state === 'unsupported' || (kind === 'remove' && state === 'absent');
}

/** Other servers may have their keys in the same file. Our own lines name variables, and never hold one's value. */
function withoutSecrets(diff: string): string {
  const hide = (line: string): string =>
    line.includes('REPERTOIRE_TOKEN') ? line : withoutSecretLooks(line, '(hidden)');
  return diff.split('\n').map(hide).join('\n');
}

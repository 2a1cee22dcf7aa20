import type { Environment } from '../../kernel/environment.ts';
import { detectedBy } from '../agents/detect.ts';
import { fileOf } from '../agents/places.ts';
import type { Scope, SetupAgent } from '../agents/types.ts';
import { pendingFor } from '../check/pending.ts';
import { type ApprovalReport, approve } from './approval.ts';
import { entryFor, notesFor, ownLine, type Request } from './entry.ts';
import { type Mode, perform } from './perform.ts';
import { type Action, type Plan, planFor, type State, toPaste } from './plan.ts';
import { type TrustReport, trustFolder } from './trust.ts';

/** What was done for one agent, or would be. */
export interface AgentReport {
  readonly id: string;
  readonly name: string;
  /** What shows that the agent is installed; null where nothing does. */
  readonly detectedBy: string | null;
  readonly scope: Scope;
  readonly file: string | null;
  readonly state: State;
  readonly action: Action;
  /** Whether the file was written. */
  readonly done: boolean;
  /** Why it could not be done. */
  readonly problem: string | null;
  /** What to put into the file by hand. */
  readonly snippet: string | null;
  readonly diff: string | null;
  /** Where the file is kept as it was before. */
  readonly backup: string | null;
  /** The same by the agent's own program. */
  readonly command: string | null;
  readonly notes: readonly string[];
  /** What the agent asks before it calls our tools; null where nothing of that kind is known. */
  readonly approval: ApprovalReport | null;
  /** What was done about trust in the project's folder; null where nothing was asked or to be taken back. */
  readonly trust: TrustReport | null;
}

/** Does it for one agent. A file that cannot be changed is a report and not an error: the others are still to be done. */
export function carryOut(agent: SetupAgent, request: Request, mode: Mode, environment: Environment): AgentReport {
  const { plan, outcome } = perform(() => planned(agent, request, environment), {
    kind: request.kind,
    mode,
    environment,
  });
  const { done, diff, backup, failure } = outcome;
  const isPossible = plan.state !== 'unsupported';
  const entry = failure === null ? null : entryFor(agent, request, environment);
  const approval = isPossible ? approve(agent, request, mode, environment) : null;
  const trust = isPossible ? trustFolder(agent, request, mode, environment) : null;
  const { name: server, scope, kind } = request;
  const pending = kind === 'add' ? pendingFor({ agent, scope, server, environment }) : null;
  const notes = [...plan.twins.map(twinNote), ...notesFor(agent, request), ...(pending === null ? [] : [pending])];
  return {
    id: agent.id,
    name: agent.name,
    detectedBy: detectedBy(agent, environment),
    ...{ scope: plan.scope, file: plan.file, state: plan.state, action: plan.action, done, diff, backup },
    problem: failure ?? plan.problem,
    snippet: entry == null ? plan.snippet : toPaste(agent, request.name, entry),
    command: isPossible ? ownLine(agent, request, environment) : null,
    notes: isPossible ? [...notes, ...(plan.scope === 'project' && backup !== null ? [keptInProject] : [])] : [],
    approval,
    trust,
  };
}

const keptInProject = 'The backup is beside the file: do not commit it, it may contain secrets.';

function twinNote(name: string): string {
  return `The entry ${name} starts Repertoire too: remove it, or every skill is listed twice.`;
}

function planned(agent: SetupAgent, request: Request, environment: Environment): Plan {
  const { name, scope } = request;
  const entry = entryFor(agent, request, environment);
  if (entry !== undefined) return planFor({ agent, scope, name, entry }, environment);
  return {
    ...{ agent, scope, file: fileOf(agent, scope, environment), format: agent.format },
    ...{ state: 'unsupported', action: 'none' },
    ...{ before: null, after: null, snippet: null, twins: [] },
    problem: `the file of ${agent.name} accepts only servers that it starts itself, not addresses: leave out --http`,
  };
}

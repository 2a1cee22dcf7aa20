import type { Environment } from '../../kernel/environment.ts';
import { changedMeanwhile } from '../../kernel/replace.ts';
import { detectedBy } from '../agents/detect.ts';
import { fileOf } from '../agents/places.ts';
import type { Scope, SetupAgent } from '../agents/types.ts';
import { unifiedDiff } from '../edit/diff.ts';
import { writeWithBackup } from '../edit/write.ts';
import { entryFor, notesFor, ownLine, type Request } from './entry.ts';
import { type Action, type Plan, planFor, type State, toPaste } from './plan.ts';
import { inWords } from './reasons.ts';

/** Nothing is written to show something, or to show the changes. */
export type Mode = 'show' | 'dry-run' | 'write';

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
}

/** An agent that runs may write its file just now, but does not do so all the time. */
const mostTries = 5;

/** Does it for one agent. A file that cannot be changed is a report and not an error: the others are still to be done. */
export function carryOut(
  agent: SetupAgent,
  request: Request,
  mode: Mode,
  environment: Environment,
  tries = mostTries,
): AgentReport {
  const plan = planned(agent, request, environment);
  const base: AgentReport = {
    id: agent.id,
    name: agent.name,
    detectedBy: detectedBy(agent, environment),
    ...{ scope: plan.scope, file: plan.file, state: plan.state, action: plan.action },
    ...{ done: false, problem: plan.problem, snippet: plan.snippet, diff: null, backup: null },
    command: plan.state === 'unsupported' ? null : ownLine(agent, request, environment),
    notes: plan.state === 'unsupported' ? [] : [...plan.twins.map(twinNote), ...notesFor(agent, request)],
  };
  if (plan.action === 'none' || plan.file === null || mode === 'show') return base;
  if (mode === 'dry-run') return { ...base, diff: unifiedDiff(plan.before, plan.after, plan.file) };
  const written = writeWithBackup(plan.file, plan.before, plan.after);
  if (written.ok) {
    const { backup } = written;
    const isShared = plan.scope === 'project' && backup !== null;
    return { ...base, done: true, backup, notes: isShared ? [...base.notes, keptInProject] : base.notes };
  }
  if (written.reason === changedMeanwhile && tries > 1) return carryOut(agent, request, mode, environment, tries - 1);
  const entry = entryFor(agent, request, environment);
  const snippet = entry == null ? null : toPaste(agent, request.name, entry);
  return { ...base, problem: `it cannot be written: ${inWords(written.reason)}`, snippet };
}

const keptInProject = 'The file as it was before lies beside it: do not commit it, others may read what is in it.';

function twinNote(name: string): string {
  return `The entry ${name} starts Repertoire too: take it out, or every skill is listed twice.`;
}

function planned(agent: SetupAgent, request: Request, environment: Environment): Plan {
  const { name, scope } = request;
  const entry = entryFor(agent, request, environment);
  if (entry !== undefined) return planFor({ agent, scope, name, entry }, environment);
  return {
    ...{ agent, scope, file: fileOf(agent, scope, environment), state: 'unsupported', action: 'none' },
    ...{ before: null, after: null, snippet: null, twins: [] },
    problem: `the file of ${agent.name} takes servers that it starts itself, and no addresses: leave out --http`,
  };
}

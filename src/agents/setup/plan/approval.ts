import { join } from 'node:path';
import type { Environment } from '../../../core/environment.ts';
import { fileOf, pathOf, projectFolder } from '../agents/places.ts';
import { type Approval, type Approved, approvalLevels, type ListItems, type SetupAgent } from '../agents/types.ts';
import { editList, snippetOf, valueIn } from '../edit/edit.ts';
import { isMap, isSame } from '../edit/values.ts';
import { readSettings } from '../edit/write.ts';
import type { Request } from './entry.ts';
import { type Change, inWords, type Mode, type Outcome, perform } from './perform.ts';

/** The report on what an agent asks before it calls our tools, and what was done about it. */
export interface ApprovalReport extends Omit<Outcome, 'failure'> {
  /** The confirmation that it asks for as long as nothing is approved. */
  readonly asks: string;
  /** The tools that it may call without asking after this; null where it asks. */
  readonly approved: Approved | null;
  /** The file that holds the approval. */
  readonly file: string | null;
  /** The change to that file beyond our entry. */
  readonly action: 'none' | 'add' | 'remove';
  readonly problem: string | null;
  /** The levels that `--approve` can write for this agent. */
  readonly levels: readonly Approved[];
  /** The requested level that cannot be approved for this agent. */
  readonly impossible: Approved | null;
  /** The command line that approves all tools for one session, where no file can. */
  readonly command: string | null;
  /** The text to put into that file by hand, for the lowest level that can be approved; null where one is. */
  readonly snippet: string | null;
}

/** Writes the requested approvals, or removes ours; null where the agent has none that we know. */
export function approve(
  agent: SetupAgent,
  request: Request,
  mode: Mode,
  environment: Environment,
): ApprovalReport | null {
  const { approval } = agent;
  if (approval === undefined) return null;
  const place = { agent, request, environment, approval };
  const { plan, outcome } = perform(() => planned(place), { kind: request.kind, mode, environment });
  const { failure, ...done } = outcome;
  const problem = plan.problem ?? failure;
  const { asks, levels, unasked } = approval;
  const { approve: wanted } = request;
  const isPossible = wanted !== null && levels.includes(wanted);
  const approved = isPossible && problem === null ? wanted : approvedNow(place);
  const isOpen = request.kind === 'add' && (approved === (unasked ?? null) || problem !== null);
  return {
    ...{ asks, approved, file: plan.file, action: plan.action, ...done, problem, levels },
    impossible: isPossible || wanted === unasked ? null : wanted,
    command: isOpen ? (approval.command?.(request.name) ?? null) : null,
    snippet: isOpen && levels.length > 0 ? toPaste(place) : null,
  };
}

interface Place {
  readonly agent: SetupAgent;
  readonly request: Request;
  readonly environment: Environment;
  readonly approval: Approval;
}

type Planned = Change & Pick<ApprovalReport, 'action' | 'problem'>;

/** Plans the changes to another file; the keys in our own entry are planned with it. */
function planned(place: Place): Planned {
  const file = rulesFile(place);
  const base: Planned = { file, format: 'json', before: null, after: null, action: 'none', problem: null };
  const steps = stepsFor(place);
  if (file === null || steps.length === 0) return base;
  const read = readSettings(file);
  if (!read.ok) return { ...base, problem: `it cannot be read: ${inWords(read.reason)}` };
  const before = read.text ?? '';
  const edited = steps.reduce<ReturnType<typeof editList>>(
    (now, { change, at, items }) => (now.ok ? editList(now.text, change, at, items) : now),
    { ok: true, text: before },
  );
  if (!edited.ok) {
    return { ...base, problem: edited.line === null ? edited.reason : `line ${edited.line}: ${edited.reason}` };
  }
  if (edited.text === before) return base;
  return { ...base, before: read.text, after: edited.text, action: place.request.kind };
}

interface Step extends ListItems {
  readonly change: 'add' | 'drop';
}

function stepsFor(place: Place): readonly Step[] {
  const { request, approval } = place;
  const { name, scope, kind, approve: level } = request;
  if (approval.rules === undefined) return [];
  if (kind === 'remove') {
    // The last addition is removed first, so that its place is found as it was.
    return approval.rules.lists(name, scope, 'all').toReversed().map(dropping);
  }
  if (level === null) return [];
  const wanted = approval.rules.lists(name, scope, level).map((list) => ({ ...list, change: 'add' as const }));
  return [...tooMuch(place).map(dropping), ...wanted];
}

function dropping(list: ListItems): Step {
  return { ...list, change: 'drop' };
}

/** Rules for running tools that an earlier approval has left, where now only reading is approved. */
function tooMuch({ approval, request }: Place): readonly ListItems[] {
  if (approval.rules === undefined || request.approve !== 'read') return [];
  const [less, more] = approvalLevels.map((level) => approval.rules?.lists(request.name, request.scope, level) ?? []);
  return (more ?? []).map(({ at, items }, index) => ({
    at,
    items: items.filter((item) => less?.[index]?.items.includes(item) !== true),
  }));
}

function rulesFile({ agent, request, environment, approval: { rules } }: Place): string | null {
  if (rules === undefined) return fileOf(agent, request.scope, environment);
  if (request.scope === 'project') return join(projectFolder(environment), rules.project);
  return pathOf(rules.global, environment) ?? null;
}

/** The level that the files approve at the moment. */
function approvedNow(place: Place): Approved | null {
  const { agent, request, approval } = place;
  const file = rulesFile(place);
  const read = file === null ? null : readSettings(file);
  const text = read?.ok === true ? (read.text ?? '') : '';
  const has = (level: Approved): boolean => {
    if (approval.rules !== undefined) {
      return approval.rules.lists(request.name, request.scope, level).every(({ at, items }) => {
        const found = valueIn('json', text, at);
        const list = found.ok && Array.isArray(found.value) ? (found.value as readonly unknown[]) : [];
        return items.every((item) => list.includes(item));
      });
    }
    const found = valueIn(agent.format, text, [...agent.at, request.name]);
    const entry = found.ok && isMap(found.value) ? found.value : {};
    const set = Object.entries(approval.keys?.(level).set ?? {});
    return set.length > 0 && set.every(([key, value]) => isSame(entry[key], value));
  };
  return approvalLevels.findLast(has) ?? approval.unasked ?? null;
}

/** The text of the lowest level that a person could approve by hand. */
function toPaste({ agent, request, approval }: Place): string {
  const texts = approvalLevels.map((level) => {
    const lists = approval.rules?.lists(request.name, request.scope, level) ?? [];
    const edits = [
      ...lists.map(({ at, items }) => ({ at, value: items })),
      ...Object.entries(approval.keys?.(level).set ?? {}).map(([key, value]) => ({
        at: [...agent.at, request.name, key],
        value,
      })),
    ];
    return snippetOf(approval.rules === undefined ? agent.format : 'json', edits);
  });
  return texts.find((text) => text.trim() !== '') ?? '';
}

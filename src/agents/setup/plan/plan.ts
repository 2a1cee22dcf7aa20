import type { Environment } from '../../../core/environment.ts';
import { cut } from '../../../core/text/text.ts';
import { detectedBy, fileOf } from '../agents/places.ts';
import type { Entry, Scope, SetupAgent, Values } from '../agents/types.ts';
import { pendingFor } from '../check/pending.ts';
import { editText, snippetOf, valueIn } from '../edit/edit.ts';
import { type Edit, type Format, isMap, isSame, type Json } from '../edit/values.ts';
import { readSettings } from '../edit/write.ts';
import { type ApprovalReport, approve } from './approval.ts';
import { entryFor, notesFor, ownLine, type Request } from './entry.ts';
import { inWords, type Mode, perform } from './perform.ts';
import { type TrustReport, trustFolder } from './trust.ts';

/** The report on what was done for one agent, or would be. */
export interface AgentReport {
  readonly id: string;
  readonly name: string;
  /** The evidence that the agent is installed; null where there is none. */
  readonly detectedBy: string | null;
  readonly scope: Scope;
  readonly file: string | null;
  readonly state: State;
  readonly action: Action;
  /** Whether the file was written. */
  readonly done: boolean;
  /** The reason why it could not be done. */
  readonly problem: string | null;
  /** The text to put into the file by hand. */
  readonly snippet: string | null;
  readonly diff: string | null;
  /** The path of the backup of the file as it was before. */
  readonly backup: string | null;
  /** The command line by which the agent's own program does the same. */
  readonly command: string | null;
  readonly notes: readonly string[];
  /** The report on what the agent asks before it calls our tools; null where nothing of that kind is known. */
  readonly approval: ApprovalReport | null;
  /** The report on trust in the project's folder; null where nothing was requested or to be taken back. */
  readonly trust: TrustReport | null;
}

/**
 * Carries out the request for one agent. A file that cannot be changed is reported: the others are still to be done.
 */
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

/** Words that start this program, by whatever path, package manager or shell. */
const program = /(?:^|[\\/\s])repertoire(?:[@:\s]|$|[\\/]dist[\\/])|[\\/]dist[\\/]cli[\\/]bin\.cjs$/;

/** The words that an entry starts a process with; none where it goes to an address, or has none. */
function wordsOf(entry: Json | undefined): readonly string[] {
  if (!isMap(entry)) return [];
  const words = [entry['command'] ?? entry['cmd'] ?? [], entry['args'] ?? []].flat();
  return words.filter((word) => typeof word === 'string');
}

/** Whether these words start this program. */
function startUs(words: readonly string[]): boolean {
  return words.some((word) => program.test(word));
}

/** The state of an agent's file compared with the request. */
export type State =
  /** The file has no entry for our server. */
  | 'absent'
  /** The file has exactly the right entry. */
  | 'current'
  /** The file has another entry for our server. */
  | 'differs'
  /** The file cannot be read or understood, and is left alone. */
  | 'unparseable'
  /** The agent has no such file, or cannot connect in that way. */
  | 'unsupported';

type Action = 'none' | 'add' | 'update' | 'remove';

/** The planned change to one file, before anything is done. */
interface Plan {
  readonly agent: SetupAgent;
  readonly scope: Scope;
  readonly file: string | null;
  readonly format: Format;
  readonly state: State;
  readonly action: Action;
  readonly before: string | null;
  readonly after: string | null;
  /** The reason why it cannot be done. */
  readonly problem: string | null;
  /** The text to put into the file by hand, where we cannot. */
  readonly snippet: string | null;
  /** Other entries in it that start this program as well. */
  readonly twins: readonly string[];
}

/** The desired state of a file. */
interface DesiredState {
  readonly agent: SetupAgent;
  readonly scope: Scope;
  readonly name: string;
  /** The desired entry for our server; null where there should be none. */
  readonly entry: Entry | null;
}

function planFor(desired: DesiredState, environment: Environment): Plan {
  const { agent, scope } = desired;
  const file = fileOf(agent, scope, environment);
  const base: Plan = {
    ...{ agent, scope, file, format: agent.format, state: 'unsupported', action: 'none' },
    ...{ before: null, after: null, problem: null, snippet: null, twins: [] },
  };
  if (file === null) return { ...base, problem: `${agent.name} has no project file for servers` };
  const read = readSettings(file);
  if (!read.ok)
    return { ...base, state: 'unparseable', ...byHand(desired, `it cannot be read: ${inWords(read.reason)}`) };
  return {
    ...base,
    before: read.text,
    after: read.text,
    ...change(desired, read.text),
    twins: twinsIn(desired, read.text),
  };
}

type Change = Pick<Plan, 'state' | 'action'> & Partial<Plan>;

function change(desired: DesiredState, text: string | null): Change {
  const { agent, name, entry } = desired;
  const at = [...agent.at, name];
  const found = valueIn(agent.format, text ?? '', at);
  if (!found.ok) return { state: 'unparseable', action: 'none', ...byHand(desired, inLine(found)) };
  const words = wordsOf(found.value);
  if (words.length > 0 && !startUs(words)) return { state: 'differs', action: 'none', problem: taken(desired, words) };
  if (entry === null) return removal(desired, text ?? '', found.value);
  const edits = editsFor(at, found.value, entry);
  if (edits.length === 0) return { state: 'current', action: 'none' };
  const edited = editedBy(desired, text ?? '', found.value, edits);
  if (!edited.ok) return { state: 'unparseable', action: 'none', ...byHand(desired, inLine(edited)) };
  const isNew = found.value === undefined;
  return { state: isNew ? 'absent' : 'differs', action: isNew ? 'add' : 'update', after: edited.text };
}

/** Other entries that start our server, written by hand under another name: skills would be listed twice. */
function twinsIn({ agent, name }: DesiredState, text: string | null): readonly string[] {
  const found = valueIn(agent.format, text ?? '', agent.at);
  if (!found.ok || !isMap(found.value)) return [];
  return Object.entries(found.value).flatMap(([key, entry]) => (key !== name && startUs(wordsOf(entry)) ? [key] : []));
}

/** The problem of a taken name: another server has it, or somebody put a program of their own around ours. */
function taken({ name, entry }: DesiredState, words: readonly string[]): string {
  const what = `the entry ${name} starts something else (${cut(words[0] ?? '', 80)})`;
  const step = entry === null ? 'remove it yourself' : 'choose another --name, or remove it first';
  return `${what}: ${step}`;
}

function removal(desired: DesiredState, text: string, existing: Json | undefined): Change {
  if (existing === undefined) return { state: 'absent', action: 'none' };
  const edited = editText(desired.agent.format, text, [{ at: [...desired.agent.at, desired.name], value: undefined }]);
  if (!edited.ok) return { state: 'unparseable', action: 'none', ...byHand(desired, inLine(edited)) };
  return { state: 'current', action: 'remove', after: edited.text };
}

/** Edits key by key, so that comments between them stay; or all at once where that is not possible. */
function editedBy(
  { agent, name }: DesiredState,
  text: string,
  existing: Json | undefined,
  edits: readonly Edit[],
): ReturnType<typeof editText> {
  const fine = editText(agent.format, text, edits);
  if (fine.ok) return fine;
  const value = wholeEntry(existing, edits);
  return editText(agent.format, text, [{ at: [...agent.at, name], value }]);
}

/** The instructions for a person where we do not write the file. */
function byHand({ agent, name, entry }: DesiredState, problem: string): Pick<Plan, 'problem' | 'snippet'> {
  return { problem, snippet: entry === null ? null : toPaste(agent, name, entry) };
}

function toPaste({ format, at }: SetupAgent, name: string, { set, defaults }: Entry): string {
  return snippetOf(format, [{ at: [...at, name], value: { ...set, ...defaults } }]);
}

function inLine({ line, reason }: { readonly line: number | null; readonly reason: string }): string {
  return line === null ? reason : `line ${line}: ${reason}`;
}

/** The edits that bring an entry to its desired state; none where it already is. */
function editsFor(at: readonly string[], existing: Json | undefined, entry: Entry): readonly Edit[] {
  if (!isMap(existing)) return [{ at, value: { ...entry.set, ...entry.defaults } }];
  const keys = [...entry.drop.filter((key) => key in existing), ...contradicting(existing, entry)];
  const dropped = keys.map((key) => [key, undefined] as const);
  const set = Object.entries(entry.set)
    .map(([key, value]) => [key, joined(existing[key], value)] as const)
    .filter(([key, value]) => !isSame(existing[key], value));
  const missing = Object.entries(entry.defaults).filter(([key]) => !(key in existing));
  return [...dropped, ...set, ...missing].map(([key, value]) => ({ at: [...at, key], value }));
}

/** The keys that name the other way to connect, in the words of any file. */
function contradicting(existing: Values, { kind, set }: Entry): readonly string[] {
  return ['type', 'transport'].filter((key) => {
    const said = existing[key];
    const isProcess = said === 'stdio' || said === 'local';
    return typeof said === 'string' && !(key in set) && isProcess !== (kind === 'process');
  });
}

/** Merges maps, so that headers that somebody has added stay beside ours. */
function joined(existing: Json | undefined, value: Json): Json {
  return isMap(existing) && isMap(value) ? { ...existing, ...value } : value;
}

/** The entry after all of the edits, as one value: for files in which single keys cannot be reached. */
function wholeEntry(existing: Json | undefined, edits: readonly Edit[]): Json | undefined {
  if (!isMap(existing)) return edits[0]?.value;
  const changed = new Map(edits.map(({ at, value }) => [at.at(-1) ?? '', value]));
  const kept = Object.entries(existing).map(([key, value]) => [key, changed.has(key) ? changed.get(key) : value]);
  const added = [...changed].filter(([key]) => !(key in existing));
  return Object.fromEntries([...kept, ...added].filter(([, value]) => value !== undefined)) as Values;
}

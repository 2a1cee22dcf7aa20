import { join } from 'node:path';
import { stateFolder } from '../../../core/disk/own-folders.ts';
import { isInside } from '../../../core/disk/paths.ts';
import type { Environment } from '../../../core/environment.ts';
import { reasonOf } from '../../../core/errors.ts';
import { anything, choice, flag, type Infer, object, text } from '../../../core/schema/schema.ts';
import { cut } from '../../../core/text/text.ts';
import { pathOf, projectFolder } from '../agents/places.ts';
import type { SetupAgent, Trust } from '../agents/types.ts';
import { editText, valueIn } from '../edit/edit.ts';
import { type Edit, type Failure, isMap, type Json, valueAt } from '../edit/values.ts';
import { readSettings } from '../edit/write.ts';
import type { Request } from './entry.ts';
import { type Change, inWords, keepList, keptList, type Mode, type Outcome, perform } from './perform.ts';

/** The report on the trust in a folder that an agent waits for. */
export interface TrustReport extends Omit<Outcome, 'failure'> {
  readonly folder: string;
  /** The file in which the agent keeps that trust; null where it is not known to wait for it. */
  readonly file: string | null;
  readonly action: 'none' | 'add' | 'remove';
  readonly problem: string | null;
}

/** Trusts the project's folder if requested, or takes back the trust that we gave; null where neither is to be done. */
export function trustFolder(
  agent: SetupAgent,
  request: Request,
  mode: Mode,
  environment: Environment,
): TrustReport | null {
  const folder = projectFolder(environment);
  const { trust } = agent;
  const isAdding = request.kind === 'add';
  if (isAdding && !request.trust) return null;
  if (trust === undefined || !trust.scopes.includes(request.scope)) return isAdding ? unneeded(folder) : null;
  const place = { agent, request, environment, trust, folder, file: pathOf(trust.file, environment) ?? null };
  const { plan, outcome } = perform(() => (isAdding ? added(place) : takenBack(place)), {
    ...{ kind: request.kind, mode, environment },
  });
  const { failure, ...done } = outcome;
  const unrecorded = mode === 'write' && failure === null && plan.problem === null ? recorded(place, plan) : null;
  const { file, action } = plan;
  if (!isAdding && action === 'none' && plan.problem === null) return null;
  return { folder, file, action, ...done, problem: plan.problem ?? failure ?? unrecorded };
}

function unneeded(folder: string): TrustReport {
  return { folder, file: null, action: 'none', done: false, diff: null, backup: null, problem: null };
}

interface Place {
  readonly agent: SetupAgent;
  readonly request: Request;
  readonly environment: Environment;
  readonly trust: Trust;
  readonly folder: string;
  readonly file: string | null;
}

interface Planned extends Change, Pick<TrustReport, 'action' | 'problem'> {
  /** The value for the folder before it is trusted. */
  readonly said: Json | null;
  /** Whether the table around that value has to be added with it. */
  readonly isTableNew: boolean;
}

function added(place: Place): Planned {
  const { trust, folder, environment } = place;
  if (isInside(folder, environment.home)) {
    const problem = 'it is not trusted: it is your home folder, or contains it. Run setup in the folder of a project';
    return { ...nothing(place), problem };
  }
  return edited(place, (text) => {
    const found = valueIn(trust.format, text, []);
    if (!found.ok) return found;
    const said = valueAt(found.value, trust.at(folder));
    if (said === trust.value || trust.isInherited?.(found.value, folder) === true) return [];
    // A person's refusal of the folder is not overruled by an option.
    if (said !== undefined && said !== trust.unanswered) {
      const answer = cut(JSON.stringify(said), 80);
      return { ok: false, line: null, reason: `the file says ${answer} about this folder: change it there` };
    }
    return [{ at: trust.at(folder), value: trust.value }];
  });
}

/** Plans to take back our trust. A person's own answer about a folder, before or since, stays. */
function takenBack(place: Place): Planned {
  const { trust, environment } = place;
  return edited(place, (text) => {
    const edits: Edit[] = [];
    for (const { folder, said, isTableNew } of ours(place, given(environment))) {
      const at = trust.at(folder);
      const now = valueIn(trust.format, text, at);
      if (!now.ok) return now;
      if (now.value !== trust.value) continue;
      const around = valueIn(trust.format, text, at.slice(0, -1));
      const isAlone = around.ok && isMap(around.value) && Object.keys(around.value).length === 1;
      edits.push({ at: isTableNew && isAlone ? at.slice(0, -1) : at, value: said ?? undefined });
    }
    return edits;
  });
}

type Wanted = (text: string) => readonly Edit[] | Failure;

function edited(place: Place, wanted: Wanted): Planned {
  const { file, trust, folder, request } = place;
  const base = nothing(place);
  if (file === null) return base;
  const read = readSettings(file);
  if (!read.ok) return { ...base, problem: `it cannot be read: ${inWords(read.reason)}` };
  const before = read.text ?? '';
  const edits = wanted(before);
  const result = 'ok' in edits ? edits : editText(trust.format, before, edits);
  if (!result.ok) {
    return { ...base, problem: result.line === null ? result.reason : `line ${result.line}: ${result.reason}` };
  }
  if (result.text === before) return base;
  const at = trust.at(folder);
  const [said, around] = [at, at.slice(0, -1)].map((path) => valueIn(trust.format, before, path));
  return {
    ...{ ...base, before: read.text, after: result.text, action: request.kind },
    said: said?.ok === true ? (said.value ?? null) : null,
    isTableNew: at.length > 1 && around?.ok === true && around.value === undefined,
  };
}

function nothing({ file, trust: { format } }: Place): Planned {
  return { file, format, before: null, after: null, action: 'none', problem: null, said: null, isTableNew: false };
}

/** The folders that `setup` trusted for this entry. */
function ours({ agent, request, folder }: Place, all: readonly Given[]): readonly Given[] {
  const { name, scope } = request;
  const isHere = (one: Given): boolean => scope === 'global' || one.folder === folder;
  return all.filter((one) => one.agent === agent.id && one.server === name && one.scope === scope && isHere(one));
}

function recorded(place: Place, { action, said, isTableNew }: Planned): string | null {
  const { agent, request, folder, environment } = place;
  const all = given(environment);
  if (action === 'add') {
    return recordGiven(environment, [
      ...all,
      { agent: agent.id, server: request.name, scope: request.scope, folder, said, isTableNew },
    ]);
  }
  const gone = request.kind === 'remove' ? ours(place, all) : [];
  return gone.length === 0
    ? null
    : recordGiven(
        environment,
        all.filter((one) => !gone.includes(one)),
      );
}

/** A folder that was trusted for an entry of ours, recorded so that trust which a person gave is never taken back. */
const givenSchema = object({
  agent: text(),
  server: text(),
  scope: choice(['global', 'project']),
  folder: text(),
  said: anything<Json | null>('The previous value in the file.'),
  isTableNew: flag('Whether the table around it was added with it.'),
});
type Given = Infer<typeof givenSchema>;

const record = 'trusted-folders.json';

function given(environment: Environment): readonly Given[] {
  return keptList(environment, record, givenSchema);
}

/** Records the folders, and returns why that cannot be written, or null. */
function recordGiven(environment: Environment, all: readonly Given[]): string | null {
  try {
    keepList(environment, record, all);
    return null;
  } catch (error) {
    const file = join(stateFolder(environment), record);
    return `${file} cannot be written, so --remove will not take this back: ${inWords(reasonOf(error))}`;
  }
}

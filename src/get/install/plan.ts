import { basename, dirname, join } from 'node:path';
import type { Agent } from '../../agents/types.ts';
import type { Environment } from '../../core/environment.ts';
import type { JsonObject } from '../../core/formats/documents.ts';
import { choice, type Infer, object, text } from '../../core/schema/schema.ts';
import type { ScanReport } from '../scan/types.ts';
import type { Origin } from '../sources/types.ts';
import { entryFor, type Lock, type LockEntry } from './lock-file.ts';
import { keepMerged, type MergedFile, mergedFiles, type Preferred } from './merge.ts';
import { folderNameOf, leadsOut, ownPlaces, type Scope } from './places.ts';
import { agentHas, type Presence, presenceAt } from './presence.ts';
import { type Kept, kept } from './store.ts';
import type { Step } from './transaction.ts';

/** A skill that has been fetched, copied into the store and looked at. */
export interface Incoming {
  readonly name: string;
  readonly kept: Kept;
  /** The hash that the field's installer computes. */
  readonly fieldHash: string;
  readonly origin: Origin;
  readonly scan: ScanReport;
  /** Whether the scan keeps it out: nobody has allowed this version, and scanning is not switched off. */
  readonly isBlocked: boolean;
  /** The keys of the capabilities that it asks for. */
  readonly asks: readonly string[];
}

/** A place in which a skill is put, beside its one real copy: for an agent that needs it in a folder of its own. */
export const placeSchema = object({
  agent: text(),
  path: text(),
  outcome: choice(
    ['link', 'copy', 'same', 'refused'],
    'What is put there; refused where something else is in the way.',
  ),
});
type Place = Infer<typeof placeSchema>;

/** The actions of a plan. */
export const actions = ['add', 'replace', 'merge', 'adopt', 'none', 'remove', 'refuse', 'quarantine'] as const;
export type Action = (typeof actions)[number];

/** A plan for one skill. */
export interface Planned {
  readonly name: string;
  readonly action: Action;
  /** Why nothing is done about it; null where something is, or nothing needs to be. */
  readonly reason: string | null;
  readonly folder: string;
  readonly incoming: Incoming | null;
  /** The digest that was installed before. */
  readonly previous: string | null;
  /** The keys of what this version asks for and the installed one does not. */
  readonly gained: readonly string[];
  readonly places: readonly Place[];
  /** Files that a person, the source or both have changed, where a person has changed any. */
  readonly merge: readonly MergedFile[];
  readonly steps: readonly Step[];
  /** The entry in the lock file; null where it goes, undefined where it stays as it is. */
  readonly entry?: JsonObject | null;
}

/** The manner in which skills are installed. */
export interface Manner {
  readonly scope: Scope;
  readonly agents: readonly Agent[];
  readonly copies: boolean;
  /** The side that is taken where both have changed the same lines; without it, neither is. */
  readonly preferred: Preferred | null;
}

/** Plans what is done about skills that come in together: of two that would have the same folder, the first has it. */
export async function planAll(
  incoming: readonly Incoming[],
  lock: Lock,
  manner: Manner,
  environment: Environment,
): Promise<readonly Planned[]> {
  const isOut = leadsOut(manner.scope.skills, manner.scope);
  const owners = new Map<string, string>();
  const planned: Planned[] = [];
  for (const one of incoming) {
    const folder = folderNameOf(one.name);
    const owner = owners.get(folder);
    if (owner === undefined) owners.set(folder, one.name);
    const plan = await planFor(one, lock, manner, environment, isOut);
    if (owner === undefined) planned.push(plan);
    else planned.push({ ...plan, action: 'refuse', reason: `its folder belongs to the skill '${owner}'`, steps: [] });
  }
  return planned;
}

/** Plans what is done about a skill that comes in. Nothing is written but to the store. */
export async function planFor(
  incoming: Incoming,
  lock: Lock,
  manner: Manner,
  environment: Environment,
  isOut = leadsOut(manner.scope.skills, manner.scope),
): Promise<Planned> {
  const { name, kept: fresh, scan, isBlocked } = incoming;
  const { scope } = manner;
  const entry = lock.entries.get(name);
  const folder = join(scope.skills, folderNameOf(name));
  const previous = entry?.repertoire?.digest ?? null;
  const asked = entry?.repertoire?.asks ?? null;
  const gained = asked === null ? [] : incoming.asks.filter((key) => !asked.includes(key));
  const nothing = { name, folder, incoming, previous, gained, places: [], merge: [], steps: [] };
  const refused = (reason: string): Planned => ({ ...nothing, action: 'refuse', reason });

  if (isBlocked) return { ...nothing, action: 'quarantine', reason: 'the scan blocks it' };
  const owner = [...lock.entries.keys()].find((other) => other !== name && folderNameOf(other) === folderNameOf(name));
  if (owner !== undefined) return refused(`its folder belongs to the skill '${owner}'`);
  if (isOut) return refused(`${scope.skills} leads out of the project`);

  const presence = await presenceAt(folder, entry);
  const content = await contentFor(presence, fresh, previous, folder, manner.preferred, environment);
  if ('reason' in content) return { ...refused(content.reason), merge: content.merge };
  const { action, steps, merge, installed } = content;
  const here = { folder, content: installed };
  const own = await placesFor(here, entry, manner, environment);
  const agents = own.places.filter(({ outcome }) => outcome !== 'refused').map(({ agent }) => agent);
  const { origin, fieldHash, asks } = incoming;
  const judged = { verdict: scan.verdict, scanner: scan.scanner };
  const known = { origin, digest: fresh.digest, fieldHash, scan: judged, asks, agents, copies: manner.copies };
  const before = (lock.value['skills'] as Record<string, JsonObject>)[name];
  const made = entryFor(scope, known, before, new Date());
  const all = [...steps, ...own.steps];
  const isNew = !isSameEntry(made, before);
  const done = action === 'none' && (all.length > 0 || isNew) ? 'adopt' : action;
  return {
    ...{ ...nothing, action: done, reason: null, places: own.places, merge, steps: all },
    ...(isNew || all.length > 0 ? { entry: made } : {}),
  };
}

/** Whether two entries differ in nothing but when they were written. */
function isSameEntry(one: JsonObject, other: unknown): boolean {
  const plain = (entry: unknown): string => JSON.stringify({ ...(entry as JsonObject), updatedAt: null });
  return other !== undefined && plain(one) === plain(other);
}

type Content =
  | { readonly reason: string; readonly merge: readonly MergedFile[] }
  | {
      readonly action: Action;
      readonly steps: readonly Step[];
      readonly merge: readonly MergedFile[];
      /** The copy in the store of what will be installed. */
      readonly installed: Kept;
    };

/** Plans the one real copy. */
async function contentFor(
  presence: Presence,
  fresh: Kept,
  previous: string | null,
  folder: string,
  preferred: Preferred | null,
  environment: Environment,
): Promise<Content> {
  const put = { copyOf: fresh.folder, spare: fresh.spare };
  const none = { action: 'none' as const, steps: [], merge: [], installed: fresh };
  if (presence.state === 'missing') {
    return { ...none, action: 'add', steps: [{ at: folder, put, replaces: null }] };
  }
  if (presence.digest === fresh.digest) return { ...none, action: presence.state === 'same' ? 'none' : 'adopt' };
  if (presence.state === 'foreign') {
    return { reason: `${folder} was not installed by Repertoire, and is not overwritten`, merge: [] };
  }
  const step = { at: folder, put, replaces: presence.digest };
  if (presence.state === 'same') return { ...none, action: 'replace', steps: [step] };
  const base = previous === null ? null : await kept(environment, previous);
  if (base === null) {
    if (preferred === 'theirs') return { ...none, action: 'replace', steps: [{ ...step, keepsOld: true }] };
    return { reason: 'it was changed by hand, and how it was installed is not known any more', merge: [] };
  }
  const sides = { base, mine: { ...presence, folder }, theirs: fresh };
  const merge = mergedFiles(sides);
  if (preferred === null && merge.some(({ outcome }) => outcome === 'conflict')) {
    return { reason: 'it was changed by hand, and the source has changed the same lines', merge };
  }
  const installed = await keepMerged(environment, sides, merge, preferred ?? 'mine');
  const same = installed.digest === presence.digest;
  const steps = same ? [] : [{ ...step, put: { copyOf: installed.folder }, keepsOld: true }];
  return { action: same ? 'adopt' : 'merge', steps, merge, installed };
}

/** Puts links or copies into the folders of agents that need their own. */
async function placesFor(
  here: { readonly folder: string; readonly content: Kept },
  entry: LockEntry | undefined,
  { scope, agents, copies }: Manner,
  environment: Environment,
): Promise<{ places: Place[]; steps: Step[] }> {
  const places: Place[] = [];
  const steps: Step[] = [];
  const wanted = copies ? 'copy' : 'link';
  const put = copies ? { copyOf: here.content.folder } : { linkTo: here.folder };
  for (const { agent, path } of ownPlaces(agents, basename(here.folder), scope, environment)) {
    const has = await agentHas(path, here.folder, entry);
    const isRight = has.state === wanted && (!copies || has.digest === here.content.digest);
    const isRefused = has.state === 'foreign' || leadsOut(dirname(path), scope);
    const outcome = isRefused ? 'refused' : isRight ? 'same' : wanted;
    places.push({ agent, path, outcome });
    if (outcome === wanted) steps.push({ at: path, put, replaces: has.digest });
  }
  return { places, steps };
}

/** Plans the removal of a skill: its copy, and whatever leads to it from the folders of agents. */
export async function planRemoval(
  name: string,
  lock: Lock,
  agents: readonly Agent[],
  environment: Environment,
): Promise<Planned> {
  const { scope } = lock;
  const entry = lock.entries.get(name);
  const folder = join(scope.skills, folderNameOf(name));
  const presence = await presenceAt(folder, entry);
  const previous = entry?.repertoire?.digest ?? null;
  const planned = { name, folder, incoming: null, previous, gained: [], places: [], merge: [], steps: [] };
  if (entry === undefined || presence.state === 'foreign') {
    const reason =
      presence.state === 'missing' ? 'it is not installed here' : `${folder} was not installed by Repertoire`;
    return { ...planned, action: 'refuse', reason };
  }
  const places: Place[] = [];
  const steps: Step[] = [];
  for (const { agent, path } of ownPlaces(agents, name, scope, environment)) {
    const { state, digest } = await agentHas(path, folder, entry);
    if (state !== 'link' && state !== 'copy') continue;
    places.push({ agent, path, outcome: state });
    steps.push({ at: path, put: null, replaces: digest });
  }
  if (presence.state !== 'missing') {
    steps.push({ at: folder, put: null, replaces: presence.digest, keepsOld: presence.state === 'changed' });
  }
  return { ...planned, action: 'remove', reason: null, places, steps, entry: null };
}

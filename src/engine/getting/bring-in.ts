import { join, posix } from 'node:path';
import { SkillError } from '../../core/errors.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { fold, oneLine } from '../../core/text/text.ts';
import type { Incoming } from '../../get/install/plan.ts';
import { fieldHashOf, type Kept, moveIn, openSpares, type Spares, takeIn } from '../../get/install/store.ts';
import { isBlocked } from '../../get/scan/store.ts';
import type { ScanReport } from '../../get/scan/types.ts';
import { fetchSource } from '../../get/sources/sources.ts';
import { areApart } from '../../get/sources/tree.ts';
import type { FetchContext, Fetched, FetchedSkill, Origin, Source } from '../../get/sources/types.ts';
import { digestFiles } from '../../run/policy/digest.ts';
import type { Engine, Request } from '../engine.ts';
import { scanMode } from '../scanning/quarantine.ts';
import { atOnce, openScanThreads, type ScanThreads } from '../scanning/threads.ts';

/** A skill that is not had, and why. */
export interface Refused {
  readonly name: string;
  readonly reason: string;
}

export interface BroughtIn {
  readonly incoming: readonly Incoming[];
  readonly refused: readonly Refused[];
  readonly origin: Origin;
  /** Removes what is left of what was fetched, and what was made ahead and not used. */
  readonly dispose: () => Promise<void>;
}

/** An errand: the source to fetch from, and the skills to bring. */
export interface Errand {
  readonly source: Source;
  readonly pinned?: Origin | undefined;
  /** The names of the skills that are wanted, where not all are. */
  readonly only?: readonly string[] | undefined;
  /** The folder that they are put into right away, without asking anybody; then copies are made ahead. */
  readonly target?: string | undefined;
  /** Chooses among the skills of the source; throws where one that is asked for is not there. */
  choose(fetched: Fetched): readonly FetchedSkill[];
}

/** The context of fetching, for whoever asks. */
export function fetchContext(
  { environment, configuration }: Engine,
  errand: Pick<Errand, 'pinned' | 'only'>,
  { signal, onProgress, confirm }: Request,
): FetchContext {
  const { pinned, only } = errand;
  const { offline } = configuration.values;
  return { environment, signal, onProgress, offline, pinned, only, terminal: confirm !== undefined };
}

/** Fetches a source, copies the chosen skills into the store, and looks at each: what the scan finds, what it asks for. */
export async function bringIn(engine: Engine, errand: Errand, request: Request): Promise<BroughtIn> {
  const threads = openScanThreads({ home: engine.environment.home });
  // Both load while the source is fetched, which is begun first.
  setImmediate(() => {
    threads.prepare();
    void loadAsks();
  });
  request.signal?.addEventListener('abort', () => threads.end(), { once: true });
  const ahead = scanAhead(threads);
  try {
    const context = fetchContext(engine, errand, request);
    // Where not all are wanted, which ones are is known at the end.
    const onPlaced = errand.only === undefined ? ahead.begin : undefined;
    const fetched = await fetchSource(errand.source, { ...context, onPlaced });
    let spares: Spares | null = null;
    let removing: Promise<void> | undefined;
    const dispose = async (): Promise<void> => {
      spares?.dispose();
      removing ??= fetched.dispose();
      await removing;
    };
    try {
      const chosen = errand.choose(fetched);
      const known = fetched.refused.map(({ name, reason }) => ({ name, reason }));
      threads.expect(chosen.length);
      spares = errand.target === undefined ? null : openSpares(engine.environment, errand.target);
      const looked = await lookAtAll(engine, { threads, ahead, spares }, fetched, chosen, request);
      request.signal?.throwIfAborted(); // what was not scanned because of it is not refused
      removing = fetched.dispose(); // meanwhile
      return {
        incoming: looked.flatMap((one) => ('kept' in one ? [one] : [])),
        refused: [...known, ...looked.flatMap((one) => ('kept' in one ? [] : [one]))],
        origin: fetched.origin,
        dispose,
      };
    } catch (error) {
      await dispose();
      throw error;
    }
  } finally {
    threads.end();
  }
}

/** A scan that was begun before all was fetched: it counts for the files that it was made of, and for no others. */
interface Begun {
  readonly digest: string;
  readonly report: Promise<ScanReport>;
}

interface ScanAhead {
  readonly begin: (folder: string) => void;
  /** The scan of a folder, once nobody reads there any more. */
  ended(folder: string): Promise<Begun | null>;
}

/** Scans skills while others are still being fetched. */
function scanAhead(threads: ScanThreads): ScanAhead {
  const begun = new Map<string, Promise<Begun | null>>();
  return {
    begin(folder) {
      const scanning = digestFiles(folder).then(
        (known) => ({ digest: known.digest, report: threads.scan({ folder, known }) }),
        () => null, // whoever takes it in is told why
      );
      void scanning.then((one) => one?.report.catch(() => undefined));
      begun.set(folder, scanning);
    },
    async ended(folder) {
      const one = (await begun.get(folder)) ?? null;
      await one?.report.catch(() => undefined);
      return one;
    },
  };
}

interface Helpers {
  readonly threads: ScanThreads;
  readonly ahead: ScanAhead;
  readonly spares: Spares | null;
}

/** Takes one skill after the other into the store, and looks at each while the next ones are taken. */
async function lookAtAll(
  engine: Engine,
  { threads, ahead, spares }: Helpers,
  { folder, skills }: Fetched,
  chosen: readonly FetchedSkill[],
  { onProgress, signal }: Request,
): Promise<(Incoming | Refused)[]> {
  // What was fetched is ours alone; only a skill that is part of another one is needed again.
  const take = areApart(skills.map(({ path }) => path)) ? moveIn : takeIn;
  let [taken, done] = [Promise.resolve<unknown>(undefined), 0];
  return inParallel(chosen, atOnce, async ({ name, path, origin }) => {
    signal?.throwIfAborted();
    const from = join(folder, path);
    const spare = await spares?.make(from);
    const begun = await ahead.ended(from);
    const taking = taken.then(() => take(engine.environment, from));
    taken = taking.catch(() => undefined);
    try {
      const kept = await taking;
      const scanning =
        begun?.digest === kept.digest ? begun.report : threads.scan({ folder: kept.folder, known: kept });
      return await lookedAt(engine, scanning, spare === undefined ? kept : { ...kept, spare }, name, origin);
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      return { name, reason: error.message };
    } finally {
      onProgress?.({ what: 'Looking at the skills', done: ++done, total: chosen.length });
    }
  });
}

/** Loads what reads the tools of a skill, which is much. */
const loadAsks = () => import('./asks.ts');

/** Looks at a skill in the store, of which there is a scan. */
export async function lookedAt(
  engine: Engine,
  scanning: Promise<ScanReport>,
  kept: Kept,
  name: string,
  origin: Origin,
): Promise<Incoming> {
  const { environment, configuration } = engine;
  const { asksOf } = await loadAsks();
  const [scan, asks] = await Promise.all([scanning, asksOf(environment, kept.folder, name)]);
  const isKeptOut = isBlocked(environment, scan) && (await scanMode(configuration.values, environment)) !== 'off';
  return { name, kept, fieldHash: fieldHashOf(kept), origin, scan, isBlocked: isKeptOut, asks };
}

/** Chooses the skills of these names; all of them where none is named. */
export function namedIn(names: readonly string[]): Errand['choose'] {
  return ({ skills, refused, origin }) => {
    if (skills.length === 0 && refused.length === 0) {
      throw new SkillError('not-found', `there are no skills in ${oneLine(origin.source)}`);
    }
    if (names.length === 0) return skills;
    const missing = names.filter((name) => !skills.some((skill) => isNamed(skill, name)));
    const known = refused.filter(({ name }) => missing.some((word) => fold(word) === fold(name)));
    if (known[0] !== undefined) throw new SkillError('denied', `${oneLine(known[0].name)}: ${known[0].reason}`);
    if (missing.length > 0) {
      const message = `${oneLine(origin.source)} has no skill '${oneLine(missing.join("', '"))}'`;
      throw new SkillError('not-found', message, { suggestions: skills.map(({ name }) => name) });
    }
    return skills.filter((skill) => names.some((name) => isNamed(skill, name)));
  };
}

function isNamed({ name, path }: FetchedSkill, word: string): boolean {
  return fold(name) === fold(word) || (path !== '' && posix.basename(path) === word);
}

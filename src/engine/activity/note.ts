import { reasonOf } from '../../core/errors.ts';
import type { ActivityEvent } from '../../run/audit/activity.ts';
import { appendEvents } from '../../run/audit/activity-writer.ts';
import type { Engine, Request } from '../engine.ts';

/** What was done, by whom, and what came of it. When it was is added. */
export interface Noted {
  readonly what: ActivityEvent['what'];
  readonly client: string;
  readonly skill?: string | null;
  readonly detail?: string | null;
  readonly hits?: number | null;
  readonly outcome: string;
  readonly durationMs: number;
}

/** The notes of one engine: what was searched for and loaded. */
export interface ActivityNotes {
  /** Notes something. It is written down later, when the answer is long out. */
  add(noted: Noted, request: Request): void;
}

/** Who goes on writes what has gathered for so long, in one go: a call must not wait for the notes of another. */
const gatherMs = 100;
/** Of a text so much is kept in memory; less is written. */
const keptCharacters = 1000;

type Waiting = Omit<ActivityEvent, 'time'> & { readonly at: number };

/** The writers of engines in which something waits. */
const open = new Set<() => void>();
let isWatchingExit = false;

/** Opens the notes of an engine. Should writing them fail, its log is told once, and nobody else. */
export function openNotes(engine: Engine): ActivityNotes {
  const waiting: Waiting[] = [];
  const noteOfPage = createPageRules();
  let isScheduled = false;
  let hasFailed = false;

  function write(): void {
    isScheduled = false;
    open.delete(write);
    const events = waiting.splice(0).map(({ at, ...rest }) => ({ ...rest, time: new Date(at).toISOString() }));
    if (events.length === 0) return;
    try {
      appendEvents(engine.environment, events);
    } catch (error) {
      if (!hasFailed) engine.log?.warn(`searches and loads cannot be logged (${reasonOf(error)})`);
      hasFailed = true;
    }
  }

  function keep(noted: Noted): void {
    const { what, client, skill = null, detail = null, hits = null, outcome, durationMs } = noted;
    waiting.push({
      at: Date.now(),
      what,
      client: client.slice(0, keptCharacters),
      skill: skill?.slice(0, keptCharacters) ?? null,
      detail: detail?.slice(0, keptCharacters) ?? null,
      hits,
      outcome,
      durationMs,
    });
    if (isScheduled) return;
    isScheduled = true;
    open.add(write);
    if (engine.isLongLived) setTimeout(write, gatherMs).unref();
    else setImmediate(write);
  }

  engine.disposers.add(write);
  writeAtExit();
  return {
    add(noted, { origin }) {
      if (origin === 'console') noteOfPage(noted, keep);
      else keep(noted);
    },
  };
}

/** Who types is asked for after every letter, and means the last. */
const typingMs = 1500;
const againMs = 10 * 60 * 1000;
const mostSeen = 10_000;

/** A page asks after every letter that is typed, and looks again and again at what it shows: only some of it is news. */
function createPageRules(): (noted: Noted, keep: (noted: Noted) => void) => void {
  let typing: NodeJS.Timeout | undefined;
  const seen = new Map<string, number>();
  return (noted, keep) => {
    if (noted.what === 'searched') {
      clearTimeout(typing);
      typing = setTimeout(() => keep(noted), typingMs).unref();
      return;
    }
    const key = `${noted.skill} ${noted.detail ?? ''}`;
    const now = Date.now();
    const before = seen.get(key) ?? Number.NEGATIVE_INFINITY;
    if (seen.size >= mostSeen) seen.clear();
    seen.set(key, now);
    if (now - before > againMs) keep(noted);
  };
}

/** What waits when the process ends is written then. */
function writeAtExit(): void {
  if (isWatchingExit) return;
  isWatchingExit = true;
  process.once('exit', () => {
    for (const write of open) write();
  });
}

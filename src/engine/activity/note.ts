import { reasonOf } from '../../core/errors.ts';
import { type ActivityEvent, appendEvents } from '../../run/audit/activity.ts';
import type { Engine, Request } from '../engine.ts';

/** A note: what was done, by whom, and with what result. The time is added later. */
export interface Noted {
  readonly what: ActivityEvent['what'];
  readonly client: string;
  readonly skill?: string | null;
  readonly detail?: string | null;
  readonly hits?: number | null;
  readonly outcome: string;
  readonly durationMs: number;
}

/** The notes of one engine on searches and loads. */
export interface ActivityNotes {
  /** Adds a note. It is written later, when the answer has long been sent. */
  add(noted: Noted, request: Request): void;
}

/**
 * Milliseconds for which a long-lived process gathers notes before it writes them together: a call must not wait for
 * the notes of another.
 */
const gatherMs = 100;
/** Characters of a text that are kept in memory; fewer are written. */
const keptCharacters = 1000;

type Waiting = Omit<ActivityEvent, 'time'> & { readonly at: number };

/** Writers of engines that have notes waiting. */
const open = new Set<() => void>();
let isWatchingExit = false;

/** Opens the notes of an engine. If writing them fails, this is logged once, and nobody else is notified. */
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

/**
 * Milliseconds without a further search after which typing has ended: the page searches after every letter, and the
 * last search is the one that is meant.
 */
const typingMs = 1500;
const againMs = 10 * 60 * 1000;
const mostSeen = 10_000;

/**
 * Creates the rules for notes of the console, which searches after every letter typed and reloads what it shows: only
 * some of it is news.
 */
function createPageRules(): (noted: Noted, keep: (noted: Noted) => void) => void {
  let typing: NodeJS.Timeout | undefined;
  const seen = new Map<string, number>();
  return (noted, keep) => {
    if (noted.what === 'searched') {
      clearTimeout(typing);
      typing = setTimeout(() => keep(noted), typingMs).unref();
      return;
    }
    if (noted.what !== 'loaded') {
      keep(noted);
      return;
    }
    const key = `${noted.outcome} ${noted.skill} ${noted.detail ?? ''}`;
    const now = Date.now();
    const before = seen.get(key) ?? Number.NEGATIVE_INFINITY;
    if (seen.size >= mostSeen) seen.clear();
    seen.set(key, now);
    if (now - before > againMs) keep(noted);
  };
}

/** Writes the notes that still wait when the process ends. */
function writeAtExit(): void {
  if (isWatchingExit) return;
  isWatchingExit = true;
  process.once('exit', () => {
    for (const write of open) write();
  });
}

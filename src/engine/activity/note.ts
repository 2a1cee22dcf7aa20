import type { ActivityEvent } from '../../audit/activity.ts';
import { appendEvents } from '../../audit/activity-writer.ts';
import { reasonOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Engine } from '../engine.ts';

/** What was done, by whom, and what came of it. When it was is added. */
export interface Noted {
  readonly what: ActivityEvent['what'];
  readonly client: string;
  readonly skill?: string | null;
  readonly detail?: string | null;
  readonly hits?: number;
  /** `ok` if not said. */
  readonly outcome?: string;
  readonly durationMs: number;
}

/** The notes of one engine that wait to be written. */
export interface ActivityNotes {
  readonly waiting: (Omit<ActivityEvent, 'time'> & { readonly at: number })[];
  isScheduled: boolean;
  readonly write: () => void;
}

/** Who goes on writes what has gathered for so long, in one go: a call must not wait for the notes of another. */
const gatherMs = 100;
/** Of a text so much is kept in memory; less is written. */
const keptCharacters = 1000;

/** Those in which something waits. */
const open = new Set<ActivityNotes>();
let isWatchingExit = false;

/**
 * Notes what was searched for or loaded. It is written down later, when the answer is long out; should that fail, the
 * log is told once, and nobody else.
 */
export function noteActivity(engine: Engine, noted: Noted, log?: Logger): void {
  if (!engine.configuration.values.activity) return;
  engine.notes ??= begin(engine, log);
  const { notes } = engine;
  const { what, client, skill = null, detail = null, hits = null, outcome = 'ok', durationMs } = noted;
  notes.waiting.push({
    at: Date.now(),
    what,
    client: client.slice(0, keptCharacters),
    skill: skill?.slice(0, keptCharacters) ?? null,
    detail: detail?.slice(0, keptCharacters) ?? null,
    hits,
    outcome,
    durationMs,
  });
  if (notes.isScheduled) return;
  notes.isScheduled = true;
  open.add(notes);
  if (engine.isLongLived) setTimeout(notes.write, gatherMs).unref();
  else setImmediate(notes.write);
}

function begin(engine: Engine, log: Logger | undefined): ActivityNotes {
  let hasFailed = false;
  const notes: ActivityNotes = {
    waiting: [],
    isScheduled: false,
    write() {
      notes.isScheduled = false;
      open.delete(notes);
      const events = notes.waiting.splice(0).map(({ at, ...rest }) => ({ ...rest, time: new Date(at).toISOString() }));
      if (events.length === 0) return;
      try {
        appendEvents(engine.environment, events);
      } catch (error) {
        if (!hasFailed) log?.warn(`searches and loads cannot be logged (${reasonOf(error)})`);
        hasFailed = true;
      }
    },
  };
  engine.disposers.add(notes.write);
  writeAtExit();
  return notes;
}

/** What waits when the process ends is written then. */
function writeAtExit(): void {
  if (isWatchingExit) return;
  isWatchingExit = true;
  process.once('exit', () => {
    for (const notes of open) notes.write();
  });
}

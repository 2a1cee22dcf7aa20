import { noteActivity } from '../engine/activity/note.ts';
import type { Engine } from '../engine/engine.ts';
import type { OutputOf } from './operations.ts';

/** Tells what people do here, beside what agents do. */
export type NoteUse = (name: string, output: unknown, durationMs: number) => void;

/** Who types is asked for after every letter, and means the last. */
const typingMs = 1500;
const againMs = 10 * 60 * 1000;
const mostSeen = 10_000;

export function createNotes(engine: Engine): NoteUse {
  let typing: NodeJS.Timeout | undefined;
  const seen = new Map<string, number>();
  /** A page that is open looks again and again. */
  const isNews = (what: string): boolean => {
    const now = Date.now();
    const before = seen.get(what) ?? Number.NEGATIVE_INFINITY;
    if (seen.size >= mostSeen) seen.clear();
    seen.set(what, now);
    return now - before > againMs;
  };
  const noted: Readonly<Record<string, (output: never, durationMs: number) => void>> = {
    search({ query, results }: OutputOf<'search'>, durationMs) {
      clearTimeout(typing);
      const note = (): void =>
        noteActivity(engine, { what: 'searched', client: 'console', detail: query, hits: results.length, durationMs });
      typing = setTimeout(note, typingMs).unref();
    },
    inspect({ skill }: OutputOf<'inspect'>, durationMs) {
      if (!isNews(skill.id)) return;
      noteActivity(engine, { what: 'loaded', client: 'console', skill: skill.fullName, durationMs });
    },
    read({ skill, path }: OutputOf<'read'>, durationMs) {
      if (!isNews(`${skill} ${path}`)) return;
      noteActivity(engine, { what: 'loaded', client: 'console', skill, detail: path, durationMs });
    },
  };
  return (name, output, durationMs) => noted[name]?.(output as never, durationMs);
}

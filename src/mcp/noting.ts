import { type Noted, noteActivity } from '../engine/activity/note.ts';
import { SkillError } from '../kernel/errors.ts';
import type { Service } from './service.ts';

/** Writes down what clients search for and load; who they are where they do not say so is `mcp`. */
export type Note = (noted: Omit<Noted, 'client'>, client: string | undefined) => void;

export function createNote({ engine, log }: Service): Note {
  return (noted, client = 'mcp') => noteActivity(engine, { ...noted, client }, log);
}

/** Told which skill it was, and which file of it. */
export type OnFound = (skill: string, path: string) => void;

/** Loads something that is no tool's to load, and notes it, whatever comes of it. */
export async function notedLoad<T>(
  note: (noted: Omit<Noted, 'client'>) => void,
  asked: string,
  load: (onFound: OnFound) => Promise<T>,
): Promise<T> {
  const began = Date.now();
  let found: Pick<Noted, 'skill' | 'detail'> = { skill: asked };
  let outcome = 'ok';
  try {
    return await load((skill, path) => {
      found = { skill, detail: fileOf(path) };
    });
  } catch (error) {
    outcome = outcomeOf(error);
    throw error;
  } finally {
    note({ what: 'loaded', ...found, outcome, durationMs: Date.now() - began });
  }
}

/** SKILL.md goes without saying. */
export function fileOf(path: unknown): string | null {
  return typeof path === 'string' && path !== 'SKILL.md' ? path : null;
}

export function outcomeOf(error: unknown): string {
  return error instanceof SkillError ? error.code : 'failed';
}

import type { Noted } from '../engine/activity/note.ts';
import type { Engine } from '../engine/engine.ts';

/** Writes down what a person did, once its result is printed. What does so is not loaded before. */
export async function note(engine: Engine, noted: Omit<Noted, 'client'>): Promise<void> {
  if (!engine.configuration.values.activity) return;
  const { noteActivity } = await import('../engine/activity/note.ts');
  noteActivity(engine, { ...noted, client: 'cli' });
}

import { reasonOf } from '../../core/errors.ts';

/** Something that was tried: what came of it, or why nothing did. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** Tries one part of a whole whose other parts are told whatever comes of it. */
export async function attempted<T>(action: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await action() };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

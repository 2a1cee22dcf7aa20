import { reasonOf } from '../../core/errors.ts';

/** The outcome of an attempt: its value, or the reason why there is none. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** Attempts one part of a whole whose other parts are reported whatever comes of it. */
export async function attempted<T>(action: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await action() };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

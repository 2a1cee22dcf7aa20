import type { Draft } from './drafts.ts';

/** The parameters of a tool as somebody has left them. */
export interface KeptForm {
  readonly mode: 'form' | 'json';
  readonly draft: Draft;
  readonly text: string;
}

/** Characters of the longest form that is kept. */
const longest = 200_000;
const prefix = 'form ';

/**
 * Keeps what was typed, in this tab alone and until it is closed: on the way to a grant and back, and over a reload.
 * The schema is kept with it, since a draft means nothing for another one.
 */
export function keepForm(place: string, schema: string, form: KeptForm): void {
  const text = JSON.stringify({ schema, form });
  try {
    if (text.length <= longest) sessionStorage.setItem(prefix + place, text);
    else sessionStorage.removeItem(prefix + place);
  } catch {
    // The browser keeps no more: the form is merely empty next time.
  }
}

export function keptForm(place: string, schema: string): KeptForm | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(prefix + place) ?? 'null') as {
      readonly schema: string;
      readonly form: KeptForm;
    } | null;
    return kept?.schema === schema ? kept.form : null;
  } catch {
    return null;
  }
}

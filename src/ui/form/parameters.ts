import { useEffect, useMemo, useState } from 'preact/hooks';
import { attempt } from '../../core/attempt.ts';
import type { Json, JsonSchema } from '../../engine/operations/running/tools.ts';
import { type FormProblem, problemsIn, rootId } from './checks.ts';
import { type Draft, draftFromJson, type GroupField, prefilled, valueIn } from './drafts.ts';
import { formOf, isObject } from './schema.ts';

/** The parameters as a person has entered them, in a form or as JSON. */
export interface Parameters {
  readonly form: GroupField;
  readonly mode: 'form' | 'json';
  readonly draft: Draft;
  readonly text: string;
  /** The reason why the form cannot be shown; null where it can, or is. */
  readonly stuck: string | null;
  readonly problems: readonly FormProblem[];
  /** The parameters as they are sent: JSON. */
  readonly json: string;
  readonly setDraft: (draft: Draft) => void;
  readonly setText: (text: string) => void;
  readonly switchTo: (mode: 'form' | 'json') => void;
  /** Fills in these parameters: the form where it can show them, and as JSON otherwise. */
  readonly fill: (parameters: Json) => void;
}

export const textId = `${rootId}-json`;

/** The parameters of a tool. What is typed is kept under the name of the place. */
export function useParameters(schema: JsonSchema, place: string): Parameters {
  const form = useMemo(() => formOf(schema), [schema]);
  const written = useMemo(() => JSON.stringify(schema), [schema]);
  const kept = useMemo(() => keptForm(place, written), []);
  const [mode, setMode] = useState<'form' | 'json'>(kept?.mode ?? 'form');
  const [draft, setDraft] = useState<Draft>(
    () => kept?.draft ?? prefilled({ ...form, fallback: undefined }, 'required'),
  );
  const [text, setText] = useState(kept?.text ?? '');
  const [stuck, setStuck] = useState<string | null>(null);
  const problems = useMemo(
    () => (mode === 'form' ? problemsIn(form, draft, 'required', rootId) : textProblems(text)),
    [mode, form, draft, text],
  );
  useEffect(() => keepForm(place, written, { mode, draft, text }), [place, written, mode, draft, text]);
  const toForm = (): void => {
    const read = attempt(() => JSON.parse(text) as Json, null);
    const back = read === null ? null : draftFromJson(form, read);
    setStuck(back === null ? cannotShow : null);
    if (back === null) return;
    setDraft(back);
    setMode('form');
  };
  return {
    form,
    mode,
    draft,
    text,
    stuck,
    problems,
    json: mode === 'form' ? JSON.stringify(valueIn(form, draft, 'required')) : text,
    setDraft,
    setText: (now) => {
      setText(now);
      setStuck(null);
    },
    fill(parameters) {
      const filled = draftFromJson(form, parameters);
      setStuck(null);
      setMode(filled === null ? 'json' : 'form');
      if (filled === null) setText(JSON.stringify(parameters, null, 2));
      else setDraft(filled);
    },
    switchTo(wanted) {
      if (wanted === mode) return;
      if (wanted === 'form') return toForm();
      setText(JSON.stringify(valueIn(form, draft, 'required'), null, 2));
      setMode('json');
    },
  };
}

const cannotShow = 'The form cannot show this: it is not JSON, or has something that the form cannot show.';

function textProblems(text: string): readonly FormProblem[] {
  const found = (message: string) => [{ id: textId, message, isMissing: false }];
  try {
    return isObject(JSON.parse(text)) ? [] : found('The parameters must be a JSON object: { … }');
  } catch (error) {
    return found(`This is not JSON: ${(error as Error).message}`);
  }
}

/** The parameters of a tool as somebody has left them. */
interface KeptForm {
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
function keepForm(place: string, schema: string, form: KeptForm): void {
  const text = JSON.stringify({ schema, form });
  try {
    if (text.length <= longest) sessionStorage.setItem(prefix + place, text);
    else sessionStorage.removeItem(prefix + place);
  } catch {
    // The browser keeps no more: the form is merely empty next time.
  }
}

function keptForm(place: string, schema: string): KeptForm | null {
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

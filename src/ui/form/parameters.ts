import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Json, JsonSchema } from '../../engine/operations/running/tools.ts';
import { type FormProblem, problemsIn, rootId } from './checks.ts';
import { type Draft, draftFromJson, type GroupField, prefilled, valueIn } from './drafts.ts';
import { keepForm, keptForm } from './kept.ts';
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
    const read = readJson(text);
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

function readJson(text: string): Json | null {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function textProblems(text: string): readonly FormProblem[] {
  const found = (message: string) => [{ id: textId, message, isMissing: false }];
  try {
    return isObject(JSON.parse(text)) ? [] : found('The parameters must be a JSON object: { … }');
  } catch (error) {
    return found(`This is not JSON: ${(error as Error).message}`);
  }
}

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../../core/text/text.ts';
import type { DraftOutput } from '../../engine/operations/skills/draft.ts';
import { ApiError, act, ask } from '../api.ts';
import { TextBox } from '../code/text-box.tsx';
import { type Named, newKey } from '../markdown/address.ts';
import { Diff } from '../parts/diff.tsx';
import { bdi, Problem, Ready } from '../parts/elements.tsx';
import { useLoaded } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { foreign } from '../parts/words.ts';
import { route } from '../route.ts';
import { may, withheld } from '../session.ts';
import { FileCrumbs } from './files.tsx';
import { InstalledBox } from './findings.tsx';

interface EditProps extends Named {
  readonly path: string;
}

/** The editor of a file: `#/skill/NAME/edit/PATH`. */
export function EditPage({ skill, of, path }: EditProps) {
  const named = { skill, of };
  const isNew = route.value.query.has(newKey);
  const opened = useLoaded(
    (signal) =>
      isNew ? act('check', { ...chosen(named), path, content: '' }) : ask('draft', { ...chosen(named), path }, signal),
    [skill, of, path, isNew],
  );
  return (
    <>
      <FileCrumbs named={named} />
      <h1>
        {isNew ? 'New file' : 'Edit'} {bdi(foreign(path), 'mono')}
      </h1>
      {!may('edit') ? (
        <p class="notice">{withheld()}: whoever runs the server can edit skills.</p>
      ) : (
        <Ready loaded={opened}>
          {(file) =>
            file.obstacle === null ? (
              <Editor key={path} named={named} file={file} reload={opened.again} />
            ) : (
              <p class="notice warn">
                This skill is not edited here: {bdi(foreign(file.obstacle))}. Copy it to a folder of your own, and
                change the copy.
              </p>
            )
          }
        </Ready>
      )}
    </>
  );
}

function chosen({ skill, of }: Named): { readonly name: string; readonly file?: string } {
  return { name: skill, ...(of !== '' && { file: of }) };
}

/** Milliseconds after the last key until a draft is kept and checked. */
const pauseMs = 300;

interface EditorProps {
  readonly named: Named;
  readonly file: DraftOutput;
  readonly reload: () => void;
}

/** A browser's text box knows one kind of line end. */
const plain = (text: string | null): string => (text ?? '').replaceAll('\r\n', '\n');

/** The state of a file that is being edited: its text, what it was made from, and what is known of both. */
function useEditing({ named, file, reload }: EditorProps) {
  const { path } = file;
  const keptAs = named.of || named.skill;
  const [kept] = useState(() => keptDraft(keptAs, path));
  const [lineEnd] = useState(() => ((file.content ?? '').includes('\r\n') ? '\r\n' : '\n'));
  const [base, setBase] = useState({ text: plain(file.content), digest: kept?.digest ?? file.digest });
  const [text, setText] = useState(kept?.text ?? base.text);
  const [isRestored, setIsRestored] = useState(text !== base.text);
  const [checked, setChecked] = useState(file);
  const [error, setError] = useState<Error | null>(null);
  const [status, setStatus] = useState('');
  const isChanged = text !== base.text;
  const latest = useRef(text);
  latest.current = text;

  const check = (content: string): void => {
    act('check', { ...chosen(named), path, content: content.replaceAll('\n', lineEnd) }).then((answer) => {
      if (latest.current === content) setChecked(answer);
    }, setError);
  };
  useEffect(() => {
    const timer = setTimeout(() => {
      const isKept = keepDraft(keptAs, path, isChanged ? { text, digest: base.digest } : null);
      if (!isKept) setStatus('This draft is too long to be kept in the browser: save it before you leave.');
      check(text);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, base]);

  const saved = (digest: string): void => {
    keepDraft(keptAs, path, null);
    setBase({ text, digest });
    setChecked((before) => ({ ...before, digest }));
    setIsRestored(false);
    setStatus('Saved.');
  };
  const save = (isKnown: boolean): void => {
    setError(null);
    const content = text.replaceAll('\n', lineEnd);
    const input = { ...chosen(named), path, content, installed: isKnown };
    act('edit', base.digest === null ? input : { ...input, digest: base.digest }).then(
      ({ digest }) => saved(digest),
      (failed: Error) => {
        if (failed instanceof ApiError && failed.code === 'conflict') check(text);
        else setError(failed);
      },
    );
  };
  /** Goes on from the file as it is on disk now; with its text, or with what was typed. */
  const rebase = (takesText: boolean): void => {
    setBase({ text: plain(checked.content), digest: checked.digest });
    if (!takesText) return;
    keepDraft(keptAs, path, null);
    setText(plain(checked.content));
    setIsRestored(false);
    setStatus('The draft was discarded.');
    reload();
  };
  const isConflict = checked.digest !== base.digest;
  return { text, setText, base, checked, isChanged, isConflict, isRestored, error, status, save, rebase };
}

type Editing = ReturnType<typeof useEditing>;

function Editor(props: EditorProps) {
  const { path, installed } = props.file;
  const editing = useEditing(props);
  const { text, setText, base, checked, isChanged, isConflict, isRestored, error, rebase } = editing;
  const [isKnown, setIsKnown] = useState(false);
  const [showsChanges, setShowsChanges] = useState(false);
  const maySave = isChanged && !isConflict && (installed === null || isKnown);
  const save = (): void => {
    if (maySave) editing.save(isKnown);
  };
  return (
    <>
      {isRestored && (
        <p class="notice row">
          This is a draft that you did not save.
          <button type="button" onClick={() => rebase(true)}>
            Discard it
          </button>
        </p>
      )}
      {isConflict && <Conflict theirs={plain(checked.content)} mine={text} decide={rebase} />}
      {installed !== null && <InstalledBox source={installed} isKnown={isKnown} change={setIsKnown} />}
      <Bar editing={editing} save={maySave ? save : null}>
        <button
          type="button"
          aria-pressed={showsChanges}
          disabled={!isChanged}
          onClick={() => setShowsChanges(!showsChanges)}
        >
          Changes
        </button>
      </Bar>
      {error && <Problem error={error} />}
      {showsChanges && isChanged && <Diff label="Your changes" before={base.text} after={text} />}
      <TextBox
        label={`The text of ${foreign(path)}`}
        name={path}
        text={text}
        change={setText}
        save={save}
        line={Number(route.value.query.get('line') ?? 0)}
        findings={checked.findings}
      />
    </>
  );
}

interface BarProps {
  readonly editing: Editing;
  /** Null while there is nothing to be saved, or something stands in the way. */
  readonly save: (() => void) | null;
  readonly children: ComponentChildren;
}

/** Buttons for the text, and what was done last. */
function Bar({ editing, save, children }: BarProps) {
  const { checked, setText, isChanged, status } = editing;
  const { fix } = checked;
  return (
    <div class="editor-bar">
      <button type="button" class="main" disabled={save === null} onClick={() => save?.()}>
        Save
      </button>
      {children}
      {fix !== null && (
        <button type="button" onClick={() => setText(plain(fix.content))}>
          <Icon name="spark" /> Fix {counted(fix.changes.length, 'fault')}
        </button>
      )}
      <span class="quiet" role="status">
        {isChanged ? 'Not saved yet; this browser keeps the draft.' : status}
      </span>
      <span class="quiet editor-hint">
        <kbd>Ctrl</kbd> <kbd>S</kbd> saves
      </span>
    </div>
  );
}

interface ConflictProps {
  readonly theirs: string;
  readonly mine: string;
  readonly decide: (takesTheirs: boolean) => void;
}

/** Somebody else has changed the file: what would become of their change, and the choice. */
function Conflict({ theirs, mine, decide }: ConflictProps) {
  return (
    <section class="notice warn" role="alert" aria-label="Conflict">
      <p class="notice-title">
        <Icon name="warn" />
        <span>This file was changed on disk after you opened it. Saving your text would make these changes to it:</span>
      </p>
      <Diff label="From the file on disk to your text" before={theirs} after={mine} sides={['on disk', 'your text']} />
      <p class="row">
        <button type="button" onClick={() => decide(false)}>
          Go on with my text
        </button>
        <button type="button" onClick={() => decide(true)}>
          Take what is on disk
        </button>
      </p>
    </section>
  );
}

/** A draft that was not saved, with the digest of the file that it was made from. */
interface KeptDraft {
  readonly text: string;
  readonly digest: string | null;
}

/** Characters of the longest draft that is kept: browsers keep few millions for a whole site. */
const longest = 500_000;

function keyOf(file: string, path: string): string {
  return `draft ${file} ${path}`;
}

/** The draft that this browser has kept for a file; null where there is none. */
function keptDraft(file: string, path: string): KeptDraft | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(file, path)) ?? 'null');
    if (typeof value !== 'object' || value === null || !('text' in value) || !('digest' in value)) return null;
    const { text, digest } = value;
    return typeof text === 'string' && (digest === null || typeof digest === 'string') ? { text, digest } : null;
  } catch {
    return null;
  }
}

/** Keeps a draft, or forgets it; false where the browser cannot keep it. */
function keepDraft(file: string, path: string, draft: KeptDraft | null): boolean {
  try {
    if (draft === null) localStorage.removeItem(keyOf(file, path));
    else if (draft.text.length > longest) return false;
    else localStorage.setItem(keyOf(file, path), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

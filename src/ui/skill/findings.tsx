import { useState } from 'preact/hooks';
import { counted } from '../../core/text/text.ts';
import type { DraftOutput } from '../../engine/operations/skills/draft.ts';
import type { InspectOutput } from '../../engine/operations/skills/inspect.ts';
import { ApiError, act } from '../api.ts';
import { editHref, lineHref, type Named } from '../markdown/address.ts';
import { Diff } from '../parts/diff.tsx';
import { bdi, Problem } from '../parts/elements.tsx';
import { FindingList } from '../parts/finding-list.tsx';
import { foreign, place } from '../parts/words.ts';
import { may, withheld } from '../session.ts';

type Diagnostic = DraftOutput['findings'][number];

/** The path of a file from the skill's folder; null where it lies elsewhere. */
export function pathIn(folders: readonly string[], file: string): string | null {
  for (const folder of folders) {
    if (file.startsWith(folder) && /^[/\\]./.test(file.slice(folder.length))) {
      return file.slice(folder.length + 1).replaceAll('\\', '/');
    }
  }
  return null;
}

interface DiagnosticsProps {
  readonly diagnostics: readonly Diagnostic[];
  readonly skill: InspectOutput['skill'];
  readonly named: Named;
  /** Whether a file that has faults can be edited here. */
  readonly isEditable: boolean;
}

/** Diagnostics that are shown at first. */
const few = 3;
const order = { error: 0, warning: 1, info: 2 } as const;

/** Diagnostics with their remedies, the worst first; each leads to its file and line. */
export function Diagnostics({ diagnostics, skill, named, isEditable }: DiagnosticsProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (diagnostics.length === 0) return null;
  const sorted = diagnostics.toSorted((a, b) => order[a.severity] - order[b.severity]);
  const rest = sorted.length - few;
  return (
    <section class="diagnostics" aria-label="Diagnostics">
      <FindingList
        findings={isOpen ? sorted : sorted.slice(0, few)}
        where={({ file, line }) => {
          const path = pathIn([skill.dir, skill.id], file);
          const where = `${place(path ?? file)}${line === null ? '' : `, line ${line}`}`;
          return path === null ? (
            <span class="quiet">
              (<bdi>{where}</bdi>)
            </span>
          ) : (
            <a href={isEditable ? editHref(named, path, line) : lineHref(named, path, line)}>{bdi(where)}</a>
          );
        }}
      />
      {rest > 0 && (
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Show fewer' : `Show ${rest} more`}
        </button>
      )}
    </section>
  );
}

interface FixProps {
  readonly named: Named;
  readonly draft: DraftOutput;
  readonly applied: () => void;
}

/** Fixes that do not change what the skill says: as a diff, to be applied. */
export function Fix({ named, draft, applied }: FixProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [isKnown, setIsKnown] = useState(false);
  const { fix, content, digest, obstacle, installed } = draft;
  if (fix === null || content === null || digest === null) return null;
  const mayApply = may('edit') && obstacle === null;
  const apply = (): void => {
    setError(null);
    const input = { name: named.skill, path: draft.path, content: fix.content, digest, installed: isKnown };
    act('edit', { ...input, ...(named.of !== '' && { file: named.of }) }).then(applied, (failed: Error) => {
      setError(failed);
      if (failed instanceof ApiError && failed.code === 'conflict') applied();
    });
  };
  return (
    <section class="card fix" aria-label="Fixes">
      <div class="row">
        <p>
          <strong>{counted(fix.changes.length, 'fault')}</strong> can be fixed without changing what the skill says.
        </p>
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Hide the changes' : 'Show the changes'}
        </button>
      </div>
      {isOpen && (
        <>
          <ul class="quiet">
            {fix.changes.map((change) => (
              <li key={change}>{bdi(foreign(change))}</li>
            ))}
          </ul>
          <Diff label="What is fixed" before={content} after={fix.content} />
          {mayApply && installed !== null && <InstalledBox source={installed} isKnown={isKnown} change={setIsKnown} />}
          {mayApply ? (
            <button type="button" class="main" disabled={installed !== null && !isKnown} onClick={apply}>
              Apply
            </button>
          ) : (
            <p class="quiet">
              {obstacle === null ? `${withheld()}.` : `It is not changed here: ${foreign(obstacle)}.`}
            </p>
          )}
        </>
      )}
      {error && <Problem error={error} />}
    </section>
  );
}

interface InstalledProps {
  readonly source: string;
  readonly isKnown: boolean;
  readonly change: (isKnown: boolean) => void;
}

/** The word that a change to an installed skill needs. */
export function InstalledBox({ source, isKnown, change }: InstalledProps) {
  return (
    <label class="row">
      <input type="checkbox" checked={isKnown} onChange={(event) => change(event.currentTarget.checked)} />
      <span>
        This skill was installed from {bdi(place(source), 'mono')}. Change it all the same; the next update merges the
        change.
      </span>
    </label>
  );
}

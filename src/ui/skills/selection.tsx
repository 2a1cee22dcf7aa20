import { useState } from 'preact/hooks';
import { counted } from '../../core/text/text.ts';
import type { BrowseOutput } from '../../engine/operations/skills/browse.ts';
import { act } from '../api.ts';
import { bdi, Problem } from '../parts/elements.tsx';
import { useAction } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { foreign, foreignCut, place } from '../parts/words.ts';
import { may } from '../session.ts';

/** Folders of the skills that are selected: names may mean several. */
export interface Selection {
  readonly has: (folder: string) => boolean;
  readonly toggle: (folder: string) => void;
  readonly folders: readonly string[];
  readonly clear: () => void;
}

export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  return {
    has: (folder) => chosen.has(folder),
    toggle: (folder) => {
      const next = new Set(chosen);
      if (!next.delete(folder)) next.add(folder);
      setChosen(next);
    },
    folders: [...chosen],
    clear: () => setChosen(new Set()),
  };
}

/** The folder of a skill, by its SKILL.md. */
export function folderOf(file: string): string {
  return file.replace(/[\\/][^\\/]*$/, '');
}

interface SelectProps {
  readonly selection: Selection;
  readonly file: string;
  readonly name: string;
}

/** The box that selects a skill. */
export function Select({ selection, file, name }: SelectProps) {
  if (!may('disable')) return null;
  const folder = folderOf(file);
  return (
    <input
      type="checkbox"
      class="skills-select"
      aria-label={`Select ${foreignCut(name, 200)}`}
      checked={selection.has(folder)}
      onChange={() => selection.toggle(folder)}
    />
  );
}

interface Done {
  readonly folders: readonly string[];
  /** Agents that load some of them by themselves all the same. */
  readonly loadedBy: readonly string[];
}

/** Actions on the selected skills, and the way to undo them. */
export function SelectionBar({ selection, again }: { readonly selection: Selection; readonly again: () => void }) {
  const { isBusy, error, run } = useAction();
  const [done, setDone] = useState<Done | null>(null);
  const { folders } = selection;
  const disable = () =>
    run(async () => {
      const { loadedBy } = await act('disable', { skills: [...folders] });
      setDone({ folders, loadedBy });
      selection.clear();
      again();
    });
  const undo = (some: readonly string[]) =>
    run(async () => {
      await act('enable', { skills: [...some] });
      setDone(null);
      again();
    });
  return (
    <>
      {folders.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a part of a form.
        <div class="skills-bar" role="group" aria-label="Selected skills">
          <strong>{folders.length} selected</strong>
          <button type="button" disabled={isBusy} onClick={() => void disable()}>
            <Icon name="off" />
            Disable
          </button>
          <button type="button" onClick={selection.clear}>
            Clear
          </button>
        </div>
      )}
      {error && <Problem error={error} />}
      <div role="status">
        {done !== null && (
          <div class="notice good">
            <p>
              {counted(done.folders.length, 'skill')} disabled: nobody loads or runs{' '}
              {done.folders.length === 1 ? 'it' : 'them'} through Repertoire.
              {done.loadedBy.length > 0 &&
                ` ${foreign(done.loadedBy.join(', '))} may still read them from their folders.`}
            </p>
            <button type="button" disabled={isBusy} onClick={() => void undo(done.folders)}>
              Undo
            </button>
          </div>
        )}
      </div>
    </>
  );
}

interface DisabledProps {
  readonly disabled: BrowseOutput['disabled'];
  readonly again: () => void;
}

/** The skills that were disabled, to be enabled again. */
export function DisabledSkills({ disabled, again }: DisabledProps) {
  const { isBusy, error, run } = useAction();
  const enable = (entry: string) =>
    run(async () => {
      await act('enable', { skills: [entry] });
      again();
    });
  return (
    <details class="skills-weak">
      <summary>{counted(disabled.length, 'disabled skill')}</summary>
      {error && <Problem error={error} />}
      <ul class="rows" aria-label="Disabled skills">
        {disabled.map(({ name, entry }) => (
          <li key={`${name} ${entry}`}>
            <span>
              {bdi(foreignCut(name, 200))} <span class="quiet mono">{bdi(place(entry, 200))}</span>
            </span>
            {may('enable') && (
              <button type="button" disabled={isBusy} onClick={() => void enable(entry)}>
                Enable <span class="hidden">{foreignCut(name, 200)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

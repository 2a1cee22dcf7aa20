import { useState } from 'preact/hooks';
import { type Named, newFileHref } from '../markdown/address.ts';
import { Icon } from '../parts/icon.tsx';

/** Asks for the path of a new file, and opens it in the editor. Nothing is made before it is saved there. */
export function NewFile({ named }: { readonly named: Named }) {
  const [path, setPath] = useState<string | null>(null);
  if (path === null) {
    return (
      <button type="button" class="tree-new" onClick={() => setPath('')}>
        <Icon name="plus" />
        New file
      </button>
    );
  }
  const open = (event: Event): void => {
    event.preventDefault();
    location.hash = newFileHref(named, path.trim());
  };
  return (
    <form class="tree-new" onSubmit={open} onKeyDown={(event) => event.key === 'Escape' && setPath(null)}>
      <label>
        Path, in a folder that is there
        <input
          ref={(box) => box?.focus()}
          class="mono"
          value={path}
          required
          placeholder="scripts/check.py"
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => setPath(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Open in the editor</button>
    </form>
  );
}

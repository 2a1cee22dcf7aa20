import type { ComponentChildren } from 'preact';
import { ApiError } from '../api.ts';
import type { Loaded } from './loaded.ts';

/** What went wrong, and what to do next. */
export function Problem({ error, again }: { readonly error: Error; readonly again?: () => void }) {
  const hint = error instanceof ApiError ? error.hint : null;
  return (
    <div class="notice bad" role="alert">
      <p>{error.message}</p>
      {hint && <p class="hint">{hint}</p>}
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Shows what was loaded; until then, or where that failed, says so. */
export function Ready<T>({
  loaded,
  children,
}: {
  readonly loaded: Loaded<T>;
  readonly children: (value: T) => ComponentChildren;
}) {
  const { value, error, isLoading, again } = loaded;
  return (
    <>
      {error && <Problem error={error} again={again} />}
      {value === null ? isLoading && <p class="quiet">Loading …</p> : children(value)}
    </>
  );
}

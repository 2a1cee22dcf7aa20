import type { Diagnostic } from '../../kernel/diagnostics.ts';
import { foreign } from '../parts/foreign.ts';

/** Files that look like skills, and could not be used: where, why, and what to do. */
export function SkippedFiles({ skipped }: { readonly skipped: readonly Diagnostic[] }) {
  return (
    <section aria-labelledby="skills-skipped">
      <h2 id="skills-skipped">Skipped files ({skipped.length})</h2>
      {skipped.length === 0 ? (
        <p class="quiet">No file was skipped: every SKILL.md that was found can be used.</p>
      ) : (
        <ul class="skills-list">
          {skipped.map((one) => (
            <li key={`${one.file}:${one.line}:${one.code}:${one.message}`} class="card skills-row">
              <p class="mono">
                <bdi>{foreign(one.file)}</bdi>
                {one.line !== null && <span class="quiet">, line {one.line}</span>}
              </p>
              <p>
                <bdi>{foreign(one.message)}</bdi>
              </p>
              <p class="quiet">
                <bdi>{foreign(one.remedy)}</bdi>
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

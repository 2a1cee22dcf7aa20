import type { HealthOutput } from '../../engine/operations/health.ts';
import { sizeInWords } from '../../kernel/quantities.ts';
import { Facts } from '../parts/facts.tsx';
import { foreign } from '../parts/foreign.ts';
import { indexInWords } from './words.ts';

/** What the search has to search in. */
export function IndexState({ index }: { readonly index: HealthOutput['index'] }) {
  const { ready, total, embedder, path, bytes } = index;
  const { tone, text, more } = indexInWords(index);
  return (
    <section class="card health-card" aria-labelledby="health-index">
      <h2 id="health-index">Index</h2>
      <meter
        class="health-meter"
        aria-label="Skills in the index"
        aria-valuetext={more}
        max={Math.max(1, total)}
        value={ready}
      />
      <Facts
        label="Index"
        facts={[
          {
            name: 'State',
            value: (
              <>
                <span class={`badge ${tone}`}>{text}</span> {more}
              </>
            ),
          },
          { name: 'Embedder', value: <bdi>{foreign(embedder)}</bdi> },
          {
            name: 'File',
            value: path === null ? 'not on disk yet' : <bdi class="mono">{foreign(path)}</bdi>,
          },
          ...(bytes === null ? [] : [{ name: 'Size', value: sizeInWords(bytes) }]),
        ]}
      />
    </section>
  );
}

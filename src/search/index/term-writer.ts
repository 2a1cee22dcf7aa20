import { createSink } from './bytes.ts';
import type { Parts } from './layout.ts';
import { markOf } from './marks.ts';

/** Writes terms in order, each with the documents that hold it. */
export interface TermWriter {
  begin(term: string): void;
  /** Documents come in ascending order. */
  posting(document: number, impact: number): void;
  end(): Pick<Parts, 'terms' | 'termStarts' | 'marks' | 'postings' | 'postingStarts'>;
}

export function createTermWriter(): TermWriter {
  const terms = createSink();
  const postings = createSink();
  const termStarts: number[] = [];
  const postingStarts: number[] = [];
  const marks: number[] = [];
  let before = 0;
  return {
    begin(term) {
      termStarts.push(terms.length);
      postingStarts.push(postings.length);
      marks.push(markOf(term));
      terms.text(term);
      before = 0;
    },
    posting(document, impact) {
      postings.varint(document - before);
      postings.byte(impact);
      before = document;
    },
    end: () => ({
      terms: terms.bytes(),
      postings: postings.bytes(),
      termStarts: words([...termStarts, terms.length]),
      postingStarts: words([...postingStarts, postings.length]),
      marks: words(marks),
    }),
  };
}

function words(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(numbers).buffer);
}

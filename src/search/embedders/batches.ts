import type { SkillError } from '../../core/errors.ts';
import { inHalves } from './shorten.ts';

/** The outcome of asking for the embeddings of some texts. */
export type Asked =
  | { readonly kind: 'embedded'; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'failed'; readonly error: SkillError; readonly mayTakeLess: boolean };

export type Ask = (texts: readonly string[]) => Promise<Asked>;

const most = 64;
const least = 8;
const lanes = 2;

/** Embeds texts in batches as large as the service takes, with two requests under way. */
export function createBatches(ask: Ask): (texts: readonly string[]) => Promise<Float32Array[]> {
  // Batch sizes are learnt from what the service refuses: services differ in how many texts they take, and do not say
  // so.
  let size = most;
  const learn = (taken: number): void => {
    size = Math.max(least, Math.min(size, taken));
  };
  return async (texts) => {
    const vectors: Float32Array[] = new Array(texts.length);
    let next = 0;
    async function lane(): Promise<void> {
      while (next < texts.length) {
        const from = next;
        const batch = texts.slice(from, from + size);
        next += batch.length;
        const found = await embedAll(batch, ask, learn);
        for (const [at, vector] of found.entries()) vectors[from + at] = vector;
      }
    }
    const giveUp = (error: unknown): never => {
      next = texts.length; // the other lane ends with what it has under way
      throw error;
    };
    const ends = await Promise.allSettled(Array.from({ length: lanes }, () => lane().catch(giveUp)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return vectors;
  };
}

/** Embeds all texts, asking for half of them at a time where they are too much at once. */
export async function embedAll(
  texts: readonly string[],
  ask: Ask,
  learn: (taken: number) => void = () => {},
): Promise<readonly Float32Array[]> {
  const whole = await ask(texts);
  if (whole.kind === 'embedded') return whole.vectors;
  const parts = whole.mayTakeLess ? inHalves(texts) : null;
  if (parts === null) throw whole.error;
  let refused = 0;
  const counting: Ask = async (part) => {
    const asked = await ask(part);
    if (asked.kind === 'failed') refused++;
    return asked;
  };
  const found: Float32Array[] = [];
  for (const part of parts) found.push(...(await embedAll(part, counting, learn)));
  // Nothing is learnt where a half was refused too: it may have been one long text, and not their number.
  if (refused === 0 && parts.length > 1) learn(parts[0]?.length ?? least);
  return found;
}

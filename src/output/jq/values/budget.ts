/** What a filter may cost, in steps, in things it makes and in characters it writes. */
export interface Budget {
  /** Takes so many steps from what is left. */
  readonly spend: (steps: number) => void;
  /** The same for text that is made: cheap to copy, but not free to keep. */
  readonly spendText: (length: number) => void;
}

/** A filter that goes on and on, or makes more and more. Not to be caught by the filter itself. */
export class Exhausted extends Error {
  override readonly name = 'Exhausted';
}

const charactersPerStep = 4;

export function createBudget(steps: number): Budget {
  let left = steps;
  const spend = (cost: number): void => {
    left -= cost;
    if (left < 0) throw new Exhausted('takes too many steps or produces too much');
  };
  return { spend, spendText: (length) => spend(length / charactersPerStep) };
}

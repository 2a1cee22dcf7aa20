import { SkillError } from '../../kernel/errors.ts';
import { Interrupted, interruptible } from '../../kernel/interruptible.ts';
import { evaluate } from './evaluate/evaluate.ts';
import { builtins } from './functions/prelude.ts';
import { parseFilter } from './parse/parse.ts';
import type { Filter } from './parse/syntax.ts';
import { createBudget, Exhausted } from './values/budget.ts';
import { JqFailure } from './values/failure.ts';
import type { Value } from './values/value.ts';

/** So much for any filter, and so much more for each character that it is used on. */
const steps = 2_000_000;
const stepsPerCharacter = 10;
const longestMs = 2000;

/** A filter that can be used, or an error that says what is wrong with it. */
export function compileFilter(source: string): Filter {
  return parseFilter(source, builtins);
}

/** All results for all values. Filters that do not end are ended: by steps, and by time, for one step may be a regular expression. */
export function applyFilter(filter: Filter, values: readonly Value[], size: number): Value[] {
  const budget = createBudget(steps + stepsPerCharacter * size);
  try {
    return interruptible(longestMs, () => values.flatMap((value) => [...evaluate(filter, value, budget)]));
  } catch (error) {
    throw explained(error);
  }
}

function explained(error: unknown): unknown {
  if (error instanceof JqFailure) {
    return new SkillError('usage', `The jq filter failed: ${error.message}`, {
      hint: 'Use ? or // for what may be missing, and look at the output without jq if you do not know its structure',
      cause: error,
    });
  }
  if (error instanceof Exhausted) return tooMuch(error.message, error);
  if (error instanceof Interrupted) return tooMuch(`did not finish within ${longestMs} ms`, error);
  // The stack of calls is full.
  if (error instanceof RangeError) return tooMuch('recurses too deeply', error);
  return error;
}

function tooMuch(what: string, cause: unknown): SkillError {
  return new SkillError('usage', `The jq filter ${what}`, {
    hint: 'Narrow the filter down, for example with limit(100; …) or by selecting only the part you need',
    cause,
  });
}

import type { Filter } from '../parse/syntax.ts';
import { operations } from '../values/arithmetic.ts';
import { type At, made, unlocated } from '../values/at.ts';
import type { Budget } from '../values/budget.ts';
import { createEditor } from '../values/edit.ts';
import { isList, isMap, type Value } from '../values/value.ts';
import { combined, pathsOf } from './assigning.ts';
import { type Doers, type Of, run, valuesFrom } from './doer.ts';
import { ignoresInput } from './input.ts';
import { namedIn } from './naming.ts';
import type { Scope } from './scope.ts';

/** Filters that go through many things, and remember what came before. */
export const folding: Doers<'reduce' | 'foreach'> = {
  reduce: function* (filter, at, scope) {
    for (const first of run(filter.start, at, scope)) {
      yield gathered(filter, first, at, scope) ?? folded(filter, first, at, scope);
    }
  },

  foreach: function* ({ source, pattern, start, update, extract }, at, scope) {
    for (const first of run(start, at, scope)) {
      let state: At = first;
      for (const inner of namedIn(source, pattern, at, scope)) {
        for (const next of run(update, state, inner)) {
          state = next;
          yield* extract === null ? [next] : run(extract, next, inner);
        }
      }
    }
  },
};

function folded({ source, pattern, update }: Of<'reduce'>, first: At, at: At, scope: Scope): At {
  let state = first;
  for (const inner of namedIn(source, pattern, at, scope)) state = lastOf(update, state, inner);
  return state;
}

/** Nothing at all becomes null. */
function lastOf(filter: Filter, at: At, scope: Scope): At {
  let last: At = made(null, at);
  for (const result of run(filter, at, scope)) last = result;
  return last;
}

/**
 * `.[$key] = $value` and `. + [$value]`, again and again, would copy all that is there each time. Where what is added
 * has nothing to do with what is there, nobody can tell that it was not copied. Null where this is not so.
 */
function gathered(filter: Of<'reduce'>, first: At, at: At, scope: Scope): At | null {
  const { update } = filter;
  if (first.trail !== null) return null;
  if (update.kind === 'assign' && update.operator !== '|=' && ignoresInput(update.right)) {
    return unlocated(assigned(filter, update, first.value, at, scope));
  }
  const isSum = update.kind === 'binary' && update.operator === '+' && update.left.kind === 'identity';
  return isSum && ignoresInput(update.right) ? unlocated(summed(filter, update.right, first.value, at, scope)) : null;
}

function assigned(filter: Of<'reduce'>, update: Of<'assign'>, first: Value, at: At, scope: Scope): Value {
  const { budget } = scope.machine;
  let editor = createEditor(first, budget);
  for (const inner of namedIn(filter.source, filter.pattern, at, scope)) {
    const added = lastValue(update.right, inner);
    // All paths are found before anything changes under the feet of those who look for them.
    const paths = [...pathsOf(update.left, unlocated(editor.root()), inner)];
    if (added === undefined) editor = createEditor(null, budget);
    else for (const path of paths) editor.set(path, combined(update.operator, editor, path, added, budget));
  }
  return editor.root();
}

function summed(filter: Of<'reduce'>, right: Filter, first: Value, at: At, scope: Scope): Value {
  const { budget } = scope.machine;
  let sum = first;
  let own: Value = null;
  for (const inner of namedIn(filter.source, filter.pattern, at, scope)) {
    const added = lastValue(right, inner);
    if (added === undefined) {
      sum = null;
    } else if (own === null || own !== sum || !extended(own, added, budget)) {
      const before: Value = sum;
      sum = operations['+'](before, added, budget);
      own = sum === before || sum === added ? null : sum;
    }
  }
  return sum;
}

/** Adds to a list or an object itself; tells whether it could. */
function extended(own: Value, added: Value, budget: Budget): boolean {
  if (isList(own) && isList(added)) {
    budget.spend(added.length);
    for (const item of added) (own as Value[]).push(item);
    return true;
  }
  if (!isMap(own) || !isMap(added)) return false;
  budget.spend(added.size);
  for (const [key, value] of added) (own as Map<string, Value>).set(key, value);
  return true;
}

function lastValue(filter: Filter, scope: Scope): Value | undefined {
  let last: Value | undefined;
  for (const value of valuesFrom(filter, unlocated(null), scope)) last = value;
  return last;
}

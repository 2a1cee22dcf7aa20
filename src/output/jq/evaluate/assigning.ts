import type { AssignOperator, BinaryOperator, Filter } from '../parse/syntax.ts';
import { operations } from '../values/arithmetic.ts';
import { type At, made, pathTo, unlocated } from '../values/at.ts';
import type { Budget } from '../values/budget.ts';
import { deletePaths } from '../values/delete.ts';
import { createEditor, type Editor } from '../values/edit.ts';
import { isTrue, type Value } from '../values/value.ts';
import { type Doers, run, valuesFrom } from './doer.ts';
import type { Scope } from './scope.ts';

/** Filters that change parts of a value. */
export const assigning: Doers<'assign'> = {
  assign: function* ({ operator, left, right }, at, scope) {
    if (operator === '|=') {
      yield made(update(left, right, at, scope), at);
      return;
    }
    for (const value of valuesFrom(right, at, scope)) {
      const { budget } = scope.machine;
      const editor = createEditor(at.value, budget);
      for (const path of pathsOf(left, at, scope)) editor.set(path, combined(operator, editor, path, value, budget));
      yield made(editor.root(), at);
    }
  },
};

export function* pathsOf(filter: Filter, at: At, scope: Scope): Iterable<Value[]> {
  for (const result of run(filter, { value: at.value, trail: 'start' }, scope)) yield pathTo(result);
}

/** What takes the place of what stands there. */
export function combined(
  operator: AssignOperator,
  editor: Editor,
  path: readonly Value[],
  value: Value,
  budget: Budget,
): Value {
  if (operator === '=') return value;
  const old = editor.get(path);
  if (operator === '//=') return isTrue(old) ? old : value;
  return operations[operator.slice(0, -1) as BinaryOperator](old, value, budget);
}

/** The first result takes the place of what was there; without one, the place goes away. */
function update(left: Filter, right: Filter, at: At, scope: Scope): Value {
  const { budget } = scope.machine;
  const editor = createEditor(at.value, budget);
  const gone: Value[][] = [];
  for (const path of pathsOf(left, at, scope)) {
    const [next] = firstOf(run(right, unlocated(editor.get(path)), scope));
    if (next === undefined) gone.push(path);
    else editor.set(path, next.value);
  }
  return gone.length === 0 ? editor.root() : deletePaths(editor.root(), gone, budget);
}

function firstOf<T>(results: Iterable<T>): readonly T[] {
  for (const result of results) return [result];
  return [];
}

import { everythingIn, partsOf, valueAt } from '../values/access.ts';
import { addAll } from '../values/arithmetic.ts';
import { type Arg, type At, asValue, found, made, pathTo, type StreamFunction, valuesOf } from '../values/at.ts';
import type { Budget } from '../values/budget.ts';
import { deletePaths } from '../values/delete.ts';
import { createEditor } from '../values/edit.ts';
import { JqFailure } from '../values/failure.ts';
import { isNumber, isTrue, type Value } from '../values/value.ts';
import { listOf } from './collections.ts';

/** Functions that give none, one or many results, or are given filters. */
export const plainStreams: Readonly<Record<string, StreamFunction>> = {
  'empty/0': () => [],
  'error/0': ({ value }) => {
    throw new JqFailure(value);
  },
  'error/1': function* (at, [message]) {
    for (const value of valuesOf(message, at)) throw new JqFailure(value);
    yield* [];
  },
  'select/1': function* (at, [test]) {
    for (const value of valuesOf(test, at)) if (isTrue(value)) yield at;
  },
  'map/1': (at, [change], budget) => {
    const list: Value[] = [];
    for (const part of partsOf(asValue(at))) list.push(...valuesOf(change, part));
    budget.spend(list.length);
    return [made(list, at)];
  },
  'recurse/0': (at, _, budget) => everythingIn(at, budget),
  'recurse/1': (at, [next], budget) => unfold(at, (from) => next?.(from) ?? [], budget),
  'repeat/1': (at, [next], budget) => unfold(at, (from) => next?.(from) ?? [], budget),
  'while/2': function* (at, [test, next], budget) {
    const goes = (from: At): boolean => [...valuesOf(test, from)].some(isTrue);
    if (!goes(at)) return;
    yield* unfold(at, (from) => filtered(next?.(from) ?? [], goes), budget);
  },
  'until/2': function* (at, [test, next], budget) {
    let here = [at];
    while (here.length > 0) {
      budget.spend(here.length);
      yield* here.filter((one) => isDone(test, one));
      here = here.filter((one) => !isDone(test, one)).flatMap((one) => [...(next?.(one) ?? [])]);
    }
  },
  'range/1': function* (at, [to], budget) {
    for (const end of valuesOf(to, at)) yield* range(at, 0, end, 1, budget);
  },
  'range/2': function* (at, [from, to], budget) {
    for (const start of valuesOf(from, at)) {
      for (const end of valuesOf(to, at)) yield* range(at, start, end, 1, budget);
    }
  },
  'range/3': function* (at, [from, to, by], budget) {
    for (const start of valuesOf(from, at)) {
      for (const end of valuesOf(to, at)) {
        for (const step of valuesOf(by, at)) yield* range(at, start, end, step, budget);
      }
    }
  },
  'first/1': function* (at, [results]) {
    for (const result of results?.(at) ?? []) return yield result;
  },
  'last/1': function* (at, [results]) {
    let last: At | null = null;
    for (const result of results?.(at) ?? []) last = result;
    if (last !== null) yield last;
  },
  'limit/2': function* (at, [most, results]) {
    for (const number of valuesOf(most, at)) yield* limited(number, () => results?.(at) ?? []);
  },
  'skip/2': function* (at, [least, results]) {
    for (const number of valuesOf(least, at)) {
      let left = Number(number);
      for (const result of results?.(at) ?? []) if (left-- <= 0) yield result;
    }
  },
  'isempty/1': function* (at, [results]) {
    for (const _ of results?.(asValue(at)) ?? []) return yield made(false, at);
    yield made(true, at);
  },
  'add/1': (at, [results], budget) => [made(addAll(valuesOf(results, at), budget), at)],
  'path/1': function* (at, [place]) {
    for (const result of place?.({ value: at.value, trail: 'start' }) ?? []) yield made(pathTo(result), at);
  },
  'getpath/1': function* (at, [paths], budget) {
    for (const path of valuesOf(paths, at)) yield followed(at, listOf(path, 'is not a path'), budget);
  },
  'setpath/2': function* (at, [paths, values], budget) {
    for (const value of valuesOf(values, at)) {
      for (const path of valuesOf(paths, at)) {
        const editor = createEditor(at.value, budget);
        editor.set(listOf(path, 'is not a path'), value);
        yield made(editor.root(), at);
      }
    }
  },
  'delpaths/1': function* (at, [paths], budget) {
    for (const list of valuesOf(paths, at)) {
      const places = listOf(list, 'are not paths').map((path) => listOf(path, 'is not a path'));
      yield made(deletePaths(at.value, places, budget), at);
    }
  },
};

function isDone(test: Arg | undefined, at: At): boolean {
  return [...valuesOf(test, at)].some(isTrue);
}

function* filtered(results: Iterable<At>, test: (at: At) => boolean): Iterable<At> {
  for (const result of results) if (test(result)) yield result;
}

/** A value, and what comes of it, and what comes of that: without one call within another, however far it goes. */
function* unfold(at: At, next: (from: At) => Iterable<At>, budget: Budget): Iterable<At> {
  yield at;
  const open = [next(at)[Symbol.iterator]()];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    budget.spend(1);
    const step = top.next();
    if (step.done === true) {
      open.pop();
    } else {
      yield step.value;
      open.push(next(step.value)[Symbol.iterator]());
    }
  }
}

function* range(at: At, from: Value, to: Value, by: Value, budget: Budget): Iterable<At> {
  if (!isNumber(from) || !isNumber(to) || !isNumber(by)) throw new JqFailure('Range bounds must be numeric');
  const [start, end, step] = [Number(from), Number(to), Number(by)];
  if (step === 0) return;
  for (let number = start; step < 0 ? number > end : number < end; number += step) {
    budget.spend(1);
    yield made(number, at);
  }
}

function* limited(most: Value, results: () => Iterable<At>): Iterable<At> {
  let left = isNumber(most) ? Number(most) : 0;
  if (left === 0) return;
  for (const result of results()) {
    yield result;
    if (--left === 0) return;
  }
}

/** Where nothing is, null is found, however far the path goes on. */
function followed(at: At, path: readonly Value[], budget: Budget): At {
  let here = at;
  for (const key of path) {
    budget.spend(1);
    here = found(here.value === null ? null : valueAt(here.value, key, budget), key, here);
  }
  return here;
}

import { formats } from '../functions/formats.ts';
import { negate, operations } from '../values/arithmetic.ts';
import { type At, made } from '../values/at.ts';
import { JqFailure, named } from '../values/failure.ts';
import type { Value } from '../values/value.ts';
import { choices, type Doers, type Of, onlyOne, valuesFrom } from './doer.ts';
import type { Scope } from './scope.ts';

/** Filters that make something new. */
export const making: Doers<'text' | 'format' | 'list' | 'object' | 'negate' | 'binary'> = {
  text: function* ({ format, parts }, at, scope) {
    const { budget } = scope.machine;
    const filters = parts.filter((part) => typeof part !== 'string');
    for (const values of choices(filters, at, scope)) {
      let next = 0;
      const pieces = parts.map((part) =>
        typeof part === 'string' ? part : formats(format, values[next++] ?? null, budget),
      );
      const text = pieces.join('');
      budget.spendText(text.length);
      yield made(text, at);
    }
  },

  format: ({ name }, at, { machine }) => [made(formats(name, at.value, machine.budget), at)],

  list: ({ items }, at, scope) => {
    if (items === null) return [made([], at)];
    const list = [...valuesFrom(items, at, scope)];
    scope.machine.budget.spend(list.length);
    return [made(list, at)];
  },

  object: function* ({ entries }, at, scope) {
    // Here the first one changes slowest.
    const filters = entries.flatMap(({ key, value }) => [key, value]).reverse();
    for (const values of choices(filters, at, scope)) {
      scope.machine.budget.spend(entries.length);
      const object = new Map<string, Value>();
      for (let index = values.length - 1; index > 0; index -= 2) {
        object.set(keyOf(values[index] ?? null), values[index - 1] ?? null);
      }
      yield made(object, at);
    }
  },

  negate: function* ({ of }, at, scope) {
    for (const value of valuesFrom(of, at, scope)) yield made(negate(value), at);
  },

  binary: (filter, at, scope) => {
    const seconds = valuesFrom(filter.right, at, scope);
    const second = onlyOne(seconds);
    if (second === null) return combined(filter, seconds, at, scope);
    const firsts = valuesFrom(filter.left, at, scope);
    const first = onlyOne(firsts);
    if (first === null) return combined(filter, second, at, scope);
    return [made(operations[filter.operator](first[0], second[0], scope.machine.budget), at)];
  },
};

function* combined({ operator, left }: Of<'binary'>, seconds: Iterable<Value>, at: At, scope: Scope): Iterable<At> {
  const operation = operations[operator];
  for (const second of seconds) {
    for (const first of valuesFrom(left, at, scope)) yield made(operation(first, second, scope.machine.budget), at);
  }
}

function keyOf(value: Value): string {
  if (typeof value !== 'string') throw new JqFailure(`Object keys must be strings, not ${named(value)}`);
  return value;
}

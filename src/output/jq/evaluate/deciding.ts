import { type At, made } from '../values/at.ts';
import { JqFailure } from '../values/failure.ts';
import { isTrue, type Value } from '../values/value.ts';
import { type Doers, type Of, onlyOne, run, valuesFrom } from './doer.ts';
import { boundTo, type Scope, withName } from './scope.ts';

/** The way out to a label. */
class Break extends Error {
  override readonly name = 'Break';
  readonly label: symbol;

  constructor(label: symbol) {
    super('break');
    this.label = label;
  }
}

/** Filters that go one way or another. */
export const deciding: Doers<'and' | 'or' | 'alternative' | 'if' | 'try' | 'label' | 'break'> = {
  and: (filter, at, scope) => eitherWay(filter, at, scope, 'all'),
  or: (filter, at, scope) => eitherWay(filter, at, scope, 'any'),

  alternative: function* ({ left, right }, at, scope) {
    let isFound = false;
    for (const result of run(left, at, scope)) {
      if (!isTrue(result.value)) continue;
      isFound = true;
      yield result;
    }
    if (!isFound) yield* run(right, at, scope);
  },

  if: (filter, at, scope) => {
    const values = valuesFrom(filter.condition, at, scope);
    const one = onlyOne(values);
    return one === null ? branches(filter, values, at, scope) : run(isTrue(one[0]) ? filter.yes : filter.no, at, scope);
  },

  try: function* ({ body, handler }, at, scope) {
    try {
      yield* run(body, at, scope);
    } catch (error) {
      if (!(error instanceof JqFailure)) throw error;
      if (handler !== null) yield* run(handler, made(error.value, at), scope);
    }
  },

  label: function* ({ name, body }, at, scope) {
    const label = Symbol(name);
    try {
      yield* run(body, at, withName(scope, name, { kind: 'label', label }));
    } catch (error) {
      if (!(error instanceof Break) || error.label !== label) throw error;
    }
  },

  break: ({ name }, _, scope) => {
    const bound = boundTo(scope, name);
    throw new Break(bound?.kind === 'label' ? bound.label : Symbol(name));
  },
};

function* branches({ yes, no }: Of<'if'>, values: Iterable<Value>, at: At, scope: Scope): Iterable<At> {
  for (const value of values) yield* run(isTrue(value) ? yes : no, at, scope);
}

/** `all` looks no further after something false, `any` after something true. */
function* eitherWay({ left, right }: Of<'and'>, at: At, scope: Scope, kind: 'all' | 'any'): Iterable<At> {
  for (const first of valuesFrom(left, at, scope)) {
    if (isTrue(first) === (kind === 'any')) yield made(kind === 'any', at);
    else for (const second of valuesFrom(right, at, scope)) yield made(isTrue(second), at);
  }
}

import type { Filter } from '../parse/syntax.ts';
import { unlocated } from '../values/at.ts';
import type { Budget } from '../values/budget.ts';
import type { Value } from '../values/value.ts';
import { assigning } from './assigning.ts';
import { calling } from './calling.ts';
import { deciding } from './deciding.ts';
import type { Doer, Doers, Kind } from './doer.ts';
import { folding } from './folding.ts';
import { looking } from './looking.ts';
import { making } from './making.ts';
import { naming } from './naming.ts';
import { createScope } from './scope.ts';

const doers: Doers<Kind> = { ...looking, ...making, ...deciding, ...naming, ...folding, ...assigning, ...calling };

/** All results of a filter for one value, each worked out when it is asked for. */
export function* evaluate(filter: Filter, value: Value, budget: Budget): Iterable<Value> {
  const scope = createScope({
    budget,
    run: (inner, at, known) => {
      budget.spend(1);
      return (doers[inner.kind] as Doer<Kind>)(inner as never, at, known);
    },
  });
  for (const result of scope.machine.run(filter, unlocated(value), scope)) yield result.value;
}

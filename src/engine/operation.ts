import type { Fields, ValuesOf } from '../kernel/fields.ts';
import type { Engine, Request } from './engine.ts';

/** Something Repertoire can do, described once. Commands, tools and routes are made from it. */
export interface Operation<F extends Fields = Fields, Output = unknown> {
  readonly fields: F;
  run(engine: Engine, input: ValuesOf<F>, request: Request): Promise<Output>;
}

/** Lets the types of the fields flow into the handler. */
export function defineOperation<const F extends Fields, Output>(operation: Operation<F, Output>): Operation<F, Output> {
  return operation;
}

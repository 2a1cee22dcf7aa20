import type { Fields, ValuesOf } from '../kernel/fields.ts';
import type { Schema } from '../kernel/schema.ts';
import type { Engine, Request } from './engine.ts';

/** Something Repertoire can do, described once. Commands, tools and routes are made from it. */
export interface Operation<F extends Fields = Fields, Output = unknown> {
  readonly fields: F;
  /** The schema of what it tells, which its type is inferred from. */
  readonly output?: Schema<Output>;
  run(engine: Engine, input: ValuesOf<F>, request: Request): Promise<Output>;
}

/** Lets the types of the fields flow into the handler. */
export function defineOperation<const F extends Fields, Output>(operation: Operation<F, Output>): Operation<F, Output> {
  return operation;
}

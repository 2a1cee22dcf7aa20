import { SkillError } from '../core/errors.ts';
import type { Fields, GivenOf, Schema, ValuesOf } from '../core/schema.ts';
import type { Noted } from './activity/note.ts';
import type { Engine, Request } from './engine.ts';

/** Whether an operation only looks, changes something, or has a skill's own tools run. */
export type Effect = 'reads' | 'acts' | 'executes';

/** Something Repertoire can do, described once. Commands, tools, routes and methods of the library are made from it. */
export interface Operation<F extends Fields = Fields, Output = unknown> {
  readonly name: string;
  readonly effect: Effect;
  readonly input: F;
  /** The schema of what it tells, which its type is inferred from. */
  readonly output?: Schema<Output>;
  /** The one skill that it is about, by name: where that is known, nobody waits for a long look at the disk. */
  skillIn?(input: ValuesOf<F>): string | undefined;
  /** What the log of activity has of it; without output, where it failed. What is executed is in the audit log. */
  notes?(input: ValuesOf<F>, output?: Output): Told;
  /** Called by `invoke` alone. */
  run(engine: Engine, input: ValuesOf<F>, request: Request): Promise<Output>;
}

type Told = Pick<Noted, 'what' | 'skill' | 'detail' | 'hits'>;

/** Lets the types of the input flow into the handler. */
export function defineOperation<const F extends Fields, Output>(operation: Operation<F, Output>): Operation<F, Output> {
  return operation;
}

/** What a caller may give an operation, before it is read. */
export type InputOf<O extends Operation> = O extends Operation<infer F, infer _> ? GivenOf<F> : never;
export type OutputOf<O extends Operation> = Awaited<ReturnType<O['run']>>;

/** The one way to an operation: its input is read, the registry brought up to date, and what was done is noted. */
export async function invoke<F extends Fields, Output>(
  engine: Engine,
  operation: Operation<F, Output>,
  given: GivenOf<F>,
  request: Request,
): Promise<Output> {
  const input = await inputOf(operation, given, request);
  await engine.freshness?.check(operation.skillIn?.(input));
  if (operation.notes === undefined) return operation.run(engine, input, request);
  const began = Date.now();
  let output: Output | undefined;
  let outcome = 'ok';
  try {
    output = await operation.run(engine, input, request);
    return output;
  } catch (error) {
    outcome = error instanceof SkillError ? error.code : 'failed';
    throw error;
  } finally {
    const { client = request.origin } = request;
    note(engine, { ...operation.notes(input, output), client, outcome, durationMs: Date.now() - began }, request);
  }
}

/** What reads input is not loaded for a listing, which takes none. */
async function inputOf<F extends Fields>(
  { input }: Operation<F>,
  given: object,
  request: Request,
): Promise<ValuesOf<F>> {
  if (Object.keys(input).length === 0 && Object.keys(given).length === 0) return {} as ValuesOf<F>;
  readInput ??= (await import('./read-input.ts')).readInput;
  return readInput(input, given, request);
}

let readInput: typeof import('./read-input.ts').readInput | undefined;

/** What writes notes is loaded for the first of them, and in a program that ends soon not before its result is out. */
function note(engine: Engine, noted: Noted, request: Request): void {
  if (!engine.configuration.values.activity) return;
  const write = (): void => {
    engine.notes ??= import('./activity/note.ts').then(({ openNotes }) => openNotes(engine));
    void engine.notes.then((notes) => notes.add(noted, request));
  };
  if (engine.isLongLived) write();
  else setImmediate(write);
}

import { reasonOf, SkillError } from '../core/errors.ts';
import type { Fields, GivenOf, Schema, ValuesOf } from '../core/schema/schema.ts';
import type { Right } from '../run/policy/access.ts';
import type { Noted } from './activity/note.ts';
import type { Engine, Request } from './engine.ts';

/** Effect of an operation: it only reads, changes something, or has a skill's own tools run. */
type Effect = 'reads' | 'acts' | 'executes';

/** Something Repertoire can do, described once. Commands, tools, routes and methods of the library are made from it. */
export interface Operation<F extends Fields = Fields, Output = unknown> {
  readonly name: string;
  readonly effect: Effect;
  readonly input: F;
  /** Schema of the output, from which its type is inferred. */
  readonly output?: Schema<Output>;
  /**
   * Right that callers need whom the rules of a server hold for: they then see those skills alone for which they have it.
   * Without one, an operation is not for them.
   */
  readonly right?: Right;
  /** False for an operation that looks at no skill: it never waits for a scan. */
  readonly concernsSkills?: false;
  /** Name of the one skill that the input is about: where it is known, the call does not wait for a long scan. */
  skillIn?(input: ValuesOf<F>): string | undefined;
  /**
   * Entry for the activity log, null where there is nothing to log; the output is missing where the operation failed.
   * Executions are in the audit log.
   */
  notes?(input: ValuesOf<F>, output: Output | undefined, engine: Engine): Entry | null;
  /**
   * Entry for the audit log where it is done in the console, or null where nothing would be changed. Operations that
   * record themselves, wherever they are done, have none.
   */
  changes?(input: ValuesOf<F>): Changed | null;
  /** Runs the operation. Called by `invoke` alone. */
  run(engine: Engine, input: ValuesOf<F>, request: Request): Promise<Output>;
}

/** The subject of a change: skills by name, and the rest of what was asked for. */
export interface Changed {
  readonly skills: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
}

type Entry = Pick<Noted, 'what' | 'skill' | 'detail' | 'hits'>;

/** Defines an operation, so that the types of its input flow into the handler. */
export function defineOperation<const F extends Fields, Output>(operation: Operation<F, Output>): Operation<F, Output> {
  return operation;
}

/** Input that a caller may give an operation, before it is read. */
export type InputOf<O extends Operation> = O extends Operation<infer F, infer _> ? GivenOf<F> : never;
export type OutputOf<O extends Operation> = Awaited<ReturnType<O['run']>>;

/** Whether the rules of a server hold for a caller: whoever an access token names, unless it is good for everything. */
export function isRuled(
  { configuration }: Engine,
  { subject, scopes, onBehalf }: Pick<Request, 'subject' | 'scopes' | 'onBehalf'>,
): boolean {
  if (subject === undefined || onBehalf !== undefined || scopes?.has('admin')) return false;
  return configuration.values.accessFile !== undefined;
}

/** The engine as a caller may use it: where rules hold for them, with those skills alone for which they have a right. */
export async function seenBy(engine: Engine, request: Request): Promise<Engine> {
  const whole = engine.whole ?? engine;
  return isRuled(whole, request) ? (await import('./access/tenant.ts')).viewFor(whole, request, 'see') : engine;
}

/** Runs an operation; nothing else does. Holds the caller to what they may see. */
export async function invoke<F extends Fields, Output>(
  given: Engine,
  operation: Operation<F, Output>,
  values: GivenOf<F>,
  request: Request,
): Promise<Output> {
  const { right } = operation;
  const whole = given.whole ?? given;
  if (!isRuled(whole, request)) return invokeOn(given, operation, values, request);
  const tenant = await import('./access/tenant.ts');
  if (right === undefined) throw tenant.notForTenants(operation.name);
  try {
    return await invokeOn(await tenant.viewFor(whole, request, right), operation, values, request);
  } catch (error) {
    if (right === 'see' || !(error instanceof SkillError) || error.code !== 'not-found') throw error;
    throw tenant.withoutRight(error, right);
  }
}

async function invokeOn<F extends Fields, Output>(
  engine: Engine,
  operation: Operation<F, Output>,
  given: GivenOf<F>,
  request: Request,
): Promise<Output> {
  const { telemetry } = engine;
  if (telemetry === undefined) return perform(engine, operation, given, request);
  const { name, effect } = operation;
  const attributes = {
    ...{ 'repertoire.operation.effect': effect, 'repertoire.origin': request.origin },
    ...{ 'repertoire.client': request.client, 'repertoire.request.id': request.requestId },
  };
  const work = { name, kind: request.origin === 'library' ? 'internal' : 'server', attributes } as const;
  return telemetry.traced(work, request, (traced) => perform(engine, operation, given, traced));
}

/** Reads the input, brings the registry up to date, runs, and notes what was done. */
async function perform<F extends Fields, Output>(
  engine: Engine,
  operation: Operation<F, Output>,
  given: GivenOf<F>,
  request: Request,
): Promise<Output> {
  const input = await inputOf(operation, given, request);
  if (operation.concernsSkills !== false) await engine.freshness?.check(operation.skillIn?.(input));
  const changed = request.origin === 'console' ? (operation.changes?.(input) ?? null) : null;
  const work = (): Promise<Output> => operation.run(engine, input, request);
  const run =
    changed === null
      ? work
      : async () => (await import('./activity/recorded.ts')).recorded(engine, operation.name, changed, request, work);
  if (operation.notes === undefined) return run();
  const began = Date.now();
  let output: Output | undefined;
  let outcome = 'ok';
  try {
    output = await run();
    return output;
  } catch (error) {
    outcome = error instanceof SkillError ? error.code : 'failed';
    throw error;
  } finally {
    const { client = request.origin } = request;
    const entry = operation.notes(input, output, engine);
    if (entry !== null) note(engine, { ...entry, client, outcome, durationMs: Date.now() - began }, request);
  }
}

/** Tells whether a field has no value where none is given. */
function isSpared({ optional, default: fallback }: Schema): boolean {
  return optional === true && fallback === undefined;
}

/** Reads the input. A plain listing, which is given none, does not load the module that does it. */
async function inputOf<F extends Fields>(
  { input }: Operation<F>,
  given: object,
  request: Request,
): Promise<ValuesOf<F>> {
  if (Object.keys(given).length === 0 && Object.values(input).every(isSpared)) return {} as ValuesOf<F>;
  readInput ??= (await import('./read-input.ts')).readInput;
  return readInput(input, given, request);
}

let readInput: typeof import('./read-input.ts').readInput | undefined;

/** Writes a note. Its module is loaded with the first one, in a short-lived process only after the result is out. */
function note(engine: Engine, noted: Noted, request: Request): void {
  if (!engine.configuration.values.activity) return;
  const write = (): void => {
    engine.notes ??= import('./activity/note.ts').then(({ openNotes }) => openNotes(engine));
    engine.notes.then(
      (notes) => notes.add(noted, request),
      (error: unknown) => {
        delete engine.notes;
        engine.log?.warn('activity cannot be noted', { reason: reasonOf(error) });
      },
    );
  };
  if (engine.isLongLived) write();
  else setImmediate(write);
}

import type { Configuration, Given } from '../../core/config/layers.ts';
import type { Environment } from '../../core/environment.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { Field, Fields, ValuesOf as OptionValues } from '../../core/schema/fields.ts';
import type { GivenOf, Fields as InputFields, ValuesOf } from '../../core/schema/schema.ts';
import type { Engine, Request } from '../../engine/engine.ts';
import type { Operation } from '../../engine/operation.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Exit codes. 0: as asked. 1: the answer is no. 2: the question was wrong. 70: we were wrong. */
export const exitCodes = { ok: 0, negative: 1, usage: 2, bug: 70 } as const;

export const exitCodeOf: Readonly<Record<ErrorCode, number>> = {
  'not-found': exitCodes.negative,
  ambiguous: exitCodes.negative,
  unreadable: exitCodes.negative,
  conflict: 1,
  unwritable: exitCodes.negative,
  denied: exitCodes.negative,
  unavailable: exitCodes.negative,
  busy: exitCodes.negative,
  'invalid-name': exitCodes.usage,
  usage: exitCodes.usage,
  config: exitCodes.usage,
};

export interface Example {
  readonly run: string;
  readonly what: string;
}

/** The spelling of an operation's field at a terminal. */
type Spelling = Partial<
  Pick<Field, 'positional' | 'short' | 'value' | 'completes' | 'choices' | 'description' | 'orPath'>
>;

/** An operation made usable at a terminal. */
export interface Command<F extends InputFields = InputFields, Output = unknown, P extends Fields = Fields> {
  readonly operation: Operation<F, Output>;
  /** Spellings of its fields. */
  readonly spelling?: { readonly [K in keyof F]?: Spelling };
  /** Options in place of fields that cannot be typed. */
  readonly instead?: { readonly [K in keyof F]?: Field };
  /** Converts the typed values to the operation's input, where the two differ. */
  input?(typed: Typed<F, P>): GivenOf<F>;
  /** Whether it takes the options by which tools are run. */
  readonly runsTools?: true;
  /** Whether it runs even where the project's `repertoire.toml` is wrong: a checkout must not keep it from its work. */
  readonly withoutProject?: true;
  /** Options that change only how the result is printed. */
  readonly printOptions?: P;
  /** The purpose of the command and the meaning of its exit codes, for people who read help. */
  readonly about: string;
  readonly examples: readonly Example[];
  /** Additions to the request beyond its origin: to show output as it comes, to ask, or to cancel. */
  request?(context: { readonly terminal: Terminal; readonly input: Typed<F, P> & Common }): Partial<Request>;
  /** The lines of the result for a person; those that are not simply lines are written to the terminal. */
  print(output: Output, context: Printing<F, P>): Printed | Promise<Printed>;
  /** Returns the parts of a result that is streamed: as JSON, each is a line of its own. */
  rows?(output: Output): AsyncIterable<unknown> | null;
  /** Does the work that is left once the result has been printed. */
  finish?(context: Finishing<Output>): Promise<void>;
  /** Whether the answer is yes: the exit code is 1 where it is no. */
  succeeded?(output: Output): boolean;
  /** The exit code, where it is neither 0 nor 1. */
  exitCode?(output: Output, request: Request): number;
}

export interface Finishing<Output> {
  readonly engine: Engine;
  readonly request: Request;
  readonly terminal: Terminal;
  readonly output: Output;
}

/** Options that every command has. */
export interface Common {
  readonly json: boolean;
}

type Typed<F extends InputFields, P extends Fields> = ValuesOf<F> & OptionValues<P>;

interface Printing<F extends InputFields, P extends Fields> {
  readonly terminal: Terminal;
  readonly engine: Engine;
  readonly input: Typed<F, P>;
}

/** The lines that a command has printed; undefined where it wrote to the terminal itself. */
export type Printed = readonly string[] | undefined;

/** Lets the types of an operation flow into its command. */
export function defineCommand<F extends InputFields, Output, const P extends Fields = Record<never, never>>(
  command: Command<F, Output, P>,
): Command {
  return command as unknown as Command;
}

/** A command that does not end by itself: it serves until it is stopped. */
export interface ServerCommand {
  readonly fields: Fields;
  readonly about: string;
  readonly examples: readonly Example[];
  /** Converts the command's own options to settings. */
  settings?(input: Readonly<Record<string, unknown>>): Given;
  /** Serves, and returns the exit code. */
  serve(
    configuration: Configuration,
    environment: Environment,
    input: Readonly<Record<string, unknown>>,
  ): Promise<number>;
}

export type AnyCommand = Command | ServerCommand;

export function isServer(command: AnyCommand): command is ServerCommand {
  return 'serve' in command;
}

import type { Configuration, Given } from '../../core/config/layers.ts';
import type { Environment } from '../../core/environment.ts';
import type { Field, Fields, ValuesOf as OptionValues } from '../../core/fields.ts';
import type { GivenOf, Fields as InputFields, ValuesOf } from '../../core/schema.ts';
import type { Engine, Request } from '../../engine/engine.ts';
import type { Operation } from '../../engine/operation.ts';
import type { Terminal } from './terminal.ts';

export interface Example {
  readonly run: string;
  readonly what: string;
}

/** How a field of an operation is written at a terminal. */
export type Spelling = Partial<Pick<Field, 'positional' | 'short' | 'value' | 'completes' | 'choices' | 'description'>>;

/** An operation made usable at a terminal. */
export interface Command<F extends InputFields = InputFields, Output = unknown, P extends Fields = Fields> {
  readonly operation: Operation<F, Output>;
  /** How its fields are written. */
  readonly spelling?: { readonly [K in keyof F]?: Spelling };
  /** Options in place of fields that cannot be typed. */
  readonly instead?: { readonly [K in keyof F]?: Field };
  /** What the operation is given, where that is not what was typed as it is. */
  input?(typed: Typed<F, P>): GivenOf<F>;
  /** Whether it takes the options by which tools are run. */
  readonly runsTools?: true;
  /** Whether it goes on where the project's `repertoire.toml` is wrong: a checkout must not keep it from its work. */
  readonly withoutProject?: true;
  /** Options that change only how the result is printed. */
  readonly printOptions?: P;
  /** What it is for and what its exit codes mean, for people who read help. */
  readonly about: string;
  readonly examples: readonly Example[];
  /** What the request has beyond its origin: to show output as it comes, to ask, or to break it off. */
  request?(context: { readonly terminal: Terminal; readonly input: Typed<F, P> & Common }): Partial<Request>;
  /** Prints the result for a person. */
  print(output: Output, context: Printing<F, P>): void | Promise<void>;
  /** Where a result comes bit by bit, what it is made of: as JSON, each is a line of its own. */
  rows?(output: Output): AsyncIterable<unknown> | null;
  /** What is left to do when the result has been printed. */
  finish?(context: Finishing<Output>): Promise<void>;
  /** 0 unless said otherwise. */
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

export interface Printing<F extends InputFields, P extends Fields> {
  readonly terminal: Terminal;
  readonly engine: Engine;
  readonly input: Typed<F, P>;
}

/** Lets the types of an operation flow into its command. */
export function defineCommand<F extends InputFields, Output, const P extends Fields = Record<never, never>>(
  command: Command<F, Output, P>,
): Command {
  return command as unknown as Command;
}

/** A command that does not end by itself: it serves until it is told to stop. */
export interface ServerCommand {
  readonly fields: Fields;
  readonly about: string;
  readonly examples: readonly Example[];
  /** What the settings are when the command line says so in its own words. */
  settings?(input: Readonly<Record<string, unknown>>): Given;
  /** Serves, and tells how it ended. */
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

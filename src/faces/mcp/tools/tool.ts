import type { SkillError } from '../../../core/errors.ts';
import type { Confirm, Engine, Request } from '../../../engine/engine.ts';
import type { InputOf, Operation, OutputOf } from '../../../engine/operation.ts';
import { shapingOf } from '../../../engine/running/shaping.ts';
import type { Shaping } from '../../../run/output/types.ts';
import type { Surface } from '../surface.ts';
import type { ToolId } from './definitions.ts';

/** Arguments of a call, read by the schema of the tool. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A tool: an operation, what it is given of the arguments, and what a model reads of what it gives back. */
export interface Tool<O extends Operation = Operation> {
  readonly operation: O;
  /** What fields are called by the arguments of the tool, where that differs. */
  readonly spelling?: Readonly<Record<string, string>>;
  input(given: Arguments, context: Answering): InputOf<O>;
  /** How the call is made, apart from who makes it. */
  readonly request?: Pick<Request, 'patienceMs'>;
  answer(output: OutputOf<O>, given: Arguments, context: Answering): ToolResult | Promise<ToolResult>;
  /** The answer where it failed and a model can do something about it; throws what is none. */
  failure?(error: SkillError, given: Arguments, context: Answering): ToolResult | Promise<ToolResult>;
}

/** Lets the types of the operation flow into the tool. */
export function defineTool<O extends Operation>(tool: Tool<O>): Tool {
  return tool as unknown as Tool;
}

/** What an answer may depend on besides the output. */
export interface Answering {
  readonly engine: Engine;
  readonly surface: Surface;
  readonly caller: Caller;
}

/** Who made a call, and what can be done with them while it runs. */
export interface Caller {
  /** The name that the client gives itself. */
  readonly client: string | undefined;
  /** Whether their revision of the protocol has audio content. */
  readonly takesAudio: boolean;
  /** Aborted when they no longer want an answer. */
  readonly signal: AbortSignal;
  /** Tells them how far it has come; absent where they have not asked to be told. */
  readonly progress?: (message: string) => void;
  /** Asks the person behind them; absent where that cannot be done. Throws `Unanswered` where they must be asked first. */
  readonly confirm?: Confirm;
}

/** A question that goes out as the result of a call, for the call to be made again with the answer. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  readonly result: ToolResult;

  constructor(result: ToolResult) {
    super('somebody has to be asked first');
    this.result = result;
  }
}

type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string };

/** The answer to a call: what a model reads, and the same as data for programs. */
export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
}

/** Every tool there is, by its name; which it is may depend on the arguments. */
export type Tools = { readonly [T in ToolId]: Tool | ((given: Arguments) => Tool) };

export function answer(text: string, structuredContent: object): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent: structuredContent as Record<string, unknown> };
}

/** A failure that a model can do something about. */
export function failure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** How output is to be cut down. */
export function shapingIn({ max_output: maxOutput, ...given }: Arguments): Shaping {
  return shapingOf({ ...given, maxOutput } as Parameters<typeof shapingOf>[0]);
}

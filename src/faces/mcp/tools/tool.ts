import type { SkillError } from '../../../core/errors.ts';
import type { Confirm, Engine, Request } from '../../../engine/engine.ts';
import type { InputOf, Operation, OutputOf } from '../../../engine/operation.ts';
import { shapingOf } from '../../../engine/running/shaping.ts';
import type { Shaping } from '../../../run/output/types.ts';
import type { Surface } from '../surface.ts';
import type { ToolId } from './definitions.ts';

/** Arguments of a call, read by the schema of the tool. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A tool: an operation, a mapping of arguments to its input, and an answer made from its output. */
export interface Tool<O extends Operation = Operation> {
  readonly operation: O;
  /** Argument names of fields, where they differ. */
  readonly spelling?: Readonly<Record<string, string>>;
  input(given: Arguments, context: Answering): InputOf<O>;
  /** Options of the request, apart from the caller. */
  readonly request?: Pick<Request, 'waitMs'>;
  answer(output: OutputOf<O>, given: Arguments, context: Answering): ToolResult | Promise<ToolResult>;
  /** The answer to a failure that a model can do something about; throws any other. */
  failure?(error: SkillError, given: Arguments, context: Answering): ToolResult | Promise<ToolResult>;
}

/** Lets the types of the operation flow into the tool. */
export function defineTool<O extends Operation>(tool: Tool<O>): Tool {
  return tool as unknown as Tool;
}

/** The context of an answer besides the output. */
export interface Answering {
  readonly engine: Engine;
  readonly surface: Surface;
  readonly caller: Caller;
}

/** The caller, and the ways to reach them while a call runs. */
export interface Caller extends Pick<Request, 'requestId' | 'trace'> {
  /** The name that the client gives itself. */
  readonly client: string | undefined;
  /** The person or program that an access token named. */
  readonly who: Pick<Request, 'subject' | 'groups' | 'scopes'>;
  /** Whether the caller's revision of the protocol has audio content. */
  readonly takesAudio: boolean;
  /** A signal aborted when the caller no longer wants an answer. */
  readonly signal: AbortSignal;
  /** Reports progress; absent where the caller has not asked for it. */
  readonly progress?: (message: string) => void;
  /**
   * Asks the person behind the caller; absent where that cannot be done. Throws `Unanswered` where they must be asked
   * first.
   */
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

/** The answer to a call: text for a model, and the same as data for programs. */
export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
}

/** Tools by id; the arguments may decide which one it is. */
export type Tools = { readonly [T in ToolId]: Tool | ((given: Arguments) => Tool) };

export function answer(text: string, structuredContent: object): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent: structuredContent as Record<string, unknown> };
}

/** Makes a failure that a model can do something about. */
export function failure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Reads the arguments that shape the output. */
export function shapingIn({ max_output: maxOutput, ...given }: Arguments): Shaping {
  return shapingOf({ ...given, maxOutput } as Parameters<typeof shapingOf>[0]);
}

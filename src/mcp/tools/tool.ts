import type { Engine } from '../../engine/engine.ts';
import type { HeaderStyle } from '../../engine/header.ts';
import type { Note } from '../noting.ts';
import type { Answers } from './answers.ts';

/** What a tool may need to answer a call. */
export interface ToolContext {
  readonly engine: Engine;
  /** The name of the server, for texts that tell of its tools. */
  readonly server: string;
  /**
   * Looks whether the disk has changed, and if so waits until the registry has seen it; not for long where it is only
   * about one skill that is known already, since its text is read anew in any case.
   */
  readonly check: (name?: string) => Promise<void>;
  readonly header: HeaderStyle;
  readonly answers: Answers;
  readonly note: Note;
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
  /** Asks the person behind them; absent where that cannot be done. */
  readonly asking?: Asking;
}

export type Answer = 'yes' | 'no';

/** A question to the person behind a client. */
export interface Asking {
  /**
   * What they say about this very thing; or what the tool has to return to have them asked, for the call to be made
   * again with their answer.
   */
  ask(about: string, message: string): Promise<Answer | ToolResult>;
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

/** Arguments come checked by the schema of the tool; the last says which tools this server lists. */
export type Tool = (
  context: ToolContext,
  input: Readonly<Record<string, unknown>>,
  listed: readonly string[],
) => Promise<ToolResult>;

export function answer(text: string, structuredContent: object): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent: structuredContent as Record<string, unknown> };
}

/** A failure that a model can do something about. */
export function failure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

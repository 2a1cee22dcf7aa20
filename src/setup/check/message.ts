import { isObject } from '../../kernel/documents.ts';
import type { Answer } from './types.ts';

/** More than any server has to say at once, in characters. */
export const messageLimit = 64 * 1024 * 1024;

/** A message of the protocol, as far as a client looks at it. Whoever wrote it may have put anything anywhere. */
export interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Null where the text is no message. */
export function messageIn(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function answerIn({ result, error }: Message): Answer {
  // Some servers send both, and one of them as null.
  if (error == null) return { ok: true, result: isObject(result) ? result : {} };
  const message = isObject(error) ? error['message'] : error;
  return { ok: false, message: typeof message === 'string' ? message : 'an error without a message' };
}

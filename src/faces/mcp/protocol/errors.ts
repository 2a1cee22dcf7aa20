import { ProtocolError } from '@modelcontextprotocol/server';
import { type ErrorCode, reasonOf, SkillError, stackOf } from '../../../core/errors.ts';
import type { Logger } from '../../../core/log.ts';
import { failure, type ToolResult } from '../tools/tool.ts';
import { codes } from './messages.ts';

/** The code of each failure on the wire. A tool's failures are results where a model can do better next time. */
const onWire: { readonly [C in ErrorCode]: { readonly code: number; readonly asResult: boolean } } = {
  usage: { code: codes.invalidParams, asResult: false },
  'invalid-name': { code: codes.invalidParams, asResult: false },
  config: { code: codes.invalidParams, asResult: false },
  'not-found': { code: codes.invalidParams, asResult: true },
  ambiguous: { code: codes.invalidParams, asResult: true },
  unreadable: { code: codes.internalError, asResult: true },
  unwritable: { code: codes.internalError, asResult: true },
  conflict: { code: codes.internalError, asResult: true },
  denied: { code: codes.internalError, asResult: true },
  unavailable: { code: codes.internalError, asResult: true },
  busy: { code: codes.internalError, asResult: true },
};

/** The error that a client is sent. Unforeseen ones are logged in full. */
export function protocolError(error: unknown, log: Logger, doing: string, params?: object): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof SkillError) {
    if (onWire[error.code].code === codes.internalError) logFailure(log, doing, error);
    return new ProtocolError(onWire[error.code].code, sentence(error), missing(error, params));
  }
  if (error instanceof ExecutionFailed) {
    return new ProtocolError(codes[error.code], error.message, { details: error.details });
  }
  log.error(`${doing} failed`, { error: stackOf(error) });
  return new ProtocolError(codes.internalError, `Internal error: ${reasonOf(error)}`);
}

/** An execution that could not begin, where failures are to be protocol errors. */
export function executionFailed(error: SkillError): ExecutionFailed {
  const isWrong = onWire[error.code].code === codes.invalidParams;
  return new ExecutionFailed(isWrong ? 'invalidParams' : 'internalError', [sentence(error)]);
}

/** A tool's failure as a result, or the error that must be raised instead. */
export function toolFailure(error: unknown, log: Logger, tool: string): ToolResult {
  if (!(error instanceof SkillError) || !onWire[error.code].asResult) throw protocolError(error, log, tool);
  if (onWire[error.code].code === codes.internalError) logFailure(log, tool, error);
  return failure(sentence(error));
}

const longestEcho = 2048;

/** The address of the missing resource, for clients that have asked for several. */
function missing({ code }: SkillError, params: { readonly uri?: unknown } = {}): { readonly uri: string } | undefined {
  const { uri } = params;
  return code === 'not-found' && typeof uri === 'string' && uri.length <= longestEcho ? { uri } : undefined;
}

function sentence({ message, hint }: SkillError): string {
  return hint === undefined ? message : `${message}\n\n${hint}`;
}

/** Logs a foreseen failure in one line; its stack, of use only in the search for a bug, goes to the debug log. */
function logFailure(log: Logger, doing: string, error: SkillError): void {
  log.error(`${doing}: ${error.message}`);
  log.debug(`${doing} failed`, { error: stackOf(error.cause instanceof Error ? error.cause : error) });
}

/** Messages of failed executions as protocol errors. */
const messages = { invalidParams: 'Invalid params', internalError: 'Internal error' } as const;

/** A failed execution, where failures are to be protocol errors. */
export class ExecutionFailed extends Error {
  override readonly name = 'ExecutionFailed';
  readonly code: keyof typeof messages;
  readonly details: string;

  constructor(code: keyof typeof messages, details: readonly string[]) {
    super(messages[code]);
    this.code = code;
    this.details = details.filter((text) => text !== '').join('\n');
  }
}

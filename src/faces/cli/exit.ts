import type { ErrorCode } from '../../core/errors.ts';

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

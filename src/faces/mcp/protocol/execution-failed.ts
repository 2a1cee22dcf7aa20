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

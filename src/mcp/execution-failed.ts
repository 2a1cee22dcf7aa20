/** A failed execution, where failures are to be errors of the protocol. */
export class ExecutionFailed extends Error {
  override readonly name = 'ExecutionFailed';
  readonly details: string;

  constructor(details: readonly string[]) {
    super('Internal error');
    this.details = details.filter((text) => text !== '').join('\n');
  }
}

/**
 * Platform shims of the protocol library, which replace its own when the program is bundled. The validator checks
 * answers of clients to questions that this server never asks.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('this server asks its clients nothing that would have to be checked');
  }
}

export const { process } = globalThis;

/** Whether CORS applies. Only the client side reads it: outside of a browser there are no origins. */
export const CORS_IS_POSSIBLE = false;

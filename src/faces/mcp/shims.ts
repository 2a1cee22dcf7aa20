/**
 * What the protocol library takes from the platform, put in place of its own when the program is bundled. The
 * validator checks answers of clients to questions that this server never asks.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('this server asks its clients nothing that would have to be checked');
  }
}

export const { process } = globalThis;

/** Asked by the client alone: outside of a browser nothing is between origins. */
export const CORS_IS_POSSIBLE = false;

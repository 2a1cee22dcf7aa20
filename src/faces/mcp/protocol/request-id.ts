/** The header that carries the id of a request in the log to the code that works on it. */
export const requestIdHeader = 'x-request-id';

/** The header by which what is done for a request knows how the log calls it. */
export const requestIdHeader = 'x-request-id';

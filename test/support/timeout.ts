/**
 * Milliseconds that anything may take that a test waits for. The limit judges nothing: what is waited for comes when the
 * machine gets to it, and this only ends a test for which it never comes.
 */
export const timeoutMs = 120_000;

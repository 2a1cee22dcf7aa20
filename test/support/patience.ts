/**
 * How long anything may take that a test waits for. It judges nothing: what is waited for comes when the machine gets to it,
 * and this only ends a test for which it never comes.
 */
export const patienceMs = 120_000;

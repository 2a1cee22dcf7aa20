/**
 * Whether root runs the tests. What acts as another user, or starts a container engine that keeps every limit, is skipped
 * for everybody else; the last line of the run says how much that was.
 */
export const isRoot = process.getuid?.() === 0;

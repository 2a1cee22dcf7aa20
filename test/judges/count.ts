import { afterEach, expect as shared } from 'vitest';

// A judge that counts for itself has done so; of the others the assertions count. Tests that run at once have an `expect` each.
afterEach(({ task, expect: own }) => {
  const calls = Math.max(shared.getState().assertionCalls, own.getState().assertionCalls);
  const failed = task.result?.errors?.length ?? 0;
  task.meta.count ??= { passed: Math.max(0, calls - failed), total: calls };
});

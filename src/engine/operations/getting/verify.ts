import { count, flag, type Infer, list, object, text } from '../../../core/schema/schema.ts';
import { settleFirst } from '../../../get/install/transaction.ts';
import { differenceSchema, differencesOf } from '../../getting/check.ts';
import { scopeInput } from '../../getting/input.ts';
import { entriesNamed, installedScope, readLock } from '../../getting/locked.ts';
import { defineOperation } from '../../operation.ts';

const output = object({
  lockFile: text(),
  checked: count('Skills that were compared.'),
  differences: list(differenceSchema),
  ok: flag(),
});
export type VerifyOutput = Infer<typeof output>;

export const verify = defineOperation({
  name: 'verify',
  effect: 'reads',
  concernsSkills: false,
  input: {
    names: list(text(), 'Which skills. All that are installed where none is named.', { default: [] }),
    ...scopeInput,
  },
  output,
  async run({ environment }, { names, ...input }, request): Promise<VerifyOutput> {
    await settleFirst(environment);
    const scope = installedScope(input, environment);
    const lock = readLock(scope);
    const entries = entriesNamed(lock, names);
    const differences = [...(names.length === 0 ? lock.problems : [])].map(([name, what]) => {
      return { name, kind: 'entry' as const, what: `its entry cannot be used: ${what}`, files: [] };
    });
    const all: VerifyOutput['differences'][number][] = [...differences];
    for (const [done, [name, entry]] of entries.entries()) {
      request.onProgress?.({ what: 'Comparing skills', done, total: entries.length });
      all.push(...(await differencesOf(name, entry, lock, { environment })));
    }
    return { lockFile: scope.lockFile, checked: entries.length, differences: all, ok: all.length === 0 };
  },
});

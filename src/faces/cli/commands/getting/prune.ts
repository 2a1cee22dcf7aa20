import { sizeInWords } from '../../../../core/text/quantities.ts';
import { counted } from '../../../../core/text/text.ts';
import { prune as operation, type PruneOutput } from '../../../../engine/operations/getting/prune.ts';
import { defineCommand } from '../../command.ts';

export const prune = defineCommand({
  operation,
  spelling: { days: { value: 'NUMBER' } },
  about:
    'Removes copies of fetched skills that no lock file names: of your home, of this project, and of every project in which ' +
    'skills were installed. What is installed, what is in quarantine, and what you have changed and was kept aside stay.',
  examples: [
    { run: 'repertoire prune --dry-run', what: 'how much it would be' },
    { run: 'repertoire prune --days 0', what: 'however young they are' },
  ],
  print({ removed, bytes, kept, dryRun }: PruneOutput) {
    const copies = (number: number): string => (number === 1 ? '1 copy' : counted(number, 'copie'));
    const word = dryRun ? 'would be removed' : removed.length === 1 ? 'was removed' : 'were removed';
    const what =
      removed.length === 0 ? 'Nothing to remove' : `${copies(removed.length)} (${sizeInWords(bytes)}) ${word}`;
    return [`${what}; ${copies(kept)} ${kept === 1 ? 'stays' : 'stay'}.`];
  },
});

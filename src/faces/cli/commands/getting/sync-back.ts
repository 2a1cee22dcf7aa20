import { displayPath } from '../../../../core/disk/paths.ts';
import { count, oneLine, printable, shellWord } from '../../../../core/text/text.ts';
import { syncBack as operation, type SyncBackOutput } from '../../../../engine/operations/getting/sync-back.ts';
import { defineCommand } from '../../command.ts';

export const syncBack = defineCommand({
  operation,
  spelling: {
    name: { positional: true, value: 'NAME' },
    out: { value: 'PATH', completes: 'path' },
    branch: { value: 'NAME' },
    message: { value: 'TEXT', short: 'm' },
    project: { short: 'p' },
    global: { short: 'g' },
  },
  about:
    'Makes a patch of what you have changed in an installed skill, for the repository that it came from: git apply takes ' +
    'it there. Prints it, or writes it to a file. With --branch it becomes a commit in a clone of that repository, made by ' +
    'your own Git, and with --push that branch is pushed.',
  examples: [
    { run: 'repertoire sync-back pdf', what: 'see it' },
    { run: 'repertoire sync-back pdf --out pdf.patch', what: 'then, in the repository: git apply pdf.patch' },
    { run: 'repertoire sync-back pdf --branch better-pdf --push', what: 'as a branch, for a pull request' },
  ],
  print({ name, files, patch, out, branch, source }: SyncBackOutput, { terminal, engine }) {
    const place = out === null ? '' : oneLine(displayPath(out, engine.environment));
    if (patch === '') terminal.write(`${oneLine(name)} is as it was installed.\n`);
    else if (branch !== null) {
      const where = branch.pushed ? `pushed to ${oneLine(source)}` : `in ${place}`;
      const head = `${count(files.length, 'changed file')} on branch ${oneLine(branch.name)} (${branch.commit.slice(0, 12)}), ${where}`;
      terminal.write(
        branch.pushed
          ? `${head}\n`
          : `${head}\nTo push it: git -C ${shellWord(place)} push origin ${shellWord(branch.name)}\n`,
      );
    } else if (out === null) terminal.write(terminal.isInteractive ? printable(patch) : patch);
    else terminal.write(`${count(files.length, 'changed file')} in ${place}\n`);
  },
});

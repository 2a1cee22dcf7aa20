import { dirname } from 'node:path';
import { displayPath } from '../../../../core/disk/paths.ts';
import { type AliasOutput, alias as operation } from '../../../../engine/operations/machine/alias.ts';
import { defineCommand } from '../../command.ts';

const done: { readonly [A in AliasOutput['action']]: (file: string) => string } = {
  made: (file) => `Created ${file}, which starts repertoire.`,
  unchanged: (file) => `${file} starts repertoire already.`,
  removed: (file) => `Removed ${file}.`,
  absent: (file) => `${file} does not exist.`,
};

export const alias = defineCommand({
  operation,
  spelling: { name: { positional: true, value: 'NAME' }, dir: { value: 'PATH', completes: 'path' } },
  about:
    'Puts this program on your PATH under the name skill as well, so that skill serve and other commands written for that ' +
    'name work unchanged. The package does not do this itself, because most Linux systems have another program of that ' +
    'name (from procps: it sends signals). Writes a launcher into ~/.local/bin, and never overwrites a file that it did not create.',
  examples: [
    { run: 'repertoire alias skill', what: '~/.local/bin/skill' },
    { run: 'repertoire alias skill --dir ~/bin', what: 'in another folder' },
    { run: 'repertoire alias skill --remove', what: 'remove it again' },
  ],
  print(output, { engine: { environment } }) {
    const { file, action, isOnPath, hiddenBy, hides } = output;
    const shown = (path: string): string => displayPath(path, environment);
    const folder = dirname(file);
    const isThere = action === 'made' || action === 'unchanged';
    const notes = [
      ...(isOnPath
        ? []
        : [
            `${shown(folder)} is not on your PATH. Add a line to your shell's profile:`,
            `  export PATH="${folder}:$PATH"`,
          ]),
      ...(isOnPath ? hiddenBy : []).map(
        (path) => `${path} comes first on your PATH: put ${shown(folder)} before ${dirname(path)}.`,
      ),
      ...hides.map((path) => `It hides ${path}, which you can still call by that path.`),
    ];
    return [done[action](shown(file)), ...(isThere ? notes : [])];
  },
});

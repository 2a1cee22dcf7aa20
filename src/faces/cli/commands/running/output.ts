import { createPlainOutput } from '../../../../core/text/plain-output.ts';
import { sizeInWords } from '../../../../core/text/quantities.ts';
import { outputOf as operation } from '../../../../engine/operations/running/output.ts';
import { defineCommand } from '../../command.ts';

export const output = defineCommand({
  operation,
  spelling: {
    id: { positional: true, value: 'ID' },
    stream: { value: 'STREAM' },
    limit: { value: 'BYTES' },
  },
  withoutProject: true,
  about:
    'Prints what a tool wrote when a server ran it, for an agent or in the console. Up to 16 MB of an execution, 500 ' +
    'executions and 256 MB of all are kept for a week, without secrets, for you alone; --no-keep-output turns it off. ' +
    'repertoire audit --json has the ids.',
  examples: [
    { run: 'repertoire output 6f1c2f0e-5f0a-4f0e-9d3c-0a1b2c3d4e5f', what: 'what it wrote' },
    {
      run: 'repertoire output 6f1c2f0e-5f0a-4f0e-9d3c-0a1b2c3d4e5f --stream stderr',
      what: 'only what went to standard error',
    },
  ],
  print({ pieces, before, leftOut }, { terminal, input }) {
    const plain = { stdout: createPlainOutput(), stderr: createPlainOutput() };
    for (const { stream, text } of pieces) {
      // A terminal obeys escape sequences, and a tool is third-party code.
      if (stream === 'stdout' || input.stream !== undefined) {
        terminal.write(terminal.isInteractive ? plain[stream](text) : text);
      } else terminal.note(terminal.notesAreRead ? plain[stream](text) : text);
    }
    if (before > 0) terminal.note(`note: ${sizeInWords(before)} come before this; --limit shows more\n`);
    if (leftOut > 0) terminal.note(`note: ${sizeInWords(leftOut)} came after this and were not kept\n`);
  },
});

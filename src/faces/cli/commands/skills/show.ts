import { showHidden } from '../../../../core/text/hidden.ts';
import { oneLine, printable } from '../../../../core/text/text.ts';
import { readSkillFile } from '../../../../engine/loading/load.ts';
import { show as operation } from '../../../../engine/operations/skills/show.ts';
import { defineCommand } from '../../command.ts';

export const show = defineCommand({
  operation,
  spelling: { name: { positional: true, value: 'NAME', completes: 'skill' } },
  about:
    'Prints where a skill comes from and then its SKILL.md. Names are case-insensitive; where ' +
    'a name means several skills, the error lists the full names to choose from. Exit code 1: no such skill.',
  examples: [
    { run: 'repertoire show csv-profiler', what: 'header and text' },
    { run: 'repertoire show claude:pdf', what: "Claude Code's own, where several agents have one" },
    { run: 'repertoire show csv-profiler --files', what: 'the other files of the skill' },
    { run: 'cd "$(repertoire show csv-profiler --path)"', what: 'to its folder' },
    { run: 'repertoire show csv-profiler --raw > SKILL.md', what: 'the file, byte for byte' },
  ],
  printOptions: {
    files: { kind: 'switch', description: "List the skill's files instead of its text." },
    path: { kind: 'switch', description: 'Print the path of its folder and nothing else.' },
    raw: { kind: 'switch', description: 'Print the bytes of SKILL.md and nothing else.' },
  },
  print(output, { terminal, input }) {
    if (input.path) {
      terminal.write(`${terminal.isInteractive ? oneLine(output.skill.dir) : output.skill.dir}\n`);
    } else if (input.raw) {
      terminal.write(readSkillFile(output.skill)); // not every file is valid text
    } else if (input.files) {
      const lines = output.files.map((file) => `${String(file.bytes).padStart(10)}  ${oneLine(file.path)}`);
      const refused = output.refused.map(
        (path) => `${'never read'.padStart(10)}  ${oneLine(path)} (a link that leads outside the skill)`,
      );
      terminal.write(`${[terminal.style('bold', oneLine(output.skill.dir)), ...lines, ...refused].join('\n')}\n`);
    } else {
      // A terminal obeys escape sequences, and a skill is third-party text; a pipe gets the text unchanged.
      const { text } = showHidden(output.content);
      const content = terminal.isInteractive ? printable(text.replaceAll('\r\n', '\n')) : text;
      terminal.write(`${terminal.style('dim', output.header)}\n\n${content}${content.endsWith('\n') ? '' : '\n'}`);
    }
  },
});

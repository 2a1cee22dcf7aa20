import { displayPath } from '../../../../core/disk/paths.ts';
import { create as operation } from '../../../../engine/operations/skills/new.ts';
import { defineCommand } from '../../command.ts';

export const create = defineCommand({
  operation,
  spelling: {
    what: { positional: true, value: 'WHAT' },
    name: { positional: true, value: 'NAME' },
    dir: { value: 'PATH', completes: 'path' },
    description: { value: 'TEXT' },
    runtime: { value: 'RUNTIME' },
  },
  about:
    'Creates a skill to start from: a SKILL.md that passes repertoire validate, a skill.toml with one tool, what the tool ' +
    'runs, and a test of it. Writes to ./skills by default, and never overwrites anything.',
  examples: [
    { run: 'repertoire new skill word-count', what: './skills/word-count, with a script as its tool' },
    { run: 'repertoire new skill word-count --dir ~/.agents/skills', what: 'for all your agents' },
    { run: 'repertoire new skill word-count --runtime docker', what: 'with a tool in a container' },
    {
      run: 'repertoire new skill house-style --runtime none --description "How we write. Use for any text."',
      what: 'instructions alone',
    },
  ],
  print({ name, folder, files }, { engine }) {
    const place = displayPath(folder, engine.environment);
    return [
      `Created ${place}:`,
      ...files.map((file) => `  ${file}`),
      '',
      `Try it: repertoire ${files.length === 1 ? 'show' : 'tools'} ${name}`,
    ];
  },
});

import { displayPath } from '../../../../core/disk/paths.ts';
import { oneLine } from '../../../../core/text/text.ts';
import { disable as operation } from '../../../../engine/operations/skills/disable.ts';
import { defineCommand } from '../../command.ts';

export const disable = defineCommand({
  operation,
  spelling: {
    skills: { positional: true, value: 'SKILL', completes: 'skill' },
    agent: { value: 'AGENT', completes: 'agent' },
  },
  about:
    'Puts skills aside: they stay where they are, and nobody loads, searches or runs them. A name disables every copy ' +
    'of that name, a folder only the skill in it. It is kept in your settings, or with --project in those of the ' +
    'project, and running servers follow at once. repertoire list --disabled shows them, repertoire enable has them back.',
  examples: [
    { run: 'repertoire disable csv-profiler', what: 'for every agent' },
    { run: 'repertoire disable csv-profiler --agent codex', what: 'for one' },
    { run: 'repertoire disable ./skills/csv-profiler --project', what: 'one copy, for everybody in this project' },
  ],
  print({ file, added, files, loadedBy, setUp }, { terminal, engine }) {
    const path = (one: string): string => oneLine(displayPath(one, engine.environment));
    const head = added.length === 0 ? `Already in ${path(file)}:` : `Disabled in ${path(file)}:`;
    const lines = [
      head,
      ...files.map((one) => `  ${path(one)}`),
      ...(loadedBy.length === 0 ? [] : [stillSeen(loadedBy, files.length)]),
      ...setUp.map((id) => `Run repertoire setup ${id}, so that its server knows whom it serves.`),
    ];
    terminal.write(`${lines.join('\n')}\n`);
  },
});

/** The sentence about agents that read the folders themselves, which no setting of ours keeps them from. */
function stillSeen(agents: readonly string[], skills: number): string {
  const [see, they, read] = agents.length === 1 ? ['sees', 'it', 'reads'] : ['see', 'they', 'read'];
  const [them, folders] = skills === 1 ? ['it', 'its folder'] : ['some of them', 'their folders'];
  return `${agents.join(', ')} still ${see} ${them}: ${they} ${read} ${folders} without Repertoire.`;
}

import { displayPath } from '../../../../core/disk/paths.ts';
import { oneLine } from '../../../../core/text/text.ts';
import { publish as operation, type PublishOutput } from '../../../../engine/operations/getting/publish.ts';
import { defineCommand } from '../../command.ts';

export const publish = defineCommand({
  operation,
  spelling: {
    skills: { positional: true, value: 'SKILL', completes: 'skill' },
    to: { value: 'FOLDER', completes: 'path' },
  },
  about:
    'Writes skills into a folder that any web server can serve: archives with their digests, and the index at ' +
    '/.well-known/agent-skills/index.json that agents and installers look for; the older index with plain files too. Skills ' +
    'that are there already stay. What the scan blocks is not published.',
  examples: [
    { run: 'repertoire publish pdf xls --to ./public', what: 'two skills' },
    { run: 'repertoire add https://example.com', what: 'how others get them from there' },
  ],
  print({ folder, skills, dryRun }: PublishOutput, { terminal, engine }) {
    const place = oneLine(displayPath(folder, engine.environment));
    const lines = skills.map(
      ({ name, digest }) => `${dryRun ? 'would publish' : 'published'}  ${oneLine(name)}  ${digest}`,
    );
    terminal.write(`${[...lines, `In ${place}/.well-known/agent-skills`].join('\n')}\n`);
  },
});

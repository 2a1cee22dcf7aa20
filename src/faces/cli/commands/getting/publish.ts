import { displayPath } from '../../../../core/disk/paths.ts';
import { oneLine } from '../../../../core/text/text.ts';
import { publish as operation, type PublishOutput } from '../../../../engine/operations/getting/publish.ts';
import { defineCommand } from '../../command.ts';

export const publish = defineCommand({
  operation,
  spelling: {
    skills: { positional: true, value: 'SKILL', completes: 'skill' },
    to: { value: 'PLACE', completes: 'path' },
    channel: { value: 'NAME' },
    label: { value: 'KEY=VALUE' },
  },
  about:
    'Writes skills into a folder that any web server can serve: archives with their digests, and the index at ' +
    '/.well-known/agent-skills/index.json that agents and installers look for; the older index with plain files too. Skills ' +
    'that are there already stay. Or into the catalogue of a cluster, from which every server takes them at once that follows ' +
    'the channel. What the scan blocks is not published.',
  examples: [
    { run: 'repertoire publish pdf xls --to ./public', what: 'two skills' },
    { run: 'repertoire add https://example.com', what: 'how others get them from there' },
    { run: 'repertoire publish pdf --to nats://one.example:4222', what: 'for all servers of a cluster' },
  ],
  print({ folder, cluster, channel, skills, dryRun }: PublishOutput, { engine }) {
    const place =
      folder === null
        ? `In the channel ${channel} of ${cluster}`
        : `In ${oneLine(displayPath(folder, engine.environment))}/.well-known/agent-skills`;
    const lines = skills.map(
      ({ name, digest }) => `${dryRun ? 'would publish' : 'published'}  ${oneLine(name)}  ${digest}`,
    );
    return [...lines, place];
  },
});

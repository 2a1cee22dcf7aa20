import { oneLine } from '../../../../core/text/text.ts';
import {
  type CatalogueVersion,
  type ClusterOutput,
  cluster as operation,
} from '../../../../engine/operations/machine/cluster.ts';
import { defineCommand } from '../../command.ts';
import { briefTime } from '../../terminal/brief.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const cluster = defineCommand({
  operation,
  spelling: {
    action: { positional: true, value: 'ACTION' },
    name: { positional: true, value: 'NAME' },
    channel: { value: 'NAME' },
    to: { value: 'DIGEST' },
    reason: { value: 'TEXT' },
  },
  withoutProject: true,
  about:
    'Looks after the catalogue of a cluster (--cluster): which skills its servers offer, in which versions. rollback brings ' +
    'the version before back, or the one with the digest --to, on every server at once; remove takes a skill out of the ' +
    'channel. quarantine keeps a version from being loaded and run by any server, until release. repertoire publish puts ' +
    'skills in.',
  examples: [
    { run: 'repertoire cluster list --cluster nats://one.example:4222', what: 'all skills' },
    { run: 'repertoire cluster history pdf', what: 'all versions, with REPERTOIRE_CLUSTER set' },
    { run: 'repertoire cluster rollback pdf', what: 'the version before, everywhere' },
  ],
  print({ versions, problems, quarantined, removed, channel }: ClusterOutput, { terminal, input }) {
    const rows = versions.map((row) => lineOf(row, terminal));
    const wrong = problems.map(({ key, message }) => terminal.style('yellow', oneLine(`${key}: not used: ${message}`)));
    const held = quarantined.map(({ digest, reason, by, at }) =>
      terminal.style('red', oneLine(`In quarantine: ${digest}  ${reason}, by ${by} ${briefTime(at)}`)),
    );
    const from = input.action === 'release' ? 'quarantine' : `the channel ${channel}`;
    const done = removed ? [`Removed ${oneLine(input.name ?? '')} from ${from}`] : [];
    const lines = [...rows, ...wrong, ...held, ...done];
    return lines.length > 0 ? lines : [`No skills in the channel ${channel}.`];
  },
});

function lineOf({ name, digest, version, labels, by, at, state }: CatalogueVersion, terminal: Terminal): string {
  const facts = [
    ...(version === null ? [] : [version]),
    ...Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    `by ${by} ${briefTime(at)}`,
    ...(state === 'withdrawn' ? ['rolled back'] : []),
  ];
  const title = state === 'current' ? terminal.style('bold', oneLine(name)) : oneLine(name);
  return `${title}  ${digest}  ${terminal.style('dim', oneLine(facts.join(', ')))}`;
}

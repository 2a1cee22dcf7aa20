import { positionOf } from '../../../../core/diagnostics.ts';
import { displayPath } from '../../../../core/disk/paths.ts';
import type { Environment } from '../../../../core/environment.ts';
import { oneLine } from '../../../../core/text/text.ts';
import { type Contender, why as operation, type WhyOutput } from '../../../../engine/operations/skills/why.ts';
import { defineCommand } from '../../command.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const why = defineCommand({
  operation,
  spelling: { name: { positional: true, value: 'NAME', completes: 'skill' } },
  about:
    'Follows a name the way an agent would: which skill it means and by which rule, what it takes precedence over, or why a ' +
    'skill that exists is not seen. Exit code 1: the name does not resolve to a skill.',
  examples: [
    { run: 'repertoire why pdf', what: 'which of several copies is used, and why' },
    { run: 'repertoire why my-skill', what: 'why a skill does not show up' },
  ],
  print(output, { terminal, engine }) {
    return [...headline(output, terminal), ...details(output, engine.environment, terminal)];
  },
  succeeded: ({ outcome }) => outcome === 'found',
});

function headline({ name, outcome, winner }: WhyOutput, terminal: Terminal): string[] {
  const asked = terminal.style('bold', oneLine(name));
  switch (outcome) {
    case 'found':
      return [`${asked} is ${terminal.style('cyan', oneLine(winner?.fullName ?? ''))}: ${winner?.reason}.`];
    case 'ambiguous':
      return [`${asked} is ambiguous: no rule ranks one of these above the others.`];
    case 'hidden':
      return [`${asked} exists, but is not seen:`];
    case 'not-found':
      return [`${asked} was not found: there is no skill and no folder of that name.`];
  }
}

function details(output: WhyOutput, environment: Environment, terminal: Terminal): string[] {
  const path = (file: string): string => oneLine(displayPath(file, environment));
  const line = (one: Contender): string =>
    `  ${terminal.style('cyan', oneLine(one.fullName))} (${oneLine(one.provider)}, ${one.location})  ${path(one.file)}\n      ${oneLine(one.reason)}`;
  const { winner, alsoAt, others, problems, suggestions, outcome } = output;
  return [
    ...(winner === null ? [] : [`  ${path(winner.file)}  (${oneLine(winner.provider)}, ${winner.location})`]),
    ...alsoAt.map((one) => `  also reached as ${path(one)}`),
    ...(winner !== null && others.length > 0 ? ['', 'It takes precedence over:'] : []),
    ...others.map(line),
    ...problems.map(
      (one) => `  ${path(one.file)}${positionOf(one)}\n      ${oneLine(`${one.message}. ${one.remedy}`)}`,
    ),
    ...(suggestions.length > 0 ? [`Did you mean: ${suggestions.map(oneLine).join(', ')}?`] : []),
    ...(outcome === 'not-found' ? ['repertoire doctor shows every folder that was searched.'] : []),
  ];
}

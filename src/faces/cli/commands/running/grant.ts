import { oneLine } from '../../../../core/text/text.ts';
import { grant as operation } from '../../../../engine/operations/running/grant.ts';
import { gainedInWords } from '../../../../engine/running/permissions/granting.ts';
import { defineCommand } from '../../command.ts';
import { ask } from '../../terminal/ask.ts';

export const grant = defineCommand({
  operation,
  spelling: {
    skill: { positional: true, value: 'SKILL', completes: 'skill', orPath: true },
    only: { value: 'WHAT' },
    expected: { value: 'DIGEST' },
    confirmName: { value: 'NAME' },
    yes: { short: 'y' },
  },
  about:
    'Shows in words what a skill asks for beyond the default sandbox, and grants it if you agree. A grant is for the ' +
    'skill as it is now: when any of its files changes, it is no longer valid, and the next run says which file it was. ' +
    'Each grant replaces the previous one, so granting only a part revokes the rest. Exit code 1: not ' +
    'granted.',
  examples: [
    { run: 'repertoire grant release-notes', what: 'read what it asks for, and decide' },
    { run: 'repertoire grant release-notes --yes', what: 'without being asked, in a script' },
    { run: 'repertoire grant release-notes --only network:api.github.com', what: 'one host, and nothing else' },
    { run: 'repertoire grants', what: 'what has been granted' },
  ],
  request: ({ terminal, input }) =>
    input.json || !terminal.isAnswered ? {} : { confirm: (question) => ask(question, terminal) },
  print({ skill, may, granted, gained, items }, { terminal, input }) {
    const name = oneLine(skill);
    if (input.yes && gained !== null) terminal.write(`${gainedInWords(gained).join('\n')}\n`);
    if (may.length === 0) terminal.write(`${name} asks for nothing beyond the default sandbox, and needs no grant.\n`);
    else if (!granted) terminal.write(`${name} is not granted anything.\n`);
    else {
      const lines = input.yes ? may.map(lineOf) : [];
      terminal.write(
        `${terminal.style('green', 'granted')} to ${name}${lines.length > 0 ? ':\n' : '.\n'}${lines.join('')}`,
      );
      const others = items.filter((item) => !item.granted).map(({ words }) => lineOf(words));
      if (others.length > 0) terminal.write(`${terminal.style('yellow', 'not granted')}:\n${others.join('')}`);
    }
  },
  succeeded: ({ granted, may }) => granted || may.length === 0,
});

function lineOf(words: string): string {
  return `  - ${oneLine(words)}\n`;
}

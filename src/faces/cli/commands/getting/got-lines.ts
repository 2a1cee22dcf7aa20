import { displayPath } from '../../../../core/disk/paths.ts';
import type { Environment } from '../../../../core/environment.ts';
import { count, counted, oneLine, printable } from '../../../../core/text/text.ts';
import { doing, type Outcome } from '../../../../engine/getting/carry-out.ts';
import { actionWords, gainedLines, mergeLines } from '../../../../engine/getting/words.ts';
import type { Command } from '../../command.ts';
import { ask } from '../../terminal/ask.ts';
import type { Terminal } from '../../terminal/terminal.ts';

type Skill = Outcome['skills'][number];

const colours: Readonly<Partial<Record<Skill['action'], 'green' | 'yellow' | 'red'>>> = {
  add: 'green',
  replace: 'green',
  merge: 'green',
  remove: 'green',
  refuse: 'yellow',
  quarantine: 'red',
};

/** The common part of all commands that change what is installed: they ask, and print what was done. */
export const getting = {
  request: ({ terminal, input }) =>
    input.json || !terminal.isAnswered ? {} : { confirm: (question) => ask(printable(question), terminal) },
  print(output: unknown, { terminal, engine, input }) {
    // A person who was asked has seen the diffs.
    const isShown = (output as Outcome).dryRun || (input as { yes?: boolean }).yes === true;
    return gotLines(output as Outcome, isShown, terminal, engine.environment);
  },
  succeeded: (output) => isAsAsked(output as Outcome),
} satisfies Pick<Command, 'request' | 'print' | 'succeeded'>;

/** Whether everything that was asked for is there, or would be. */
function isAsAsked({ done, dryRun, skills, refused }: Outcome): boolean {
  const isRefused = ({ action, places }: Skill): boolean =>
    action === 'refuse' || action === 'quarantine' || places.some(({ outcome }) => outcome === 'refused');
  return (done || dryRun) && refused.length === 0 && !skills.some(isRefused);
}

function gotLines(outcome: Outcome, isShown: boolean, terminal: Terminal, environment: Environment): readonly string[] {
  const { done, dryRun, skills, refused, kept, lockFile } = outcome;
  const shown = (path: string): string => oneLine(displayPath(path, environment));
  if (skills.length === 0 && refused.length === 0) return [`Nothing is installed according to ${shown(lockFile)}.`];
  const changing = skills.filter(({ action }) => doing.has(action));
  const isDone = done && !dryRun;
  const all = changing.length === 0 ? skills : skills.filter(({ action }) => action !== 'none');
  return [
    ...(isShown ? gainedLines(all) : []),
    ...all.flatMap((skill) => linesOf(skill, { isDone, isShown }, terminal, shown)),
    ...refused.map(
      ({ name, reason }) => `${terminal.style('yellow', 'not had')}  ${oneLine(name)}: ${oneLine(reason)}`,
    ),
    ...kept.map((path) => `What you had changed is kept in ${shown(path)}`),
    ...endOf(outcome, changing, shown(lockFile)),
  ];
}

function endOf({ done, dryRun, skills }: Outcome, changing: readonly Skill[], lockFile: string): readonly string[] {
  const [first] = skills.filter(({ action }) => action === 'quarantine');
  const blocked =
    first === undefined
      ? []
      : [`Nobody loads or runs what is in quarantine. See why: repertoire scan ${oneLine(first.name)}`];
  if (dryRun) return [...blocked, 'Nothing was changed: this was a dry run.'];
  if (!done) return [...blocked, 'Nothing was changed.'];
  if (changing.length === 0) return blocked;
  const what = changing.every(({ action }) => action === 'remove') ? 'no longer in' : 'recorded in';
  return [...blocked, `${counted(changing.length, 'skill')} ${what} ${lockFile}.`];
}

function linesOf(
  skill: Skill,
  { isDone, isShown }: { readonly isDone: boolean; readonly isShown: boolean },
  terminal: Terminal,
  shown: (path: string) => string,
): readonly string[] {
  const { name, action, reason, folder, source, commit, files, findings, asks, places, merge, inside } = skill;
  const word = actionWords[action][isDone ? 1 : 0];
  const colour = colours[action];
  const why = reason === null ? '' : `: ${oneLine(reason)}`;
  const from =
    source === null
      ? ''
      : `  ${count(files, 'file')} from ${oneLine(source)}${commit === null ? '' : ` at ${commit.slice(0, 12)}`}`;
  return [
    `${colour === undefined ? word : terminal.style(colour, word)}  ${oneLine(name)}${why}`,
    ...(doing.has(action) ? [`  ${shown(folder)}${from}`] : []),
    ...(inside.length > 0
      ? [`  with ${counted(inside.length, 'more skill')} in it: ${inside.map(oneLine).join(', ')}`]
      : []),
    ...places.map(({ path, outcome }) => `  ${shown(path)}  ${placeWords[outcome]}`),
    ...findings.map(
      ({ severity, rule, file, line, found }) =>
        `  scan: ${severity}  ${rule}  ${oneLine(file)}${line === null ? '' : `:${line}`}  ${oneLine(found)}`,
    ),
    ...asks.map((key) => `  asks for ${oneLine(key)}`),
    ...(isShown || action === 'refuse' ? merge.flatMap((file) => mergeLines(file).map((line) => `  ${line}`)) : []),
  ];
}

const placeWords = {
  link: 'link',
  copy: 'copy',
  same: 'already there',
  refused: 'left alone: something else is there',
};

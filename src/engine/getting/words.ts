import { displayPath } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { count, oneLine, printable } from '../../core/text/text.ts';
import type { MergedFile } from '../../get/install/merge.ts';
import type { Scope } from '../../get/install/places.ts';
import type { Action, Planned } from '../../get/install/plan.ts';

/** The words for an action, before it is done and after. */
export const actionWords: Readonly<Record<Action, readonly [before: string, after: string]>> = {
  add: ['add', 'added'],
  replace: ['replace', 'replaced'],
  merge: ['merge with your changes', 'merged with your changes'],
  adopt: ['take note of', 'noted'],
  none: ['leave as it is', 'unchanged'],
  remove: ['remove', 'removed'],
  refuse: ['leave alone', 'left alone'],
  quarantine: ['put in quarantine', 'in quarantine'],
};

/** The question for a person: what is done to which skill, what the scan found in it, and what it asks for. */
export function questionOf(planned: readonly Planned[], scope: Scope, environment: Environment): string {
  const place = displayPath(scope.skills, environment);
  const rows = planned.flatMap((one) => linesOf(one, environment).map((line) => `  ${line}`));
  return [...gainedLines(planned), `In ${place}:`, ...rows, 'Go on?'].join('\n');
}

/** The capabilities that come with an update, which stand before everything else: what a new version may do is why one asks. */
export function gainedLines(skills: readonly Pick<Planned, 'name' | 'gained'>[]): readonly string[] {
  const lines = skills.flatMap(({ name, gained }) => gained.map((key) => `  + ${oneLine(name)}: ${oneLine(key)}`));
  return lines.length === 0 ? [] : ['New versions ask for what the installed ones do not:', ...lines];
}

function linesOf(planned: Planned, environment: Environment): readonly string[] {
  const { name, action, reason, incoming, places, merge } = planned;
  const files = incoming === null ? '' : ` (${count(Object.keys(incoming.kept.files).length, 'file')})`;
  const why = reason === null ? '' : `: ${reason}`;
  const shown = (path: string): string => oneLine(displayPath(path, environment));
  return [
    `${actionWords[action][0]} ${oneLine(name)}${files}${oneLine(why)}`,
    ...(incoming === null ? [] : [`  from ${originWords(incoming.origin)}, ${incoming.kept.digest}`]),
    ...(incoming?.scan.findings ?? []).map(
      ({ severity, rule, file, line, found }) =>
        `  scan: ${severity} ${rule} in ${oneLine(file)}${line === null ? '' : `:${line}`}: ${oneLine(found)}`,
    ),
    ...(incoming?.asks ?? []).map((key) => `  asks for ${oneLine(key)}`),
    ...merge.flatMap((file) => mergeLines(file).map((line) => `  ${line}`)),
    ...places.map(({ path, outcome }) => `  ${placeWords[outcome]} ${shown(path)}`),
  ];
}

/** The origin of a skill and its state, in words. */
function originWords({
  source,
  commit,
  version,
}: {
  source: string;
  commit?: string | undefined;
  version?: string | undefined;
}): string {
  const state = commit?.slice(0, 12) ?? version;
  return oneLine(state === undefined ? source : `${source} at ${state}`);
}

/** A three-way diff: what the person has changed, and what the source has. */
export function mergeLines({ path, outcome, mine, theirs }: MergedFile): readonly string[] {
  const sides = [
    ['yours', mine],
    ['theirs', theirs],
  ] as const;
  return [
    `${oneLine(path)}: ${mergeWords[outcome]}`,
    ...sides.flatMap(([whose, diff]) => {
      if (diff === null) return [`  ${whose}: not text`];
      const lines = diff.split('\n').slice(2, -1).map(printable);
      return diff === '' ? [] : [`  ${whose}:`, ...lines.map((line) => `  ${line}`)];
    }),
  ];
}

const mergeWords = {
  mine: 'your changes are kept',
  theirs: 'changed by the source',
  merged: 'your changes and those of the source are put together',
  conflict: 'you and the source have changed the same lines',
};

const placeWords = {
  link: 'link',
  copy: 'copy',
  same: 'already at',
  refused: 'left alone, because something else is there:',
};

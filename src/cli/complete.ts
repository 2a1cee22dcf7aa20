import { loadConfiguration } from '../config/load.ts';
import { createEngine } from '../engine/engine.ts';
import type { Environment } from '../kernel/environment.ts';
import { oneLine } from '../kernel/text.ts';
import { type Option, positionalsOf } from './args.ts';
import type { Command } from './command.ts';
import { commands, synonyms } from './commands.ts';
import { optionsFor } from './options.ts';

/** Something a shell may offer. */
interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** What could stand in the place of the last of the given words, which may be empty or half typed. */
export async function candidatesFor(words: readonly string[], environment: Environment): Promise<readonly Candidate[]> {
  const [first = '', ...rest] = words;
  const current = words.at(-1) ?? '';
  const startsRight = ({ word }: Candidate): boolean => word.startsWith(current);
  if (words.length < 2) {
    return Object.entries(commands)
      .map(([word, { summary }]) => ({ word, about: summary }))
      .filter(startsRight);
  }
  if (first === 'help')
    return Object.keys(commands)
      .map((word) => ({ word, about: '' }))
      .filter(startsRight);
  const entry = commands[synonyms[first] ?? first];
  if (entry === undefined) return [];
  const command = await entry.load();
  return (await candidatesIn(command, rest, environment)).filter(startsRight);
}

async function candidatesIn(command: Command, rest: readonly string[], environment: Environment): Promise<Candidate[]> {
  const options = optionsFor(command);
  const current = rest.at(-1) ?? '';
  const before = options.find((option) => `--${option.name}` === rest.at(-2));
  if (before !== undefined && before.field.kind !== 'switch') return valuesFor(before.field, environment);
  if (current.startsWith('-')) return options.map(optionCandidate);
  const places = positionalsOf(command.operation.fields);
  const taken = rest.slice(0, -1).filter((word) => !word.startsWith('-')).length;
  const place = places[Math.min(taken, places.length - 1)]?.[1];
  return place === undefined ? [] : valuesFor(place, environment);
}

function optionCandidate({ name, field }: Option): Candidate {
  return { word: `--${name}`, about: field.description };
}

/** Paths are left to the shell, which knows them best. */
async function valuesFor(field: Option['field'], environment: Environment): Promise<Candidate[]> {
  if (field.choices !== undefined) return field.choices.map((word) => ({ word, about: '' }));
  if (field.completes !== 'skill' && field.completes !== 'provider') return [];
  const engine = createEngine(await loadConfiguration({}, environment), environment);
  const { visible } = await engine.registry.snapshot();
  if (field.completes === 'skill') {
    return visible.map((skill) => ({ word: oneLine(skill.fullName), about: oneLine(skill.description).slice(0, 80) }));
  }
  const fixed = ['all', 'auto', 'project', 'global', '@plugins'];
  return [...new Set([...fixed, ...visible.map((skill) => skill.provider)])].map((word) => ({ word, about: '' }));
}

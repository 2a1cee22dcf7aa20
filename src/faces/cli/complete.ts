import { loadConfiguration } from '../../core/config/load.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import type { Field } from '../../core/schema/fields.ts';
import { oneLine } from '../../core/text/text.ts';
import { createEngine } from '../../engine/engine.ts';
import { type Option, positionalsOf } from './args.ts';
import type { AnyCommand } from './command.ts';
import { commandMeant, commands } from './commands.ts';
import { descriptionOf, summaries } from './help.ts';
import { fieldsOf, optionsFor } from './options.ts';
import type { Terminal } from './terminal/terminal.ts';

/** A candidate that a shell may offer. */
interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** Prints the candidates for the last of the given words, one per line, each with its description after a tab. */
export async function printCandidates(
  words: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  try {
    const found = await candidatesFor(words, environment);
    terminal.write(found.map(({ word, about }) => `${word}\t${about}\n`).join(''));
  } catch (error) {
    // Nobody reads an error in the middle of typing; the command itself will report it.
    if (!(error instanceof SkillError)) throw error;
  }
}

async function candidatesFor(given: readonly string[], environment: Environment): Promise<readonly Candidate[]> {
  // Bash takes `--option=value` for three words, and `--option=` for two.
  const words = [...given.filter((word) => word !== '='), ...(given.at(-1) === '=' ? [''] : [])];
  const [first = ''] = words;
  const current = words.at(-1) ?? '';
  const startsRight = ({ word }: Candidate): boolean => word.startsWith(current);
  if (words.length < 2 || first === 'help') {
    const all = Object.entries(summaries).map(([word, about]) => ({ word, about }));
    return all.filter(startsRight);
  }
  const line = await commandMeant(words);
  if (line === undefined) return [];
  return (await candidatesIn(await commands[line.name].load(), line.rest, environment)).filter(startsRight);
}

async function candidatesIn(
  command: AnyCommand,
  rest: readonly string[],
  environment: Environment,
): Promise<Candidate[]> {
  const options = optionsFor(command);
  const current = rest.at(-1) ?? '';
  const optionNamed = (word: string | undefined): Option | undefined =>
    options.find(({ name, field }) => word === `--${name}` && field.kind !== 'switch');
  const before = optionNamed(rest.at(-2));
  if (before !== undefined) return valuesFor(before.field, environment);
  const [, inline] = /^(--[a-z-]+)=/.exec(current) ?? [];
  const joined = optionNamed(inline);
  if (joined !== undefined) {
    const values = await valuesFor(joined.field, environment);
    return values.map(({ word, about }) => ({ word: `${inline}=${word}`, about }));
  }
  if (current.startsWith('-'))
    return options.map((option) => ({ word: `--${option.name}`, about: descriptionOf(option) }));
  const places = positionalsOf(fieldsOf(command));
  const taken = rest.slice(0, -1).filter((word) => !word.startsWith('-')).length;
  const place = places[Math.min(taken, places.length - 1)]?.[1];
  return place === undefined ? [] : valuesFor(place, environment);
}

/** Candidates for the value of an option. Paths are left to the shell, which knows them best. */
async function valuesFor(field: Field, environment: Environment): Promise<Candidate[]> {
  if (field.choices !== undefined) return field.choices.map((word) => ({ word, about: '' }));
  if (field.completes === 'agent') {
    const { knownAgents } = await import('../../engine/agents/native.ts');
    return knownAgents.map(({ id, name }) => ({ word: id, about: name }));
  }
  if (field.completes !== 'skill' && field.completes !== 'provider') return [];
  const engine = createEngine(await loadConfiguration({}, environment), environment);
  const { visible } = await engine.registry.snapshot();
  if (field.completes === 'skill') {
    return visible.map((skill) => ({ word: oneLine(skill.fullName), about: oneLine(skill.description).slice(0, 80) }));
  }
  const fixed = ['all', 'auto', 'project', 'global', '@plugins'];
  return [...new Set([...fixed, ...visible.map((skill) => oneLine(skill.provider))])].map((word) => ({
    word,
    about: '',
  }));
}

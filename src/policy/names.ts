import { type Parsed, parsed, problem, shown } from '../kernel/parsed.ts';
import { isSteering } from './steering.ts';

const variable = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const program = /^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,127}$/;

/** The name of an environment variable that a run may see. */
export function parseEnvName(text: string): Parsed<string> {
  return variableName(text, 'an environment variable');
}

/** The name of a secret. Runs are given it as an environment variable, so that the same names are refused. */
export function parseSecretName(text: string): Parsed<string> {
  return variableName(text, 'a secret');
}

function variableName(text: string, what: string): Parsed<string> {
  if (!variable.test(text)) {
    return problem(`${shown(text)} cannot be the name of ${what}`, 'Use letters, digits and _, like "API_REGION".');
  }
  if (!isSteering(text)) return parsed(text);
  const why = `${text} is never passed to a run: it changes how programs start, find things or connect`;
  return problem(why, 'Remove it, or use another name.');
}

/** A program by its name alone: where it is found is for the machine to say. */
export function parseCommand(text: string): Parsed<string> {
  if (program.test(text)) return parsed(text);
  const path = text.includes('/');
  const message = `${shown(text)} ${path ? 'is a path' : 'cannot be the name of a program'}`;
  return problem(message, 'Name the program alone, like "kubectl".');
}

// [registry[:port]/]name[/name…][:tag][@digest]
const component = '[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*';
const registry = '(?:[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*(?::[0-9]{1,5})?/)?';
const repository = `${registry}${component}(?:/${component})*`;
const image = new RegExp(`^${repository}(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[a-f0-9]{64})?$`);

/** A container image as engines name it. */
export function parseImage(text: string): Parsed<string> {
  if (text.length <= 512 && image.test(text)) return parsed(text);
  const example = 'Write it like "alpine:3.20" or "ghcr.io/owner/name@sha256:…".';
  return problem(`${shown(text)} cannot be the name of an image`, example);
}

/** A name in an operator's list, where `APP_*` stands for all that begin so. */
export function parsePattern(text: string, parse: (text: string) => Parsed<string>): Parsed<string> {
  if (!text.endsWith('*')) return parse(text);
  const begin = text.slice(0, -1);
  if (/^[\w./:@+-]*$/.test(begin)) return parsed(text);
  return problem(`${shown(text)} is not the beginning of a name`, 'Write a name, or its beginning and a *.');
}

export function coversName(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** What both patterns allow; null where that is nothing. */
export function meetNames(one: string, other: string): string | null {
  if (coversName(one, other)) return other;
  return coversName(other, one) ? one : null;
}

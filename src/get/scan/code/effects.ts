import { credentialAt, looksLikePath, plainPath } from './places.ts';
import type { Language, Trace, Unit } from './unit.ts';
import { has, hole, isKnown, known, sourced, type Value } from './value.ts';

/** Effects that the readers of all languages have in common: what it means to read, send or run something. */

/** Reads a file: what was written to it before, or what is known of its place. */
export function fileRead(trace: Trace, unit: Unit, path: Value, line: number, by: string): Value {
  const plain = plainPath(path.text);
  const before = trace.fileAt(path.text);
  if (before !== undefined) return before;
  // A path that a search for secrets came up with.
  if (path.text.includes(hole) && has(path, 'credential')) return { text: hole, from: path.from };
  if (plain === '' || plain === '-' || !looksLikePath(plain)) return sourced('file', plain || hole);
  trace.add(unit, 'read', line, { target: path, payload: path.from, by });
  return sourced(credentialAt(plain) === null ? 'file' : 'credential', plain);
}

const secretName =
  /(?:^|_)(?:TOKEN|SECRET|SECRETS|KEY|APIKEY|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|MNEMONIC)(?:$|_)|PRIVATE_KEY|^AWS_(?:ACCESS|SESSION)/i;

/** A variable of the environment: its content is not known, its name tells whether it is a secret. */
export function variableNamed(name: string): Value {
  if (/^(?:\d+|[@*])$/.test(name)) return sourced('input', `$${name}`);
  if (/^(?:HOME|USERPROFILE)$/.test(name)) return known('~');
  return secretName.test(name) ? sourced('environment', name) : { text: hole, from: [] };
}

/** Has a text run as code: an act, and a piece of its own where the text is known. */
export function codeRun(trace: Trace, unit: Unit, code: Value, language: Language, line: number, by: string): void {
  trace.add(unit, 'run', line, { target: code, payload: code.from, by });
  if (isKnown(code) || code.text.replaceAll(hole, '').length > 8) trace.inside(unit, language, code, line);
}

/** Commands that give out what others keep safe, by the beginning of their words. */
const givesSecret: readonly (readonly [what: string, command: RegExp])[] = [
  ['the keychain', /^security (?:\S+ )*(?:find-(?:generic|internet)-password|dump-keychain|export)/],
  ['the keyring', /^secret-tool (?:lookup|search)/],
  ['the password store', /^pass (?:show\s+)?\S+/],
  ['the token of GitHub', /^gh auth (?:token\b|status\b.*(?:-t\b|--show-token))/],
  ['the token of GitLab', /^glab auth (?:token|status\b.*-t\b)/],
  [
    'the credentials of AWS',
    /^aws (?:configure (?:export-credentials|get\b.*secret)|sts (?:get-session-token|assume-role)|ecr get-login-password)/,
  ],
  ['the token of Google Cloud', /^gcloud auth (?:application-default )?print-(?:access|identity)-token/],
  ['the token of Azure', /^az account get-access-token/],
  ['1Password', /^op (?:read|item get)/],
  ['Bitwarden', /^bw (?:get|list|export)/],
  ['LastPass', /^lastpass /],
  ['the passwords of Git', /^git credential(?:-\w+)? (?:fill|get)/],
];

/** The secret that a command line gives out. */
export function secretGiven(line: string): string | undefined {
  return givesSecret.find(([, command]) => command.test(line))?.[0];
}

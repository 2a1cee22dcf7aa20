import { addressesIn } from './addresses.ts';
import { credentialAt, looksLikePath, plainPath } from './places.ts';
import type { Language, Trace, Unit } from './unit.ts';
import { has, hole, isKnown, known, sourced, sourcesOf, type Value } from './value.ts';

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
  const content = sourced(credentialAt(plain) === null ? 'file' : 'credential', plain);
  // A file that was found by looking through a folder comes from that folder.
  return plain.includes(hole) ? { ...content, from: sourcesOf([content, path]) } : content;
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

/** Programs that give out what others keep safe: what it is, and the words that ask for it. */
const givesSecret: Readonly<Record<string, readonly [what: string, words: RegExp]>> = {
  security: ['the keychain', /find-(?:generic|internet)-password|dump-keychain|export/],
  'secret-tool': ['the keyring', /lookup|search/],
  pass: ['the password store', /^(?:show\s+)?\S+/],
  gh: ['the token of GitHub', /^auth (?:token\b|status\b.*(?:-t\b|--show-token))/],
  glab: ['the token of GitLab', /^auth (?:token|status\b.*-t\b)/],
  aws: [
    'the credentials of AWS',
    /^configure (?:export-credentials|get\b.*secret)|^sts (?:get-session-token|assume-role)|^ecr get-login-password/,
  ],
  gcloud: ['the token of Google Cloud', /^auth (?:application-default )?print-(?:access|identity)-token/],
  az: ['the token of Azure', /^account get-access-token/],
  op: ['1Password', /read|item get/],
  bw: ['Bitwarden', /get|list|export/],
  lastpass: ['LastPass', /\S/],
  git: ['the passwords of Git', /^credential(?:-\w+)? (?:fill|get)/],
};

const clipboards = /^(?:pbpaste|xclip|xsel|wl-paste|Get-Clipboard|powershell\b.*Get-Clipboard)\b/i;

/** The output of a command line, as far as its words tell: what it fetches, reads or is asked for. */
export function outputOf(line: string): Value[] {
  const words = line.trim();
  if (/^(?:curl|wget)\b/.test(words)) return addressesIn(words).map((url) => sourced('network', url));
  if (/^(?:env|printenv|set|export -p)$/.test(words)) return [sourced('environment', 'all variables')];
  if (clipboards.test(words)) return [sourced('credential', 'the clipboard')];
  const secret = secretGiven(words);
  if (secret !== undefined) return [sourced('credential', secret)];
  if (!/^(?:cat|head|tail|type|more|less|base64|xxd|strings|grep|tar|zip|gpg|Get-Content|gc)\s/i.test(words)) return [];
  return words
    .split(/\s+/)
    .map((word) => word.replace(/^['"]|['"]$/g, ''))
    .filter((word) => credentialAt(word) !== null)
    .map((word) => sourced('credential', word));
}

/** The secret that a command line gives out. */
export function secretGiven(line: string): string | undefined {
  const [program = ''] = line.split(' ', 1);
  const [what, words] = (Object.hasOwn(givesSecret, program) ? givesSecret[program] : undefined) ?? [];
  return words?.test(line.slice(program.length + 1)) === true ? what : undefined;
}

/** The text that replaces a secret. */
export const redacted = '[redacted]';

/** Words that stand for something secret, wherever they are one of the words of a name: `apiKey`, `db_password`. */
const words: ReadonlySet<string> = new Set([
  ...['password', 'passwords', 'passwd', 'pwd', 'pass', 'passphrase', 'passcode', 'pin', 'otp', 'totp'],
  ...['secret', 'secrets', 'token', 'tokens', 'jwt', 'bearer', 'cookie', 'cookies', 'session', 'sessionid', 'sid'],
  ...['key', 'keys', 'apikey', 'pem', 'credential', 'credentials', 'cred', 'creds'],
  ...['auth', 'oauth', 'authorization', 'authentication', 'signature', 'salt', 'seed', 'mnemonic', 'dsn'],
]);

/** Words that are often joined to the word before them: `accesstoken`. */
const endings = /(?:password|passwd|passphrase|secret|token|apikey|accesskey|secretkey|privatekey|credentials?)$/;

/** Tells whether a value of this name should not be written down. */
export function looksSecret(name: string): boolean {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return parts.some((part) => words.has(part) || endings.test(part));
}

/** A name and the separator before its value: `--token x`, `"--token", "x"`, `--token=x`, `"password": "x"`. */
const naming =
  /(?<![\w-])(--?)?([A-Za-z][\w-]{0,63})(["']?[ \t]{0,4}[=:][ \t]{0,4}|["'][ \t]{0,4},[ \t]{0,4}(?=["'])|[ \t]{1,8})/g;
const value = /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\]|\\.)*"|'[^']*'|\[[^\]\n]*\]?|[^\s"',}]+/y;

/** The start of a map, whose values have names of their own, or of a list, whose items follow on other lines. */
const opening = /^(?:\{+|\[[ \t]*)$/;

/** Keys recognizable by their prefix: of OpenAI and Anthropic, GitHub, Slack, Google, AWS; and JWT. */
const known =
  /\b(?:sk-[\w-]{8,}|gh[opsru]_\w{16,}|github_pat_\w{16,}|xox[abeoprs]-[\w-]{8,}|AIza[\w-]{20,}|AKIA[A-Z0-9]{12,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/g;

/** Other secrets, each with the text before it: `https://user:password@host`, `Authorization: Bearer x`. */
const others: readonly RegExp[] = [
  /(\b[a-z][a-z0-9+.-]{0,31}:\/\/[^\s/:@]{0,255}:)[^\s/@]{1,1024}(?=@)/gi,
  /(\b(?:bearer|basic)[ \t]{1,8})[\w.~+/=-]{4,}/gi,
];

/** Removes from a text whatever looks like a secret. */
export function withoutSecretLooks(text: string, mark: string): string {
  const named = withoutNamed(text, mark);
  return others.reduce((left, pattern) => left.replace(pattern, `$1${mark}`), named).replace(known, mark);
}

function withoutNamed(text: string, mark: string): string {
  let kept = '';
  let at = 0;
  for (const match of text.matchAll(naming)) {
    const [whole, dashes, name = '', between = ''] = match;
    const start = match.index + whole.length;
    // A space alone makes a value of what follows only after an option.
    const isNamed = dashes !== undefined || /[=:]/.test(between);
    value.lastIndex = start;
    if (start < at || !isNamed || !looksSecret(name) || !value.test(text)) continue;
    if (opening.test(text.slice(start, value.lastIndex))) continue;
    kept += text.slice(at, start) + mark;
    at = value.lastIndex;
  }
  return kept + text.slice(at);
}

const listBegins = /([A-Za-z][\w-]{0,63})["']?[ \t]{0,4}[=:][ \t]{0,4}\[[ \t]*$/;
const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'/g;

/**
 * Removes from lines of settings, or of a change to them, whatever looks like a secret: also in a list over several
 * lines.
 */
export function linesWithoutSecrets(lines: readonly string[], mark: string): string[] {
  let isInList = false;
  return lines.map((line) => {
    const name = listBegins.exec(line.slice(-200))?.[1];
    const hidden = withoutSecretLooks(isInList ? line.replace(quoted, mark) : line, mark);
    isInList = (isInList && !line.includes(']')) || (name !== undefined && looksSecret(name));
    return hidden;
  });
}

import type { ScannedFile } from '../file.ts';
import type { Hit } from './table.ts';

/** Beginnings of compiled programs. */
const programs: readonly (readonly [string, string])[] = [
  ['7f454c46', 'a program for Linux (ELF)'],
  ['4d5a', 'a program for Windows (PE)'],
  ['feedface', 'a program for macOS (Mach-O)'],
  ['feedfacf', 'a program for macOS (Mach-O)'],
  ['cefaedfe', 'a program for macOS (Mach-O)'],
  ['cffaedfe', 'a program for macOS (Mach-O)'],
  ['cafebabe', 'a program for macOS or Java'],
  ['64657833', 'a program for Android (DEX)'],
  ['4c5a4950', 'a packed program'],
];
const archives: readonly (readonly [string, string])[] = [
  ['504b0304', 'zip'],
  ['1f8b', 'gzip'],
  ['377abcaf271c', '7z'],
  ['52617221', 'rar'],
  ['fd377a58', 'xz'],
  ['425a68', 'bzip2'],
];
/** Names of files that nobody expects to be started. */
const passive =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|svg|pdf|md|txt|csv|json|ya?ml|toml|html?|css|woff2?|ttf|otf|mp[34]|wav|docx?|xlsx?|pptx?)$/i;
const office = /\.(?:docx|xlsx|pptx|odt|ods|odp|epub|jar|whl|nupkg|apk|vsix|xpi|crx|skill|mcpb|dxt)$/i;

/** Programs by their names alone. */
const byName: readonly (readonly [RegExp, string])[] = [
  [/\.py[co]$/i, 'compiled Python'],
  [/\.(?:jar|class|apk)$/i, 'compiled Java'],
  [/\.(?:exe|dll|scr|msi|com|pif|cpl|lnk|dylib|so|node|dmg|pkg|deb|rpm|appimage)$/i, 'a program by its name'],
];

/** Finds programs, archives and what lies under a false name. */
export function* judgeFile(file: ScannedFile): Generator<Hit> {
  const { path, text, kind } = file;
  if (kind === 'binary') yield* judgeBinary(file);
  else if (passive.test(path) && text.startsWith('#!')) {
    yield { rule: 'disguised', line: 1, found: text.slice(0, 80).split('\n')[0] ?? '' };
  }
  if (
    /(?:^|\/)(?:sitecustomize|usercustomize)\.py$/i.test(path) ||
    (/\.pth$/i.test(path) && /^[ \t]*import\b/m.test(text))
  ) {
    yield { rule: 'import-hook', line: null, found: path };
  }
  if (
    kind !== 'binary' &&
    /(?:^|\/)s?bin\/(?:git|ssh|scp|sudo|su|ls|cat|cd|curl|wget|npm|npx|node|python3?|pip3?|docker|kubectl|gh|aws|gcloud|claude|codex|gpg|bash|sh|zsh)$/.test(
      path,
    )
  )
    yield { rule: 'imitation', line: null, found: `${path} is called like a program of the machine`, severity: 'high' };
  if (/\.svg$/i.test(path) && /<script\b|\son(?:load|error|click|begin)\s*=/i.test(text)) {
    yield { rule: 'disguised', line: null, found: 'a picture with a script in it' };
  }
  // Two endings, of which the second one counts.
  if (/\.(?:pdf|docx?|xlsx?|png|jpe?g|txt|md)\.(?:exe|scr|bat|cmd|com|js|vbs|sh|command|app)$/i.test(path)) {
    yield { rule: 'disguised', line: null, found: path };
  }
}

function* judgeBinary({ path, bytes }: ScannedFile): Generator<Hit> {
  const start = bytes.subarray(0, 8).toString('hex');
  const isPassive = passive.test(path);
  const program = programs.find(([magic]) => start.startsWith(magic))?.[1];
  const named = byName.find(([form]) => form.test(path))?.[1];
  const archive = archives.find(([magic]) => start.startsWith(magic))?.[1];
  if (program !== undefined) yield { rule: isPassive ? 'disguised' : 'executable', line: null, found: program };
  else if (named !== undefined) yield { rule: 'executable', line: null, found: named };
  else if (archive !== undefined && !office.test(path)) {
    if (isPassive) yield { rule: 'disguised', line: null, found: `an archive (${archive})`, severity: 'high' };
    else yield { rule: 'archive', line: null, found: archive };
  }
  yield* appended(path, bytes);
  const called = pickled.exec(bytes.subarray(0, 65_536).toString('latin1'));
  if (called !== null)
    yield {
      rule: 'hidden-code',
      line: null,
      found: `a pickle that calls ${called[0].slice(0, 60).replace(/[^\x20-\x7e]+/g, '.')}`,
    };
}

/** Functions that an object calls when it is read back: those that start programs or run code. */
const pickled =
  /c(?:os|posix|nt|subprocess|pty)\n(?:system|popen|exec\w*|spawn\w*|Popen|run|call|check_output)\n|c(?:__builtin__|builtins)\n(?:eval|exec|compile|__import__|getattr)\n|\x8c[\x02-\x0a](?:os|posix|nt|subprocess|builtins)\x94\x8c[\x03-\x0c](?:system|popen|Popen|run|eval|exec|call|check_output|__import__)\x94/;

/** A program behind the end of a picture. */
function* appended(path: string, bytes: Buffer): Generator<Hit> {
  if (!/\.(?:png|jpe?g|gif)$/i.test(path)) return;
  const text = bytes.subarray(-4096).toString('latin1');
  const script = /#!\/(?:bin|usr)\/\S*(?:sh|python|env)|<\?php|\bcurl\s+-\S+\s+https?:|powershell\s/i.exec(text);
  if (script !== null) yield { rule: 'disguised', line: null, found: `a script behind a picture: ${script[0]}` };
}

interface Pattern {
  readonly what: string;
  readonly form: RegExp;
}

const keys: readonly Pattern[] = [
  { what: 'a key of AWS', form: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/ },
  { what: 'a token of GitHub', form: /\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{60,}\b/ },
  { what: 'a token of GitLab', form: /\bglpat-[A-Za-z0-9_-]{20,}\b/ },
  { what: 'a key of Anthropic', form: /\bsk-ant-[a-z0-9]+-[A-Za-z0-9_-]{40,}/ },
  { what: 'a key of OpenAI', form: /\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}|\bsk-[A-Za-z0-9]{48}\b/ },
  { what: 'a token of Slack', form: /\bxox[abprs]-\d{8,}-[A-Za-z0-9-]{16,}/ },
  { what: 'a key of Google', form: /\bAIza[0-9A-Za-z_-]{35}\b/ },
  { what: 'a key of Stripe', form: /\b[sr]k_live_[A-Za-z0-9]{20,}\b/ },
  { what: 'a token of npm', form: /\bnpm_[A-Za-z0-9]{36}\b/ },
  { what: 'a token of PyPI', form: /\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{40,}/ },
  { what: 'a token of Hugging Face', form: /\bhf_[A-Za-z0-9]{34}\b/ },
  { what: 'a key of SendGrid', form: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/ },
  { what: 'a token of DigitalOcean', form: /\bdop_v1_[a-f0-9]{64}\b/ },
  { what: 'a token of a Telegram bot', form: /\b\d{8,10}:AA[A-Za-z0-9_-]{32,35}\b/ },
  {
    what: 'a web hook',
    form: /https:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]{8,}\/B[A-Z0-9]{8,}\/[A-Za-z0-9]{20,}|https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d{17,}\/[A-Za-z0-9_-]{50,}/,
  },
  {
    what: 'a private key',
    form: /-----BEGIN (?:RSA |EC |DSA |OPENSSH |PGP |ENCRYPTED )?PRIVATE KEY(?: BLOCK)?-----\s*(?:[\w-]+: [^\n]*\n)*\s*[A-Za-z0-9+/=\\n\s]{100,}/,
  },
];
const anyKey =
  /AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|sk-|xox|AIza|k_live_|npm_|pypi-|hf_|SG\.|dop_v1_|:AA|hooks\.slack|webhooks\/|PRIVATE KEY/;

/** Finds keys that look real. */
export function* judgeSecrets(
  text: string,
  lineAt: (offset: number) => number,
  isWarning: (line: number) => boolean,
): Generator<Hit> {
  if (!anyKey.test(text)) return;
  for (const { what, form } of keys) {
    for (const match of text.matchAll(new RegExp(form.source, 'g'))) {
      const [value] = match;
      if (isPlaceholder(value)) continue;
      const line = lineAt(match.index);
      const isExample =
        isWarning(line - 1) ||
        /example|sample|dummy|fake|placeholder|test/i.test(text.slice(Math.max(0, match.index - 60), match.index));
      yield {
        rule: 'secret',
        line,
        found: `${what}: ${value.slice(0, 8)}…`,
        ...(isExample && { severity: 'low' as const }),
      };
    }
  }
}

/** Whether a key is one that documents use: with words in it, letters in a row, or few different ones. */
function isPlaceholder(value: string): boolean {
  const body = value.replace(/^-----[^-]+-----/, '').slice(4);
  if (
    /example|your|xxxx|1234567|abcdef|placeholder|replace|redacted|\.\.\.|changeme|000000|aaaaa|test|fake|dummy|sample/i.test(
      body,
    )
  )
    return true;
  return new Set(body.replace(/[^A-Za-z0-9]/g, '')).size < 10;
}

const packed: readonly Pattern[] = [
  { what: 'names without meaning, as an obfuscator makes them', form: /(?:_0x[a-f\d]{4,6}\b[\s\S]{0,400}){12}/ },
  {
    what: 'a list of texts that is turned until it fits',
    form: /\[\s*['"]push['"]\s*\]\s*\(\s*\w+\s*\[\s*['"]shift['"]\s*\]\s*\(|\bpush\s*\(\s*(_0x\w+)\s*\.\s*shift\s*\(/,
  },
  { what: 'JavaScript of six characters', form: /(?:[[\]()!+]{40,}){3}/ },
  { what: 'a packer', form: /eval\s*\(\s*function\s*\(\s*p\s*,\s*a\s*,\s*c\s*,\s*k\s*,\s*e\s*,/ },
  {
    what: 'a function of Python that is looked up by its name',
    form: /__builtins__\s*(?:\.__dict__\s*)?\[|getattr\(\s*(?:__builtins__|builtins)\s*,\s*[^'"\s]|getattr\(\s*(?:__builtins__|builtins)\s*,\s*['"]\w*['"]\s*\+/,
  },
  { what: 'a decorator that runs what it is given', form: /^[ \t]*@(?:exec|eval|__import__)\b/m },
  {
    what: 'machine code that is run from memory',
    form: /\bVirtualAlloc(?:Ex)?\b|\bCreateRemoteThread\b|CFUNCTYPE\([^)\n]*\)\(\s*(?:ctypes\.)?addressof|PROT_EXEC[\s\S]{0,200}\bmmap\b|\bmmap\b[\s\S]{0,200}PROT_EXEC/,
  },
  { what: 'a chain of lambdas', form: /\(lambda _+\d*(?:,_+\d*)*\s*:.{0,200}__import__/ },
  {
    what: 'names and numbers of a Python obfuscator',
    form: /\bexec\(\(_\)\(b['"]|__pyarmor__|pyarmor_runtime|from pytransform import|(?:\b[Il1O0]{10,}\b[\s\S]{0,200}){8}/,
  },
  {
    what: 'letters put together one by one',
    form: /(?:\[char\]\s*\(?\d{2,3}\)?\s*[+,]\s*){6}|(?:chr\(\d{2,3}\)\s*[+.]\s*){8}|(?:String\.fromCharCode\(\d{2,3}\)\s*\+\s*){6}/i,
  },
  {
    what: 'a command cut into letters',
    form: /(?:\$\{\w+:\d+:1\}){6}|(?:"[a-z]"\s*\+\s*){10}|(?:'[a-z]'\s*\+\s*){10}/,
  },
];

/** Finds code that was made unreadable. */
export function* judgeObfuscation(
  { text, kind }: Pick<ScannedFile, 'text' | 'kind'>,
  lineAt: (offset: number) => number,
): Generator<Hit> {
  if (kind !== 'script') return;
  const part = text.slice(0, 300_000);
  for (const { what, form } of packed) {
    const match = form.exec(part);
    if (match !== null)
      yield { rule: 'obfuscated', line: lineAt(match.index), found: `${what}: ${match[0].slice(0, 60)}` };
  }
}

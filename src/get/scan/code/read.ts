import { addressesIn } from './addresses.ts';
import { fromBase64, isReadable } from './decode.ts';
import { codeRun } from './effects.ts';
import { lineCounter } from './lines.ts';
import { credentialAt, lastingAt } from './places.ts';
import { type Language, Trace, type Unit } from './unit.ts';
import { hole, known, type Source } from './value.ts';

/** Words without which a piece of code does nothing that any rule asks about: such a piece is not parsed. */
const telling =
  /curl|wget|open|read|fetch|https?:|ftp|\/\/|eval|exec|system|spawn|popen|subprocess|child_process|base64|b64|atob|fromhex|unhex|decode|inflate|gunzip|decompress|marshal|fromCharCode|chr\(|\\x|\\u00|xxd|openssl|rev\b|tr\b|~\/|\$HOME|homedir|expanduser|Path\.home|\/etc\/|\.ssh|\.aws|\.env|environ|process\.env|cron|launch|systemctl|bashrc|zshrc|profile|hook|authorized|socket|\/dev\/|\bnc\b|ncat|socat|telnet|sudo|chmod|\brm\b|dd\b|mkfs|rmtree|rmSync|keychain|security|password|secret|token|wallet|cookie|webhook|telegram|discord|settings|mcp|claude|codex|cursor|gemini|require|import\(|__import__|getattr|Function|source|\bsh\b|bash|zsh|python|node\b|perl|ruby|php|iex|iwr|invoke|powershell|nslookup|dig\b|printenv|\benv\b|scp|rsync|git\b|npm|pip\b|defaults|xattr|spctl|setenforce|ufw|iptables|history|HISTFILE|keyboard|pynput|write|copy|\bcp\b|\bmv\b|\bln\b|tee|>/i;

/** Reads pieces of code, and whatever they turn out to hold. */
export async function readCode(units: readonly Unit[]): Promise<Trace> {
  const trace = new Trace();
  trace.waiting.push(...units.filter(({ text }) => telling.test(text)));
  for (let unit = trace.waiting.shift(); unit !== undefined; unit = trace.waiting.shift()) {
    if (unit.text.length > mostText) continue;
    await readers[unit.language](unit, trace).catch(() => readLoosely(unit, trace));
  }
  return trace;
}

const mostText = 600_000;

/** Loads all parsers, for whoever has time before the first piece comes. */
export async function loadParsers(): Promise<void> {
  await Promise.all([import('./shell.ts'), import('./python.ts'), import('./javascript.ts')]);
}

/** Parsers are loaded with the first piece of their language. One that fails leaves the piece to be read loosely. */
const readers: Readonly<Record<Language, (unit: Unit, trace: Trace) => Promise<void>>> = {
  async shell(unit, trace) {
    (await import('./shell.ts')).readShell(unit, trace);
  },
  async python(unit, trace) {
    (await import('./python.ts')).readPython(unit, trace);
  },
  async javascript(unit, trace) {
    if (!(await import('./javascript.ts')).readJavaScript(unit, trace)) readLoosely(unit, trace);
  },
  async loose(unit, trace) {
    readLoosely(unit, trace);
  },
};

/** The doer of what is done, in the words of a finding: no function or command is known. */
const statement = 'a statement';

/** Words of the languages for which there is no parser: PowerShell, Ruby, Perl, PHP, AppleScript, TypeScript, Go, Rust. */
const words = {
  fetch:
    /\b(?:iwr|irm|curl|wget|Invoke-WebRequest|Invoke-RestMethod|DownloadString|DownloadFile|DownloadData|Net\.WebClient|WebClient|Start-BitsTransfer|certutil\b[^\n]*urlcache|bitsadmin|(?:mshta|regsvr32|rundll32|msiexec|cscript|wscript)\b[^\n]*https?:|file_get_contents\s*\(\s*['"]https?:|curl_exec|LWP::Simple|LWP::UserAgent|HTTP::Tiny|Net::HTTP|URI\.open|open-uri|open\(\s*['"]https?:|fetch\s*\(|\bget\s*\(\s*['"]https?:|axios|urlopen|http\.Get|reqwest)/i,
  run: /\b(?:iex|Invoke-Expression|eval|exec|system|passthru|shell_exec|popen|proc_open|assert|create_function|instance_eval|class_eval|Start-Process|execSync|spawnSync|spawn|Invoke-Command|do shell script|exec\.Command|Command::new|ScriptBlock\]::Create|load\s*\()|&\s*\(\s*\[|\.\s*\(\s*\[scriptblock\]|\b(?:powershell|pwsh)(?:\.exe)?\s[^\n]*-e|\b(?:mshta|regsvr32|rundll32|msiexec|cscript|wscript)\b[^\n]*https?:|&&?\s*start\s+["%\w]|\bos\.execute\b/i,
  decode:
    /FromBase64String|base64_decode|decode64|decode_base64|unpack\s*\(\s*['"][mHu]|pack\s*\(\s*['"]H|\batob\b|['"]base64['"]|gzinflate|gzuncompress|str_rot13|GzipStream|DeflateStream|-bxor|\bhex2bin\b|Buffer\.from\([^)]*,\s*['"]hex|\s-e(?:c|nc\w*)?\s+['"]?[A-Za-z0-9+/]{20}/i,
  post: /\b(?:-Method\s+['"]?(?:Post|Put)|UploadString|UploadFile|UploadData|CURLOPT_POST|Net::HTTP(?:\.post|::Post)|->post\s*\(|\.post\s*\(|method:\s*['"](?:POST|PUT)|http\.Post|Send-MailMessage|mail\s*\()/i,
  write:
    /\b(?:Set-Content|Add-Content|Out-File|file_put_contents|File\.write|File\.open|fopen|writeFile|appendFile|New-Item|Copy-Item|os\.WriteFile|fs::write)|>>?/i,
};

/** Reads a program by words and texts: each statement on its own, by what stands together in it. */
function readLoosely(unit: Unit, trace: Trace): void {
  const lineAt = lineCounter(unit.text, unit.line);
  let offset = 0;
  for (const statement of unit.text.split(/(?<=[\n;])/).slice(0, 5000)) {
    if (statement.length < 20_000 && /\w{3}/.test(statement)) readStatement(unit, trace, statement, lineAt(offset));
    offset += statement.length;
  }
  // A value that is fetched or decoded in one statement is often run in another.
  const whole = unit.text;
  if (whole.length < 200_000 && !trace.acts.some(({ kind, by }) => kind === 'run' && by === statement))
    acrossStatements(unit, trace, whole, lineAt);
}

function readStatement(unit: Unit, trace: Trace, text: string, line: number): void {
  const addresses = addressesIn(text);
  const texts = textsIn(text);
  const secrets = texts.filter((one) => credentialAt(one) !== null);
  const sources = sourcesIn(text, addresses);
  for (const one of secrets) trace.add(unit, 'read', line, { target: known(one), by: statement });
  if (words.run.test(text) && sources.length > 0) {
    trace.add(unit, 'run', line, { target: known(text.trim().slice(0, 200)), payload: sources, by: statement });
  }
  const payload: Source[] = secrets.map((what) => ({ kind: 'credential', what }));
  if (wholeEnvironment.test(text)) payload.push({ kind: 'environment', what: 'all variables' });
  const isSent = words.post.test(text) || payload.length > 0;
  for (const url of isSent || words.fetch.test(text) ? addresses : []) {
    trace.add(unit, isSent ? 'send' : 'fetch', line, { target: known(url), payload, by: statement });
  }
  for (const one of words.write.test(text) ? texts.filter((path) => lastingAt(path) !== null) : []) {
    trace.add(unit, 'write', line, { target: known(one), by: statement });
  }
  readInside(unit, trace, text, line);
  trace.add(unit, 'command', line, { target: known(text.trim().slice(0, 400)), by: statement });
}

const wholeEnvironment = /(?:gci|dir|ls|Get-ChildItem)\s+env:|ENV\.to_h|%ENV\b/i;

/** The sources of a statement's content, by its words. */
function sourcesIn(text: string, addresses: readonly string[]): Source[] {
  const bare = /\b(?:irm|iwr|curl|wget)\s+(?:-\w+\s+)*([\w-]+(?:\.[\w-]+)+\/\S+)/i.exec(text)?.[1];
  return [
    ...(words.fetch.test(text)
      ? [{ kind: 'network' as const, what: addresses[0] ?? (bare && `https://${bare}`) ?? hole }]
      : []),
    ...(words.decode.test(text) ? [{ kind: 'decoded' as const, what: 'base64' }] : []),
  ];
}

/** Commands that a statement starts, and texts that it decodes. */
function readInside(unit: Unit, trace: Trace, text: string, line: number): void {
  const started =
    /(?:\b(?:system|exec|popen|shell_exec|passthru|execSync|spawnSync|do shell script|%x)\s*\(?\s*|`)(["'`{[])((?:(?!\1|\n).){3,4000})\1?/i.exec(
      text,
    )?.[2];
  if (started !== undefined) trace.inside(unit, 'shell', known(started.replaceAll('\\"', '"')), line);
  if (!words.decode.test(text) && !words.run.test(text)) return;
  for (const one of text.match(/[A-Za-z0-9+/]{40,}={0,2}/g) ?? []) {
    const plain = fromBase64(one) ?? '';
    const wide = plain.includes('\u0000') ? Buffer.from(one, 'base64').toString('utf16le') : plain;
    const from: Source[] = [{ kind: 'decoded', what: 'base64' }];
    if (isReadable(wide)) codeRun(trace, unit, { text: wide, from }, 'loose', line, statement);
  }
}

/** A value that is run and comes from a variable which was fetched or decoded before. */
function acrossStatements(unit: Unit, trace: Trace, text: string, lineAt: (offset: number) => number): void {
  const made = /(?:^|\n)\s*(?:(?:const|let|var|my|local)\s+)?([$@]?\w+)(?:\s*:\s*\w+)?\s*:?=\s*([^\n]+)/g;
  for (const [, name = '', value = ''] of text.matchAll(made)) {
    const kind = words.fetch.test(value) ? 'network' : words.decode.test(value) ? 'decoded' : undefined;
    if (kind === undefined) continue;
    const used = new RegExp(`(?:${words.run.source})[^\\n;]{0,80}${name.replace(/[$@]/g, '\\$&')}\\b`, 'i').exec(text);
    if (used === null) continue;
    const what = kind === 'network' ? (addressesIn(value)[0] ?? hole) : 'base64';
    trace.add(unit, 'run', lineAt(used.index), {
      target: known(used[0].slice(0, 200)),
      payload: [{ kind, what }],
      by: statement,
    });
  }
}

/** The texts in quotes, and bare words that look like paths. */
function textsIn(text: string): string[] {
  const quoted = [...text.matchAll(/(["'`])((?:(?!\1)[^\n]){2,300})\1/g)].map(([, , inner = '']) => inner);
  return [...quoted, ...(text.match(/[~$%]?[\w:%${}]*[\\/][^\s"'`;,()]+/g) ?? [])];
}

import { addressesIn } from './addresses.ts';
import { fromBase64, isReadable } from './decode.ts';
import { codeRun } from './effects.ts';
import { folded } from './fold.ts';
import { lineCounter } from './lines.ts';
import { credentialAt, lastingAt } from './places.ts';
import { isKeys } from './program.ts';
import type { Trace, Unit } from './unit.ts';
import { hole, known, type Source } from './value.ts';

/** The doer of what is done, in the words of a finding: no function or command is known. */
const statement = 'a statement';

/** Words of the languages for which there is no parser: PowerShell, Ruby, Perl, PHP, AppleScript, TypeScript, Go, Rust. */
const words = {
  fetch:
    /\b(?:iwr|irm|curl|wget|Invoke-WebRequest|Invoke-RestMethod|DownloadString|DownloadFile|DownloadData|Net\.WebClient|WebClient|Start-BitsTransfer|certutil\b[^\n]*urlcache|bitsadmin|(?:mshta|regsvr32|rundll32|msiexec|cscript|wscript)\b[^\n]*https?:|file_get_contents\s*\(\s*['"]https?:|curl_exec|LWP::Simple|LWP::UserAgent|HTTP::Tiny|Net::HTTP|URI\.open|open-uri|open\(\s*['"]https?:|fetch\s*\(|\bget\s*\(\s*['"]https?:|axios|urlopen|http\.(?:Get|request|NewRequest)|reqwest|ureq::|socket\.http|XMLHTTP|WinHttp|HttpClient|HttpURLConnection|openStream\s*\(|URLSession|download\.file|httr::GET|HTTParty|Faraday|RestClient|Guzzle|new URL\s*\(|httpc|readLines|(?:url|download|open|read|load|get|fetch|request|import)\w*[!?]?\s*\(?\s*(?:~c)?['"]https?:|source\(\s*['"]https?:)/i,
  run: /\b(?:iex|Invoke-Expression|eval|(?<!\w\.|\/[a-z]*\.)exec|(?:cp|child_process)\.exec|system(?!\.)|passthru|shell_exec|popen|proc_open|assert|create_function|instance_eval|class_eval|Start-Process|execSync|spawnSync|spawn|Invoke-Command|do shell script|exec\.Command|Command::new|ScriptBlock\]::Create|load\s*\(|loadstring|dofile|include(?:_once)?\s*\(?\s*\$|Process\.Start|ShellExecute|Invoke-Item|ProcessBuilder|io\.popen|ExecuteGlobal|ExecuteStatement|Eval\.me|GroovyShell|include_?string|eval_?(?:string|file|quoted)\w*|load_?string|do_?string|run_?string|URLClassLoader|loadClass|defineClass|Assembly\]?(?:::|\.)Load\w*|ScriptEngine|Core\.eval|Meta\.parse|uplevel|source\(\s*['"]https?:|fork)|&\s*\(\s*\[|\.\s*\(\s*\[scriptblock\]|\b(?:powershell|pwsh)(?:\.exe)?\s[^\n]*-e|\b(?:mshta|regsvr32|rundll32|msiexec|cscript|wscript)\b[^\n]*https?:|&&?\s*start\s+["%\w]|\|\s*"(?:\/bin\/)?(?:ba|z|da)?sh\b|(?<=Shell\W{0,6})\.Run\b|\bos\.execute\b/i,
  decode:
    /FromBase64String|base64_decode|decode64|decode_base64|unpack\s*\(\s*['"][mHu]|pack\s*\(\s*['"]H|\batob\b|['"]base64['"]|gzinflate|gzuncompress|str_rot13|GzipStream|DeflateStream|-bxor|\bhex2bin\b|Buffer\.from\([^)]*,\s*['"]hex|\s-e(?:c|nc\w*)?\s+['"]?[A-Za-z0-9+/]{20}/i,
  post: /\b(?:-Method\s+['"]?(?:Post|Put)|UploadString|UploadFile|UploadData|CURLOPT_POST|Net::HTTP(?:\.post|::Post)|->post\s*\(|\.post\s*\(|method:\s*['"](?:POST|PUT)|http\.Post|Send-MailMessage|mail\s*\()/i,
  write:
    /\b(?:Set-Content|Add-Content|Out-File|file_put_contents|File\.write|File\.open|fopen|writeFile|appendFile|New-Item|Copy-Item|os\.WriteFile|fs::write)|>>?/i,
};

/** Reads a program by words and texts: each statement on its own, by what stands together in it. */
export function readLoosely(unit: Unit, trace: Trace): void {
  const text = folded(unit.text);
  const lineAt = lineCounter(text, unit.line);
  let offset = 0;
  for (const statement of text.split(/(?<=[\n;])/).slice(0, 5000)) {
    if (statement.length < 20_000 && /\w{3}/.test(statement)) readStatement(unit, trace, statement, lineAt(offset));
    offset += statement.length;
  }
  // A value that is fetched, decoded or read in one statement is often run or sent in another.
  if (text.length < 200_000 && !trace.acts.some(({ kind, by }) => kind === 'run' && by === statement))
    acrossStatements(unit, trace, text, lineAt);
}

function readStatement(unit: Unit, trace: Trace, text: string, line: number): void {
  const addresses = addressesIn(text);
  const texts = textsIn(text);
  const secrets = texts.filter((one) => credentialAt(one) !== null);
  const sources = sourcesIn(text, addresses);
  for (const one of secrets) trace.add(unit, 'read', line, { target: known(one), by: statement });
  if (words.run.test(text) && sources.some(({ kind }) => kind !== 'credential')) {
    trace.add(unit, 'run', line, { target: known(text.trim().slice(0, 200)), payload: sources, by: statement });
  }
  const payload: Source[] = secrets.map((what) => ({ kind: 'credential', what }));
  if (wholeEnvironment.test(text)) payload.push({ kind: 'environment', what: 'all variables' });
  const isSent = words.post.test(text) || payload.length > 0;
  for (const url of isSent || words.fetch.test(text) ? targetsOf(text, addresses, payload) : []) {
    trace.add(unit, isSent ? 'send' : 'fetch', line, { target: known(url), payload, by: statement });
  }
  for (const one of words.write.test(text) ? texts.filter((path) => lastingAt(path) !== null) : []) {
    trace.add(unit, 'write', line, { target: known(one), by: statement });
  }
  readInside(unit, trace, text, line);
  trace.add(unit, 'command', line, { target: known(text.trim().slice(0, 400)), by: statement });
}

/** The addresses that a statement sends to; one that sends something may have it from another statement. */
function targetsOf(text: string, addresses: readonly string[], payload: readonly Source[]): readonly string[] {
  return addresses.length === 0 && payload.length > 0 && words.post.test(text) ? [hole] : addresses;
}

const wholeEnvironment =
  /(?:gci|dir|ls|Get-ChildItem)\s+env:|\bENV\.(?:to_h|to_a|each|inspect)|%ENV\b|\bgetenv\(\s{0,8}\)|\$_(?:ENV|SERVER)\b(?!\s{0,8}\[)|\bos\.Environ\(\)|\benv::vars\(\)|processInfo\.environment\b(?!\[)/i;

/** The sources of a statement's content, by its words. */
function sourcesIn(text: string, addresses: readonly string[]): Source[] {
  const bare = /\b(?:irm|iwr|curl|wget)\s+(?:-\w+\s+)*([\w-]+(?:\.[\w-]+)+\/\S+)/i.exec(text)?.[1];
  return [
    ...(words.fetch.test(text)
      ? [{ kind: 'network' as const, what: addresses[0] ?? (bare && `https://${bare}`) ?? hole }]
      : []),
    ...(words.decode.test(text) ? [{ kind: 'decoded' as const, what: 'base64' }] : []),
    ...textsIn(text)
      .filter((one) => isKeys(one))
      .map((what) => ({ kind: 'credential' as const, what })),
  ];
}

/** Forms of statements that start a command, with its line. */
const startedForms: readonly RegExp[] = [
  /\b(?:system|exec|popen|shell_exec|passthru|execSync|spawnSync|do shell script|shellescape|xp_cmdshell|PROGRAM|sys_exec|os\.execute|io\.popen)\s{0,20}\(?\s{0,20}(?<quote>["'`{[])(?<line>(?:(?!\k<quote>|\n).){3,4000})\k<quote>?/i,
  /`(?<line>[^`\n]{3,4000})`/,
  /%x\s{0,4}[{([|!](?<line>[^\n]{3,4000}?)[})\]|!]/,
  /"(?<line>[^"\n]{3,400})"\s{0,20}\|\s{0,20}getline/,
  // Words of a command one by one: `exec.Command("sh", "-c", "…")`, `Command::new("sh").args(["-c", "…"])`.
  /["'](?:\/bin\/)?(?:ba|z|da)?sh["'][^\n]{0,60}["']-\w?c["'][\s,]{1,20}(?<quote>["'`])(?<line>(?:(?!\k<quote>|\n).){3,4000})\k<quote>/,
];

/** Commands that a statement starts, and texts that it decodes. */
function readInside(unit: Unit, trace: Trace, text: string, line: number): void {
  for (const form of startedForms) {
    const started = form.exec(text)?.groups?.['line'];
    if (started !== undefined) trace.inside(unit, 'shell', known(started.replaceAll('\\"', '"')), line);
  }
  if (!words.decode.test(text) && !words.run.test(text)) return;
  for (const one of text.match(/[A-Za-z0-9+/]{40,}={0,2}/g) ?? []) {
    const plain = fromBase64(one) ?? '';
    const wide = plain.includes('\u0000') ? Buffer.from(one, 'base64').toString('utf16le') : plain;
    const from: Source[] = [{ kind: 'decoded', what: 'base64' }];
    if (isReadable(wide)) codeRun(trace, unit, { text: wide, from }, 'loose', line, statement);
  }
}

/** Names and files that hold what was fetched or decoded, from statement to statement, up to the one that runs them. */
function acrossStatements(unit: Unit, trace: Trace, text: string, lineAt: (offset: number) => number): void {
  const carriers = new Map<string, Source>();
  const files = new Map<string, string>();
  let offset = 0;
  for (const line of text.split(/(?<=[\n;])/).slice(0, 5000)) {
    const done = line.length < 5000 && /\w{2}/.test(line) ? carriedOn(line, carriers, files) : {};
    const target = known(line.trim().slice(0, 200));
    if (done.run !== undefined) trace.add(unit, 'run', lineAt(offset), { target, payload: [done.run], by: statement });
    if (done.sent !== undefined) {
      const to = known(addressesIn(line)[0] ?? hole);
      trace.add(unit, 'send', lineAt(offset), { target: to, payload: [done.sent], by: statement });
    }
    offset += line.length;
  }
}

/** Follows what is carried through one statement; what it runs or sends of that, if anything. */
function carriedOn(
  line: string,
  carriers: Map<string, Source>,
  files: Map<string, string>,
): { readonly run?: Source | undefined; readonly sent?: Source | undefined } {
  const [, name, file] = handle.exec(line) ?? [];
  if (name !== undefined && file !== undefined) files.set(name, file);
  const mentioned = [...carriers].filter(([one]) => mentions(line, one));
  const source = sourcesIn(line, addressesIn(line))[0] ?? mentioned[0]?.[1];
  if (source !== undefined && carriers.size < 60)
    for (const taker of takersIn(line)) carriers.set(taker, source).set(files.get(taker) ?? taker, source);
  const isSent = words.post.test(line) || (words.fetch.test(line) && addressesIn(line).length > 0);
  return {
    run: mentioned.find(([one, { kind }]) => kind !== 'credential' && isRun(line, one))?.[1],
    sent: isSent ? mentioned.find(([, { kind }]) => kind === 'credential')?.[1] : undefined,
  };
}

/** A handle of a file, and the file. */
const handle =
  /([$@]?\w+)(?:\s*,\s*\w+)*\s*:?=[^\n]*\b(?:open\w*|create|fopen|FileStream|File::create)\b[^\n]*?["']([^"'\n]{2,200})["']/i;
/** Forms of statements that put something somewhere, with the name or the file that takes it. */
const takers: readonly RegExp[] = [
  /^\s*(?:(?:const|let|var|my|local|our|auto|dim|set|final|val|def|string|byte\[\])\s+)*([$@]?\w+)(?:\s*,\s*\w+)*(?:\s*:\s*[\w<>[\]| .]+)?\s*:?=(?![=~])/i,
  /([$@]?\w+)(?:->|\.)(?:write|save|append|puts|print|copyfrom)\w*\b/i,
  /^\s*[{([][^=\n]{0,60}?(\w{2,40})[\s})\]]{1,8}=(?![=>~])/,
  /\bFiles\.(?:copy|write)\s*\(\s*\w+\s*,\s*(\w+)/,
  /^\s*(?:[A-Z][\w<>,]*|byte\[\])\s+(\w+)\s*=(?!=)/,
  /\b(?:copy|write_?file|file_put_contents|fwrite|fs::write|os\.WriteFile)\w*\s*\(\s*&?(?:mut\s+)?["']?([$@]?[\w./\\%:~-]+)/i,
  /\b(?:DownloadFile|urlretrieve|download\.file)\w*\s*\([^,\n]+,\s*["']?([$@]?[\w./\\%:~-]+)/i,
  /(?:-OutFile|-Destination|--output|\s-[oO]|SaveToFile)[\s(]+["']?([$@]?[\w./\\%:~-]+)/i,
  /^\s*for(?:each)?\b[^\n]{0,40}?([$@]?\w+)(?:\s*,\s*[$@]?\w+)*\s*(?::=\s*range|in|as|of|:)\s/i,
  /\.each\w*\s*(?:do|\{)\s*\|\s*(\w+)/,
  /foreach\s*\(\s*[$@]?\w+\s+as\s+([$]\w+)/i,
  /\b(?:certutil|bitsadmin)\b[^\n]*\s["']?([\w./\\%:~-]+\.\w+)["']?\s*(?:>|$|&)/i,
];

function takersIn(line: string): string[] {
  return takers.flatMap((form) => form.exec(line)?.[1] ?? []).filter((name) => name.length > 1 || /\w/.test(name));
}

function mentions(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1))
    if (!/\w/.test(line[at - 1] ?? '') && !/\w/.test(line[at + name.length] ?? '')) return true;
  return false;
}

/** Whether a statement runs something that has this name, or the file itself. */
function isRun(line: string, name: string): boolean {
  const run = words.run.exec(line) ?? /^\s*(?:start|call|&|\.)\s/i.exec(line);
  const at = line.lastIndexOf(name);
  return run !== null ? at >= run.index && at - run.index < 160 : /[\\/.]/.test(name) && line.trim().startsWith(name);
}

/** The texts in quotes, and bare words that look like paths. */
function textsIn(text: string): string[] {
  const quoted = [...text.matchAll(/(["'`])((?:(?!\1)[^\n]){2,300})\1/g)].map(([, , inner = '']) => inner);
  return [...quoted, ...(text.match(/[~$%]?[\w:%${}]*[\\/][^\s"'`;,()]+/g) ?? [])];
}

import { addTo } from '../../../core/maps.ts';
import { addressKind, hostOf } from './addresses.ts';
import { fromBase32, fromBase64, fromHex, reversed, rotated, unescaped, unpacked } from './decode.ts';
import { codeRun, secretGiven } from './effects.ts';
import { credentialAt, holdsCredentials, looksLikePath } from './places.ts';
import type { Shell } from './shell.ts';
import type { Language } from './unit.ts';
import {
  changed,
  decoded,
  has,
  hole,
  joined,
  known,
  madeOf,
  sourced,
  sourcesOf,
  unknown,
  type Value,
} from './value.ts';

/** One call of a command: its words, what it is given on its standard input, and the shell that it is called from. */
export interface Call {
  readonly shell: Shell;
  readonly name: Value;
  readonly args: readonly Value[];
  readonly stdin: Value;
  readonly line: number;
}

/** The effect of a command. The result is what it writes to its standard output. */
type Effect = (call: Call) => Value;

/** Calls a command: whatever it is, it is an act; those in the table below do more. */
export function commandCalled(call: Call): Value {
  const { shell, name, args, line } = call;
  const program = programOf(name.text);
  const wrapped = wrappers[program];
  if (wrapped !== undefined) {
    const rest = wrapped(args);
    if (rest.length > 0) return shell.call(rest, call.stdin, line);
  }
  const whole = joined([known(program), ...args], ' ');
  shell.trace.add(shell.unit, 'command', line, { target: whole, payload: sourcesOf([name, ...args]), by: program });
  const secret = secretGiven(whole.text);
  if (secret !== undefined) {
    shell.trace.add(shell.unit, 'read', line, { target: known(`secret:${secret}`), by: whole.text.slice(0, 60) });
    return sourced('credential', secret);
  }
  carriesOff(call, program);
  if (builders.test(program) && shell.around !== undefined)
    codeRun(shell.trace, shell.unit, shell.around, 'shell', line, whole.text.slice(0, 60));
  const effect = Object.hasOwn(effects, program) ? effects[program] : undefined;
  if (effect !== undefined) return effect(call);
  const file = shell.kept(name.text);
  if (file !== undefined && file.from.length > 0) {
    codeRun(shell.trace, shell.unit, file, 'shell', line, program);
  } else if (name.text.includes(hole) && has(name, 'network')) {
    codeRun(shell.trace, shell.unit, name, 'shell', line, '$');
  } else if (has(name, 'decoded')) {
    codeRun(shell.trace, shell.unit, joined([name, ...args], ' '), 'shell', line, '$');
  }
  return madeOf(call.stdin, ...args);
}

/** Programs that run what lies in the folder that they are started in. */
const builders = /^(?:make|gmake|ninja|cargo|go|mvn|gradle|gradlew|rake|bundle|composer|npm|pnpm|yarn|bun|pip|poetry)$/;

/** Programs that give what they get to somebody else, with the words that make them do so. */
const carriers: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    'mail mailx mutt sendmail msmtp swaks ssh sftp ftp lftp tftp websocat mosquitto_pub pastebinit wormhole croc ffsend gsutil'
      .split(' ')
      .map((program) => [program, /(?:)/]),
  ),
  gh: /^(?:gist create|(?:issue|pr|release) (?:create|comment|upload)|api\b)/,
  aws: /^(?:s3|s3api|ssm put|sns publish|sqs send|lambda invoke|secretsmanager create)/,
  gcloud: /^(?:storage|pubsub|logging write)/,
  az: /^storage/,
  ipfs: /^add/,
  docker: /^cp/,
  kubectl: /^cp/,
  npm: /^publish/,
  'redis-cli': /-h /,
};
/** Options behind which a key is used, and not sent. */
const usesKey = /^(?:-i|-o|--key|--cert|--cacert|--identity(?:-file)?|--ssl-key)$/;

/** Notes what a program that talks to others is given to take along: keys only, all else is its own business. */
function carriesOff({ shell, args, stdin, line }: Call, program: string): void {
  const words = args.map(({ text }) => text).join(' ');
  const pattern = Object.hasOwn(carriers, program) ? carriers[program] : undefined;
  if (pattern?.test(words) !== true) return;
  const files = args
    .filter(
      ({ text }, at) =>
        !usesKey.test(args[at - 1]?.text ?? '') && (credentialAt(text) !== null || holdsCredentials(text)),
    )
    .map(({ text }) => sourced('credential', text));
  const payload = sourcesOf([stdin, ...files, ...args.map(({ from }) => ({ text: '', from }))]).filter(
    ({ kind, what }) => kind === 'credential' || what === 'all variables',
  );
  const target = known(`${program} ${words.slice(0, 80).replaceAll('://', ' ')}`);
  if (payload.length > 0) shell.trace.add(shell.unit, 'send', line, { target, payload, by: program });
}

/** Programs that a pattern such as `/bin/b??h` could mean. */
const globbed = ['bash', 'sh', 'zsh', 'curl', 'wget', 'python3', 'python', 'base64', 'nc', 'cat', 'node', 'perl'];

/** The name of a program without its folder, version and pattern. */
function programOf(text: string): string {
  const name = (text.split(/[/\\]/).at(-1) ?? '').replace(/\.exe$/i, '').toLowerCase();
  // `[` alone is a command.
  if (/[?*]|\[[\w-]+\]/.test(name)) {
    const pattern = new RegExp(
      `^${name
        .replace(/\[[^\]]+\]/g, '?')
        .replace(/[.+^$(){}|\\[\]]/g, '\\$&')
        .replaceAll('?', '.')
        .replaceAll('*', '.*')}$`,
    );
    return globbed.find((one) => matches(pattern, one)) ?? name;
  }
  return name.replace(/^(python|pip|node|ruby|perl|php|bash|pwsh)[\d.]+$/, '$1');
}

function matches(pattern: RegExp, text: string): boolean {
  return pattern.test(text);
}

const skipOptions =
  (valued = /^$/) =>
  (args: readonly Value[]): readonly Value[] => {
    let at = 0;
    for (; at < args.length; at++) {
      const text = args[at]?.text ?? '';
      if (valued.test(text)) at++;
      else if (!/^-|^\w+=/.test(text)) break;
    }
    return args.slice(at);
  };

/** Commands that do nothing but start another one: the words of that one. */
const wrappers: Readonly<Record<string, (args: readonly Value[]) => readonly Value[]>> = {
  sudo: skipOptions(/^-[ugpCRTh]$/),
  doas: skipOptions(/^-u$/),
  env: skipOptions(/^-[uC]$/),
  nohup: skipOptions(),
  time: skipOptions(/^-[fo]$/),
  exec: skipOptions(/^-a$/),
  command: (args) => (args[0]?.text === '-v' || args[0]?.text === '-V' ? [] : skipOptions()(args)),
  builtin: skipOptions(),
  nice: skipOptions(/^-n$/),
  ionice: skipOptions(/^-[cn]$/),
  setsid: skipOptions(),
  stdbuf: skipOptions(),
  busybox: skipOptions(),
  toybox: skipOptions(),
  unbuffer: skipOptions(),
  proxychains4: skipOptions(),
  chronic: skipOptions(),
  watch: skipOptions(/^-n$/),
  timeout: (args) => skipOptions(/^-[ks]$/)(args).slice(1),
  gtimeout: (args) => skipOptions(/^-[ks]$/)(args).slice(1),
  flock: (args) => skipOptions()(args).slice(1),
};

interface Options {
  readonly given: ReadonlyMap<string, readonly Value[]>;
  readonly rest: readonly Value[];
}

/** The options of a command line, those that take a value with it, and the other words. */
function optionsIn(args: readonly Value[], valued: string): Options {
  const takes = new Set(valued.split(' '));
  const given = new Map<string, Value[]>();
  const rest: Value[] = [];
  const words = [...args];
  for (let one = words.shift(); one !== undefined; one = words.shift()) {
    const options = optionsOf(one, takes);
    if (options === null) rest.push(one);
    for (const [name, value] of options ?? []) addTo(given, name, value ?? words.shift() ?? unknown);
  }
  return { given, rest };
}

/** The options in one word, each with its value, or undefined where that is the next word; null for no option. */
function optionsOf(
  { text, from }: Value,
  takes: ReadonlySet<string>,
): [name: string, value: Value | undefined][] | null {
  const [, long, value] = /^(--[\w.-]+)(?:=([\s\S]*))?$/.exec(text) ?? [];
  if (long !== undefined)
    return [[long, value !== undefined ? { text: value, from } : takes.has(long) ? undefined : known('')]];
  if (!/^-[A-Za-z0]/.test(text)) return null;
  // Letters may stand together, up to the first one that takes a value.
  const at = Array.from(text).findIndex((letter) => takes.has(`-${letter}`));
  const plain = Array.from(text.slice(1, at === -1 ? undefined : at), (letter): [string, Value] => [
    `-${letter}`,
    known(''),
  ]);
  const inner = text.slice(at + 1);
  return at === -1 ? plain : [...plain, [`-${text[at]}`, inner === '' ? undefined : { text: inner, from }]];
}

function valuesOf({ given }: Options, ...names: readonly string[]): Value[] {
  return names.flatMap((name) => given.get(name) ?? []);
}

/** The data of an option of curl, to which `@path` and `name=@path` mean a file. */
function dataOf(call: Call, value: Value): Value {
  const path = /(?:^|=)[@<](.+)$/s.exec(value.text)?.[1];
  if (path === undefined) return value;
  if (path === '-') return call.stdin;
  return call.shell.fileAt({ text: path.replace(/;(?:type|filename)=.*$/, ''), from: value.from }, call.line, 'curl');
}

const curl: Effect = (call) => {
  const { shell, args, line } = call;
  const options = optionsIn(
    args,
    '-o --output -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string -T --upload-file -H --header -u --user -A --user-agent -X --request -e --referer -x --proxy -m --max-time --connect-timeout --retry -b --cookie -c --cookie-jar -K --config -w --write-out --url --cacert --cert --key -r --range --resolve --retry-delay --output-dir --proto --tlsv --interface -Y -y -z -C',
  );
  const urls = [...valuesOf(options, '--url'), ...options.rest].filter(({ text }) => text !== '');
  const url = urls[0] ?? unknown;
  const data = valuesOf(
    options,
    '-d',
    '--data',
    '--data-raw',
    '--data-binary',
    '--data-urlencode',
    '--data-ascii',
    '--json',
    '-F',
    '--form',
    '--form-string',
  ).map((value) => dataOf(call, value));
  const uploads = valuesOf(options, '-T', '--upload-file').map((path) =>
    path.text === '-' ? call.stdin : shell.fileAt(path, line, 'curl'),
  );
  // A service's own key belongs in a header: there, only what was taken from a person counts.
  const headers = valuesOf(options, '-H', '--header', '-b', '-A', '-e').map((one) =>
    /^(?:authorization|[\w-]*key|[\w-]*token)\s*:/i.test(one.text)
      ? { ...one, from: one.from.filter(({ kind }) => kind === 'credential') }
      : one,
  );
  return requested(call, {
    url,
    sent: [...data, ...uploads],
    headers,
    output: valuesOf(options, '-o', '--output')[0],
    remoteName: options.given.has('-O') || options.given.has('--remote-name'),
  });
};

/** Programs that keep what they fetch under its name, where nothing else is said. */
const keepsName = /^(?:wget2?|aria2c|axel|fetch)$/;

const wget: Effect = (call) => {
  const options = optionsIn(
    call.args,
    '-O --output-document -o -P --directory-prefix --post-data --post-file --body-data --body-file --header -U --user-agent --method -t -T --tries --timeout --user --password -e -i',
  );
  const files = valuesOf(options, '--post-file', '--body-file').map((path) =>
    call.shell.fileAt(path, call.line, 'wget'),
  );
  const [output] = valuesOf(options, '-O', '--output-document');
  const toStdout = output?.text === '-' || output?.text === '/dev/stdout';
  return requested(call, {
    url: options.rest.find(({ text }) => /:\/\/|\w\.\w/.test(text)) ?? options.rest[0] ?? unknown,
    sent: [...valuesOf(options, '--post-data', '--body-data'), ...files],
    headers: [],
    output: toStdout ? undefined : output,
    remoteName:
      output === undefined &&
      keepsName.test(programOf(call.name.text)) &&
      !/-\w*O-/.test(call.args.map(({ text }) => text).join(' ')),
  });
};

interface Requested {
  readonly url: Value;
  readonly sent: readonly Value[];
  readonly headers: readonly Value[];
  readonly output: Value | undefined;
  readonly remoteName: boolean;
}

/** A request: what it takes along, and what it brings. */
function requested(call: Call, { url, sent, headers, output, remoteName }: Requested): Value {
  const { shell, line, name } = call;
  const by = programOf(name.text);
  const carried = [
    ...sent,
    ...headers,
    { text: '', from: url.from.filter(({ kind }) => kind !== 'input' && kind !== 'decoded') },
  ];
  const payload = sourcesOf(carried).filter(({ kind }) => kind !== 'network' && kind !== 'input');
  const isSent = sent.length > 0 || payload.length > 0;
  shell.trace.add(shell.unit, isSent ? 'send' : 'fetch', line, { target: url, payload, by });
  const answer: Value = sourced('network', url.text);
  if (output !== undefined && output.text !== '-') shell.wrote(output, answer, line, by);
  else if (remoteName)
    shell.trace.wrote(
      url.text
        .replace(/[?#].*$/, '')
        .split('/')
        .at(-1) ?? '',
      answer,
    );
  else return answer;
  return known('');
}

/** A program that runs code of a language: given as a word, on its input, or as a file. */
function interpreter(language: Language, codeOptions: string, others = ''): Effect {
  const names = codeOptions.split(' ').filter((one) => one !== '');
  return (call) => {
    const { shell, args, stdin, line } = call;
    const by = programOf(call.name.text);
    // The code is the word behind its option, or behind a cluster that ends in it, such as -lc.
    const at = args.findIndex(
      ({ text }) => names.includes(text) || (/^-[a-z]{2,4}$/.test(text) && names.includes(`-${text.at(-1)}`)),
    );
    const code = at === -1 ? undefined : args[at + 1];
    const address = args.find(({ text }) => /^https?:\/\//.test(text));
    // Deno and others fetch what they run.
    if (address !== undefined && args[0]?.text === 'run') {
      codeRun(shell.trace, shell.unit, sourced('network', address.text), language, line, by);
      return unknown;
    }
    if (code !== undefined) {
      codeRun(shell.trace, shell.unit, code, language, line, by);
      return madeOf(code);
    }
    const options = optionsIn(args, others);
    if (['-m', '--version', '-V'].some((name) => options.given.has(name))) return unknown;
    const content = programGiven(call, options);
    if (content !== undefined) codeRun(shell.trace, shell.unit, content, language, line, by);
    return madeOf(stdin);
  };
}

/** The program that an interpreter is given: its input, or a file that was written before. */
function programGiven({ shell, stdin }: Call, { rest: [file], given }: Options): Value | undefined {
  if (file === undefined || /^(?:-|\/dev\/stdin)$/.test(file.text) || given.has('-s')) {
    return stdin === unknown ? undefined : stdin;
  }
  return shell.kept(file.text) ?? (has(file, 'network') ? file : undefined);
}

/** A command that reads files, or its input where none is named, and gives their content on. */
const reads: Effect = ({ shell, args, stdin, line, name }) => {
  const paths = args.filter(({ text }) => !text.startsWith('-') && looksLikePath(text));
  if (paths.length === 0)
    return madeOf(stdin, ...args.filter(({ text }) => !text.startsWith('-') && text.includes(hole)));
  const values = paths.map((path) => shell.fileAt(path, line, programOf(name.text)));
  return madeOf(stdin, ...values);
};

const cat: Effect = (call) => {
  const { shell, args, stdin, line } = call;
  const paths = args.filter(({ text }) => !/^-./.test(text));
  if (paths.length === 0) return stdin;
  return joined(paths.map((path) => (path.text === '-' ? stdin : shell.fileAt(path, line, 'cat'))));
};

/** A copy: the last word is where, or the option says so. */
const copies: Effect = ({ shell, args, line, name }) => {
  const paths = args.filter(({ text }) => !text.startsWith('-'));
  const target = paths.at(-1);
  if (target === undefined || paths.length < 2) return unknown;
  const content = madeOf(...paths.slice(0, -1).map((path) => shell.fileAt(path, line, programOf(name.text))));
  if (/^[\w.-]*@?[\w.-]*:/.test(target.text) && !/^[A-Za-z]:[\\/]/.test(target.text)) {
    shell.trace.add(shell.unit, 'send', line, { target, payload: content.from, by: programOf(name.text) });
  } else shell.wrote(target, content, line, programOf(name.text));
  return known('');
};

/** An archive: what is of worth in it makes the archive of worth. */
const archives: Effect = ({ shell, args, stdin, line, name }) => {
  const paths = args.filter(
    ({ text }, at) =>
      looksLikePath(text) &&
      !text.startsWith('-') &&
      !/^(?:-x|--exclude\S*|-C|--directory)$/.test(args[at - 1]?.text ?? ''),
  );
  const read = paths
    .filter(({ text }) => credentialAt(text) !== null)
    .map((path) => shell.fileAt(path, line, programOf(name.text)));
  const content =
    read.length === 0 ? madeOf(stdin, ...paths.map(({ text }) => sourced('file', text))) : madeOf(stdin, ...read);
  const [output] = paths.filter(({ text }) => credentialAt(text) === null);
  if (output !== undefined && read.length > 0) shell.trace.wrote(output.text, content);
  const isOpened = /^-?\w*x|^-d$|^--extract/.test(args[0]?.text ?? '') || programOf(name.text) === 'unzip';
  const brought = [stdin, ...paths.map(({ text }) => shell.kept(text) ?? unknown)].find((one) =>
    one.from.some(({ kind, what }) => kind === 'network' && isStrangers(what)),
  );
  if (isOpened && brought !== undefined) {
    const at = args.findIndex(({ text }) => /^(?:-C|-d|--directory)$/.test(text));
    shell.bring(at === -1 ? '' : (args[at + 1]?.text ?? ''), brought);
  }
  return content;
};

/** Whether nobody is known who keeps what lies at an address. */
function isStrangers(address: string): boolean {
  return !/^(?:reputable|installer|local)$/.test(addressKind(address));
}

const base64: Effect = (call) =>
  has64Decode(call) ? decoded(inputOf(call), 'base64', fromBase64) : madeOf(inputOf(call));

function has64Decode({ args }: Call): boolean {
  return args.some(({ text }) => /^-[a-z]*[dD]|^--decode/.test(text));
}

/** The input of a filter: its standard input, or the files that it names. */
function inputOf({ shell, args, stdin, line, name }: Call): Value {
  const path = args.find(({ text }) => !text.startsWith('-') && looksLikePath(text));
  return path === undefined ? stdin : shell.fileAt(path, line, programOf(name.text));
}

const unpacks: Effect = (call) => decoded(inputOf(call), 'gzip', unpacked);

const tr: Effect = ({ args, stdin }) => {
  const [first, second] = args.filter(({ text }) => !/^-[a-zA-Z]/.test(text)).map(({ text }) => text);
  if (args.some(({ text }) => /^-d/.test(text)) && first !== undefined && /^[^\w\\[]*\w?[^\w\\[]*$/.test(first)) {
    return changed(stdin, (text) =>
      Array.from(text)
        .filter((one) => !first.includes(one))
        .join(''),
    );
  }
  if (first === undefined || second === undefined) return madeOf(stdin);
  if (/^a-zA-Z$|^A-Za-z$/i.test(first) && /^n-za-m|^N-ZA-M/i.test(second)) return decoded(stdin, 'ROT13', rotated);
  const [from, to] = [ranged(first), ranged(second)];
  return decoded(stdin, 'tr', (text) =>
    Array.from(text)
      .map((one) => to[from.indexOf(one)] ?? one)
      .join(''),
  );
};

/** A set of characters as `tr` takes it, with its ranges written out. */
function ranged(set: string): string {
  return set.slice(0, 200).replace(/(.)-(.)/g, (_, a: string, b: string) => {
    const [low, high] = [a.charCodeAt(0), b.charCodeAt(0)];
    return high < low || high - low > 128
      ? a + b
      : String.fromCharCode(...Array.from({ length: high - low + 1 }, (_each, index) => low + index));
  });
}

const sed: Effect = (call) => {
  const { shell, args, stdin, line } = call;
  const inPlace = args.some(({ text }) => /^-[a-z]*i/.test(text) || text.startsWith('--in-place'));
  const paths = args.filter(({ text }) => looksLikePath(text) && !/^s?\//.test(text) && !text.startsWith('-'));
  if (inPlace) for (const path of paths) shell.wrote(path, unknown, line, 'sed');
  const [, from, to] = /^s([^\w\s])((?:(?!\1).)*)\1((?:(?!\1).)*)\1g?$/.exec(args.at(-1)?.text ?? '')?.slice(1) ?? [];
  if (from !== undefined && to !== undefined && !/[\\^$.*+?()[\]{}&]/.test(from + to))
    return changed(stdin, (text) => text.replaceAll(from, to));
  return madeOf(stdin, ...paths.map((path) => (inPlace ? unknown : shell.fileAt(path, line, 'sed'))));
};

const echo: Effect = ({ args }) => {
  const first = args.findIndex(({ text }) => !/^-[neE]+$/.test(text));
  const rest = first === -1 ? [] : args.slice(first);
  const text = joined(rest, ' ');
  return args.slice(0, Math.max(first, 0)).some((one) => one.text.includes('e')) ? escaped(text) : text;
};

/** Undoes escapes. Letters written as numbers are an encoding; a line end is none. */
function escaped(value: Value): Value {
  const isHidden = /\\(?:x[\da-f]{2}|0?[0-7]{3}|u[\da-f]{4})/i.test(value.text);
  return isHidden
    ? decoded(value, 'escapes', (text) => unescaped(text.replace(/\\0([0-7]{1,3})/g, '\\$1')))
    : changed(value, unescaped);
}

const printf: Effect = ({ args }) => {
  const [format, ...values] = args[0]?.text === '--' ? args.slice(1) : args;
  if (format === undefined) return known('');
  let at = 0;
  const parts = escaped(format);
  const text = parts.text.replace(/%(?:[-\d.]*[sbdqi]|%)/g, (mark) =>
    mark === '%%' ? '%' : (values[at++]?.text ?? ''),
  );
  return escaped({
    text:
      text +
      values
        .slice(at)
        .map((one) => one.text)
        .join(''),
    from: sourcesOf([parts, ...values]),
  });
};

const xargs: Effect = (call) => {
  const options = optionsIn(call.args, '-I -n -P -L -d -E -s -a --replace --max-args --max-procs');
  const [mark] = valuesOf(options, '-I');
  if (options.rest.length === 0) return call.stdin;
  const at = call.args.indexOf(options.rest[0] ?? unknown);
  const words = call.args.slice(at);
  const argv =
    mark === undefined
      ? [...words, call.stdin]
      : words.map((word) =>
          word.text.includes(mark.text)
            ? { text: word.text.replaceAll(mark.text, call.stdin.text), from: sourcesOf([word, call.stdin]) }
            : word,
        );
  return call.shell.call(argv, unknown, call.line);
};

/** A program of its own before the files that it reads; it may start others. */
const awk: Effect = ({ shell, args, stdin, line, name }) => {
  const { given, rest } = optionsIn(args, '-F -v -f');
  const code = given.has('-f') ? undefined : rest[0];
  const files = code === undefined ? rest : rest.slice(1);
  if (code !== undefined) codeRun(shell.trace, shell.unit, code, 'loose', line, programOf(name.text));
  // Lines that it reads are commands, where it starts them.
  if (code !== undefined && stdin !== unknown && /system\s*\(\s*\$|\|\s*"(?:ba|z)?sh"/.test(code.text))
    codeRun(shell.trace, shell.unit, stdin, 'shell', line, programOf(name.text));
  const output = files.length === 0 ? madeOf(stdin) : madeOf(...files.map((path) => shell.fileAt(path, line, 'awk')));
  return /printf\s*\(?\s*["']%c/.test(code?.text ?? '') ? decoded(output, 'character codes', () => null) : output;
};

/** A command that keeps its input in variables. */
const keeps: Effect = ({ shell, args, stdin }) => {
  const { rest } = optionsIn(args, '-d -n -N -p -t -u -i -O -s -c -C');
  for (const { text } of rest) shell.variables.set(text, stdin);
  return known('');
};

const find: Effect = ({ shell, args, line }) => {
  const at = args.findIndex(({ text }) => /^-(?:exec|execdir|ok)$/.test(text));
  const names = args.filter((_, index) => /^-i?(?:name|path|wholename)$/.test(args[index - 1]?.text ?? ''));
  const root = args.find(({ text }) => looksLikePath(text)) ?? known('.');
  const wanted = [root, ...names].filter(({ text }) => credentialAt(text) !== null);
  const [found] = wanted;
  const value: Value =
    found === undefined ? sourced('file', root.text) : madeOf(...wanted.map((one) => shell.fileAt(one, line, 'find')));
  if (at === -1) return value;
  const words = args.slice(at + 1).filter(({ text }) => text !== ';' && text !== '+');
  return shell.call(
    words.map((word) =>
      word.text === '{}' ? { text: found?.text ?? `${root.text}/${hole}`, from: value.from } : word,
    ),
    unknown,
    line,
  );
};

/** A raw connection: what it is given goes out, and what it is told to run is a shell for someone else. */
const netcat: Effect = ({ shell, args, stdin, line, name }) => {
  const words = args.map(({ text }) => text);
  const by = programOf(name.text);
  const host = args.find(({ text }) => /[a-z]\.[a-z]|^\d+\.\d+|^TCP/i.test(text) && !text.startsWith('-')) ?? unknown;
  const runs =
    words.some((word) => /^-[a-z]*[ec]$|^--(?:sh-)?exec$|^EXEC:|SYSTEM:/i.test(word)) ||
    words.some((word) => /EXEC:.*sh\b/i.test(word));
  const listens = words.some((word) => /^-[a-z]*l/.test(word));
  if (runs)
    shell.trace.add(shell.unit, 'connect', line, { target: host, payload: [{ kind: 'command', what: by }], by });
  else if (!words.some((word) => /^-[a-z]*z/.test(word)) && !listens)
    shell.trace.add(shell.unit, 'send', line, { target: known(`tcp://${host.text}`), payload: stdin.from, by });
  return sourced('network', `tcp://${host.text}`);
};

/** A question to a name server carries off what stands in the name. */
const lookup: Effect = ({ shell, args, line, name }) => {
  const payload = sourcesOf(args).filter(({ kind }) => kind !== 'input');
  const target = args.find(({ text }) => text.includes('.') && !text.startsWith('-')) ?? unknown;
  if (payload.some(({ kind }) => kind !== 'network'))
    shell.trace.add(shell.unit, 'send', line, { target: known(`//${target.text}`), payload, by: programOf(name.text) });
  return sourced('network', target.text);
};

const evaluates: Effect = ({ shell, args, stdin, line, name }) => {
  const code = joined(args, ' ');
  if (programOf(name.text) === 'eval') codeRun(shell.trace, shell.unit, code, 'shell', line, 'eval');
  else {
    const [path] = args;
    const content =
      path === undefined ? stdin : (shell.kept(path.text) ?? (path.text === '/dev/stdin' ? stdin : undefined));
    if (content !== undefined) codeRun(shell.trace, shell.unit, content, 'shell', line, 'source');
  }
  return unknown;
};

const powershell: Effect = ({ shell, args, stdin, line }) => {
  const at = args.findIndex(({ text }) => /^[-/]e(?:n(?:c(?:o\w*)?)?|c)?$/i.test(text));
  const code = args[at + 1];
  if (at !== -1 && code !== undefined) {
    const plain = decoded(code, 'base64', (text) => Buffer.from(text, 'base64').toString('utf16le'));
    codeRun(shell.trace, shell.unit, plain, 'loose', line, 'powershell -EncodedCommand');
    return unknown;
  }
  const rest = args.filter(({ text }) => !/^[-/]/.test(text));
  const script = rest.length === 0 ? stdin : joined(rest, ' ');
  if (script !== unknown) codeRun(shell.trace, shell.unit, script, 'loose', line, 'powershell');
  return unknown;
};

const removes: Effect = ({ shell, args, line }) => {
  const isAll = args.some(({ text }) => /^-[a-zA-Z]*[rR]|--recursive/.test(text));
  for (const target of args)
    if (isAll && !target.text.startsWith('-')) shell.trace.add(shell.unit, 'delete', line, { target, by: 'rm' });
  return known('');
};

const tee: Effect = ({ shell, args, stdin, line }) => {
  for (const path of args) if (!path.text.startsWith('-')) shell.wrote(path, stdin, line, 'tee');
  return stdin;
};

const dd: Effect = ({ shell, args, stdin, line }) => {
  const named = (key: string): Value | undefined => {
    const one = args.find(({ text }) => text.startsWith(`${key}=`));
    return one && { text: one.text.slice(key.length + 1), from: one.from };
  };
  const [input, output] = [named('if'), named('of')];
  const content = input === undefined ? stdin : shell.fileAt(input, line, 'dd');
  if (output === undefined) return content;
  if (/^\/dev\/(?:sd|nvme|disk|hd|vd)/.test(output.text))
    shell.trace.add(shell.unit, 'delete', line, { target: output, by: 'dd' });
  else shell.wrote(output, content, line, 'dd');
  return known('');
};

const openssl: Effect = (call) => {
  const words = call.args.map(({ text }) => text);
  if (!words.includes('-d')) {
    if (words[0] === 's_client') return netcat(call);
    return madeOf(inputOf(call));
  }
  const isPlain = words[0] === 'base64' || words.some((word) => /^-base64$|^-a$|^-A$/.test(word));
  return decoded(
    inputOf(call),
    isPlain && !words.some((word) => /^-(?:aes|des|k|pass)/.test(word)) ? 'base64' : 'openssl',
    isPlain ? fromBase64 : () => null,
  );
};

const environment: Effect = ({ args, stdin }) => {
  const names = args.filter(({ text }) => !text.startsWith('-') && !text.includes('='));
  if (args.some(({ text }) => text.includes('='))) return madeOf(stdin);
  return names.length === 0
    ? sourced('environment', 'all variables')
    : sourced('environment', names.map(({ text }) => text).join(' '));
};

const pipInstalls: Effect = ({ shell, args, line, name }) => {
  const [verb] = args;
  const isRun = /^(?:npx|bunx|pnpx|uvx)$/.test(programOf(name.text));
  const url = args.find(
    ({ text }) => /^(?:git\+)?(?:https?|ftp):\/\//.test(text) && hostOf(text.replace(/^git\+/, '')) !== '',
  );
  if (url !== undefined && isRun) {
    codeRun(shell.trace, shell.unit, sourced('network', url.text), 'loose', line, programOf(name.text));
  } else if (verb !== undefined && /^(?:install|add|i|exec|dlx|x)$/.test(verb.text) && url !== undefined) {
    shell.trace.add(shell.unit, 'open', line, { target: url, by: `${programOf(name.text)} ${verb.text}` });
  }
  return unknown;
};

/** A clone. One that is put where nobody looks is not there to be looked at, wherever it comes from. */
function cloned(shell: Shell, url: string, folder?: string): void {
  const [name = ''] = url
    .replace(/\/$|\.git$/g, '')
    .split(/[/:]/)
    .slice(-1);
  const place = folder ?? name;
  const isHidden = shell.unit.isScript && /^\/(?:tmp|var\/tmp|dev\/shm)\/|(?:^|\/)\.\w/.test(place);
  if (addressKind(url) !== 'reputable' || isHidden) shell.bring(place, sourced('network', url));
}

/** A repository that is brought as a whole: what is run out of it comes from there. Those of known hosts can be looked at. */
const git: Effect = ({ shell, args, line }) => {
  const { rest } = optionsIn(args, '-C -c -b --branch --depth --config -o --origin --reference -j');
  const [verb, url, folder] = rest;
  if (verb?.text === 'clone' && url !== undefined) cloned(shell, url.text, folder?.text);
  // A repository that is sent to a remote which the script has made itself.
  if (verb?.text === 'remote' && /^(?:add|set-url)$/.test(url?.text ?? '') && folder !== undefined)
    shell.variables.set(`remote ${folder.text}`, rest[3] ?? unknown);
  const to = shell.variables.get(`remote ${url?.text ?? ''}`) ?? url;
  if (verb?.text === 'push' && to !== undefined && /:\/\/|@/.test(to.text) && addressKind(to.text) !== 'reputable')
    shell.trace.add(shell.unit, 'send', line, {
      target: to,
      payload: [{ kind: 'credential', what: 'the repository' }],
      by: 'git push',
    });
  return unknown;
};

/** A timetable that is put in place of the old one. */
const crontab: Effect = ({ shell, args, stdin, line }) => {
  const options = new Set(args.map(({ text }) => text));
  if (options.has('-l') || options.has('-e') || options.has('-r')) return unknown;
  const file = args.find(({ text }) => !text.startsWith('-'));
  shell.wrote(
    known('/var/spool/cron/user'),
    file === undefined ? stdin : shell.fileAt(file, line, 'crontab'),
    line,
    'crontab',
  );
  return known('');
};

/** The commands that matter here. Whatever is not among them passes on what it is given. */
const effects: Readonly<Record<string, Effect>> = {
  ...fill(curl, 'curl curlie xh'),
  ...fill(wget, 'wget wget2 fetch aria2c axel lynx w3m links http https'),
  ...fill(
    interpreter('shell', '-c', '-o -O --rcfile --init-file'),
    'bash sh zsh dash ksh ash mksh fish rbash su runuser',
  ),
  ...fill(interpreter('python', '-c', '-W -X'), 'python pypy pypy3 ipython uv'),
  ...fill(interpreter('javascript', '-e --eval -p --print', '-r --require --import'), 'node nodejs bun deno tsx'),
  ...fill(interpreter('loose', '-e -E -r', '-I -M'), 'perl ruby php lua osascript tclsh'),
  ...fill(awk, 'awk gawk mawk nawk'),
  ...fill(powershell, 'powershell pwsh'),
  ...fill(evaluates, 'eval source .'),
  ...fill(reads, 'head tail less more grep egrep rg strings sort uniq cut jq yq od nl paste wc split'),
  ...fill(copies, 'cp mv install scp rsync rclone'),
  ...fill(copies, 'ln'),
  ...fill(archives, 'tar bsdtar zip unzip 7z 7za ditto'),
  ...fill(unpacks, 'gunzip zcat gzcat bunzip2 bzcat unxz xzcat zstdcat lzma'),
  ...fill(netcat, 'nc ncat netcat socat telnet'),
  ...fill(lookup, 'nslookup dig host ping drill'),
  ...fill(pipInstalls, 'pip pipx npm pnpm yarn npx bunx pnpx uvx gem'),
  ...fill(keeps, 'read mapfile readarray'),
  trap: ({ shell, args: [code], line }) => {
    if (code !== undefined) codeRun(shell.trace, shell.unit, code, 'shell', line, 'trap');
    return known('');
  },
  ...fill(
    (call) =>
      call.args.some(({ text }) => /^(?:-d|--decrypt|-\w*d)$/.test(text))
        ? decoded(inputOf(call), programOf(call.name.text), () => null)
        : archives(call),
    'gpg gpg2 age ccrypt',
  ),
  gzip: (call) => (call.args.some(({ text }) => /^-[a-z]*d/.test(text)) ? unpacks(call) : madeOf(inputOf(call))),
  xz: (call) => madeOf(inputOf(call)),
  base64,
  gbase64: base64,
  base32: (call) => (has64Decode(call) ? decoded(inputOf(call), 'base32', fromBase32) : madeOf(inputOf(call))),
  basenc: base64,
  xxd: (call) =>
    call.args.some(({ text }) => /^-[a-z]*r/.test(text))
      ? decoded(inputOf(call), 'hex', fromHex)
      : madeOf(inputOf(call)),
  uudecode: (call) => decoded(inputOf(call), 'uuencode', () => null),
  openssl,
  rev: (call) => decoded(inputOf(call), 'reversal', reversed),
  tac: (call) => madeOf(inputOf(call)),
  tr,
  sed,
  cat,
  bat: cat,
  echo,
  printf,
  xargs,
  parallel: xargs,
  find,
  tee,
  dd,
  rm: removes,
  crontab,
  printenv: environment,
  env: environment,
  set: ({ args }) => (args.length === 0 ? sourced('environment', 'all variables') : unknown),
  export: ({ args }) =>
    args.some(({ text }) => text === '-p') || args.length === 0 ? sourced('environment', 'all variables') : known(''),
  declare: ({ args }) =>
    args.some(({ text }) => text === '-x') && args.length === 1 ? sourced('environment', 'all variables') : known(''),
  ...fill(() => sourced('credential', 'the clipboard'), 'pbpaste xclip xsel wl-paste'),
  ...fill(({ shell, args }) => {
    const path = args.filter(({ text }) => !text.startsWith('-')).at(-1);
    if (path !== undefined) shell.trace.wrote(path.text, sourced('credential', 'the screen'));
    return known('');
  }, 'screencapture scrot gnome-screenshot grim maim'),
  ...fill(({ shell, args, line, name }) => {
    const url = args.find(({ text }) => /https?:\/\//.test(text));
    if (url !== undefined)
      codeRun(shell.trace, shell.unit, sourced('network', url.text), 'loose', line, programOf(name.text));
    return unknown;
  }, 'mshta regsvr32 rundll32 msiexec'),
  git,
  ...fill(({ shell, args }) => {
    const [to] = args.filter(({ text }) => !/^-./.test(text));
    if (to !== undefined) shell.enter(to.text);
    return known('');
  }, 'cd pushd'),
};

function fill(effect: Effect, names: string): Record<string, Effect> {
  return Object.fromEntries(names.split(' ').map((name) => [name, effect]));
}

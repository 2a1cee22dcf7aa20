import { fromBase32, fromBase64, fromHex, fromPercent, reversed, rotated, unpacked } from './decode.ts';
import { codeRun, fileRead, outputOf, variableNamed } from './effects.ts';
import {
  allOf,
  type CallEffect,
  type Called,
  elementsOf,
  isKeys,
  listOf,
  memberOf,
  nothing,
  type Thing,
} from './program.ts';
import type { Language } from './unit.ts';
import {
  changed,
  decoded,
  has,
  hole,
  isKnown,
  joined,
  known,
  madeOf,
  sourced,
  sourcesOf,
  type Value,
} from './value.ts';

/** Functions of Python and JavaScript that matter here, by their full names; what is the same in both stands once. */

function first({ args, named }: Called, ...names: readonly string[]): Thing {
  return args[0] ?? names.map((name) => named.get(name)).find((one) => one !== undefined) ?? nothing;
}

function fill(effect: CallEffect, names: string): Record<string, CallEffect> {
  return Object.fromEntries(
    names
      .split(/\s+/)
      .filter((name) => name !== '')
      .map((name) => [name, effect]),
  );
}

const decodes =
  (encoding: string, decode: (text: string) => string | null): CallEffect =>
  (call) =>
    decoded(first(call, 's', 'data'), encoding, decode);

const codings: Readonly<Record<string, (text: string) => string | null>> = {
  base64: fromBase64,
  base64url: fromBase64,
  hex: fromHex,
  hex_codec: fromHex,
  rot13: rotated,
  rot_13: rotated,
  zlib: unpacked,
  base64_codec: fromBase64,
};

/** Decodes by the name of an encoding, which stands behind the text. */
const byName: CallEffect = ({ args }) => {
  const [text = nothing, encoding = known('utf8')] = args;
  const decode = Object.hasOwn(codings, encoding.text) ? codings[encoding.text] : undefined;
  if (decode === undefined && text.items !== undefined) return fromCodes(text.items);
  return decode === undefined ? text : decoded(text, encoding.text, decode);
};

/** A text from the numbers of its characters. */
function fromCodes(codes: readonly Thing[]): Thing {
  const numbers = codes.map(({ number }) => number);
  const from = sourcesOf([...codes, sourced('decoded', 'character codes')]);
  // A letter whose number is worked out when the program runs is one that nobody was to read.
  if (codes.length < 3 && numbers.every((one) => one !== undefined))
    return { text: numbers.map((one) => safeChar(one ?? 0)).join(''), from: sourcesOf(codes) };
  return {
    text: numbers.every((one) => one !== undefined) ? numbers.map((one) => safeChar(one ?? 0)).join('') : hole,
    from,
  };
}

function safeChar(code: number): string {
  return Number.isInteger(code) && code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

const characters: CallEffect = ({ args }) => fromCodes(args.flatMap((one) => one.items ?? [one]));

const runsCode =
  (language: Language): CallEffect =>
  ({ program: { trace, unit }, args, name, line }) => {
    // The last word of a function is its body.
    const code = name === 'Function' ? args.at(-1) : args[0];
    if (
      code !== undefined &&
      code.call === undefined &&
      (code.text.includes(hole) ? code.from.length > 0 : code.text !== '')
    )
      codeRun(trace, unit, code, language, line, name);
    return madeOf(...args);
  };

/** A word as a shell would have to be given it. */
function quoted(text: string): string {
  return /^[\w./:=@%+,~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;
}

/** A program that is started: by a line for a shell, or by its words. */
const starts: CallEffect = ({ program: { trace, unit }, args, named, name, line }) => {
  const [command = named.get('args') ?? named.get('command') ?? nothing, second] = args;
  const words = command.items ?? (second?.items === undefined ? undefined : [command, ...second.items]);
  const code: Value =
    words === undefined ? command : { text: words.map(({ text }) => quoted(text)).join(' '), from: sourcesOf(words) };
  if (isCode(words) && code.from.some(({ kind }) => kind === 'network' || kind === 'decoded'))
    codeRun(trace, unit, code, 'shell', line, name);
  else if (code.text !== hole) {
    trace.add(unit, 'command', line, { target: code, payload: code.from, by: name });
    trace.inside(unit, 'shell', code, line);
    const file = trace.fileAt(words?.[0]?.text ?? code.text.split(' ')[0] ?? '');
    if (file !== undefined && has(file, 'network')) codeRun(trace, unit, file, 'shell', line, name);
  }
  const input = named.get('input') ?? named.get('stdin');
  if (input !== undefined && /\b(?:ba|z|da)?sh\b|python|node/.test(code.text))
    codeRun(trace, unit, input, 'shell', line, name);
  return {
    ...sourced('command', code.text.slice(0, 80)),
    from: sourcesOf([sourced('command', code.text.slice(0, 80)), code, ...outputOf(code.text)]),
    ...(isInterpreter(code.text) && { name: 'interpreter' }),
  };
};

/** Whether what is started is code as a whole: a line for a shell, or words for an interpreter to run. */
function isCode(words: readonly Thing[] | undefined): boolean {
  const [program, option] = words ?? [];
  return words === undefined || (/^-\w*[ce]$/.test(option?.text ?? '') && isInterpreter(program?.text ?? ''));
}

/** Whether a command line starts a program that runs what it is told on its input. */
function isInterpreter(line: string): boolean {
  return /^(?:\S*\/)?(?:(?:ba|z|da|k)?sh|python[\d.]*|node|perl|ruby|php|powershell|pwsh|cmd)(?:\.exe)?(?:\s+-[si]*)*\s*$/i.test(
    line,
  );
}

/** Something told to a process: code, where the process runs what it is told. */
const tells: CallEffect = ({ program: { trace, unit }, self, args, named, name, line }) => {
  const told = args[0] ?? named.get('input');
  if (told !== undefined && told.call === undefined) codeRun(trace, unit, told, 'shell', line, name);
  return madeOf(self);
};

function isTold({ self }: Called): boolean {
  return /^interpreter(?:\.stdin)?$/.test(self.name ?? '');
}

const brings: CallEffect = (call) => asked(call, false);
const sends: CallEffect = (call) => asked(call, true);

/** A request: whether it takes something along depends on what it is called with. */
function asked({ program: { trace, unit }, args, named, name, self, line }: Called, isSent: boolean): Thing {
  const target =
    args.find(({ text, url }) => url !== undefined || /^[\w+]*:?\/\/|\.\w/.test(text)) ??
    named.get('url') ??
    (self.url as Thing | undefined) ??
    args[0] ??
    nothing;
  const url: Value =
    target.url ?? target.fields?.get('url') ?? target.fields?.get('hostname') ?? target.fields?.get('host') ?? target;
  const others = args.filter((one) => one !== target && one.call === undefined);
  const bodies = [...others, ...named.entries()].flatMap((one) =>
    Array.isArray(one) ? carried(...one) : withoutHeaders(one),
  );
  const payload = sourcesOf([
    ...bodies.map(allOf),
    ...(target.url === undefined
      ? target.fields === undefined
        ? []
        : withoutHeaders(target).map(allOf)
      : [allOf(target)]),
    { text: '', from: url.from },
  ]).filter(({ kind }) => kind !== 'network' && kind !== 'input' && kind !== 'decoded');
  const takes = isSent || payload.length > 0;
  trace.add(unit, takes ? 'send' : 'fetch', line, { target: url, payload, by: name });
  const answer: Thing = { ...sourced('network', url.text), name: 'response', url };
  const file = name.endsWith('urlretrieve') ? args[1] : undefined;
  if (file !== undefined) {
    trace.wrote(file.text, answer);
    trace.add(unit, 'write', line, { target: file, payload: answer.from, by: name });
  }
  for (const one of args) one.call?.([answer]);
  return answer;
}

/** The fields of the options of a request that carry something. */
function withoutHeaders(options: Thing): Thing[] {
  return options.fields === undefined ? [options] : [...options.fields].flatMap(([key, value]) => carried(key, value));
}

/** An option of a request. Headers are where a service's own key belongs: only what was taken from a person counts in them. */
function carried(key: string, value: Thing): Thing[] {
  if (/^(?:agent|signal|timeout|verify|stream|proxies)$/.test(key)) return [];
  if (!/^(?:headers|auth|cookies)$/.test(key)) return [value];
  return [
    {
      text: hole,
      from: allOf(value).from.filter(({ kind, what }) => kind === 'credential' || what === 'all variables'),
    },
  ];
}

const connects: CallEffect = ({ program: { trace, unit }, args, name, line }) => {
  const [target = nothing, second] = args;
  const [host = target, port] =
    target.items ??
    (target.fields === undefined
      ? [target, second]
      : [target.fields.get('host') ?? nothing, target.fields.get('port')]);
  const [address, number] = host.number !== undefined && second !== undefined ? [second, host] : [host, port];
  const url = /^[a-z]+:\/\//.test(address.text) ? address : known(`tcp://${address.text}:${number?.text ?? ''}`);
  trace.add(unit, 'fetch', line, { target: url, by: name });
  return { ...sourced('network', url.text), url, name: 'socket' };
};

/** A question to a name server carries off what stands in the name. */
const looksUp: CallEffect = ({ program: { trace, unit }, args: [name = nothing], name: by, line }) => {
  const payload = name.from.filter(({ kind }) => kind !== 'input' && kind !== 'network');
  if (payload.length > 0) trace.add(unit, 'send', line, { target: known(`//${name.text}`), payload, by });
  return sourced('network', name.text);
};

/** A connection that takes the place of standard input or output: whatever runs then, runs for whoever is at its end. */
const replacesStreams: CallEffect = ({ program: { trace, unit }, args, name, line }) => {
  const url = args[0]?.url;
  if (url !== undefined)
    trace.add(unit, 'connect', line, { target: url, payload: [{ kind: 'command', what: name }], by: name });
  return nothing;
};

/** Something sent over a connection that is open. */
const transmits: CallEffect = ({ program: { trace, unit }, self, args, line, name }) => {
  const payload = sourcesOf(args.map(allOf));
  if (self.url !== undefined || payload.some(({ kind }) => kind === 'credential'))
    trace.add(unit, 'send', line, { target: self.url ?? nothing, payload, by: name });
  return nothing;
};

function isWriting(mode: Thing | undefined): boolean {
  return mode !== undefined && /[wax+]/.test(mode.text) && isKnown(mode) && mode.text.length <= 4;
}

const opens: CallEffect = ({ program: { trace, unit }, args, named, self, name, line }) => {
  const path = self.path ?? args[0] ?? named.get('file') ?? nothing;
  const mode = self.path === undefined ? (args[1] ?? named.get('mode')) : (args[0] ?? named.get('mode'));
  if (isWriting(mode)) return { text: hole, from: [], path, name: 'output' };
  return { ...fileRead(trace, unit, path, line, name), path, name: 'file' };
};

const readsFile: CallEffect = ({ program: { trace, unit }, args, self, name, line }) => {
  const path = self.path ?? args[0] ?? nothing;
  const content = { ...fileRead(trace, unit, path, line, name), path };
  for (const one of args) one.call?.([nothing, content]);
  return content;
};

const writesFile: CallEffect = ({ program: { trace, unit }, args, self, name, line }) => {
  const [path, content] = self.path === undefined ? [args[0], args[1]] : [self.path, args[0]];
  if (path === undefined) return nothing;
  const what = content === undefined ? nothing : allOf(content);
  trace.add(unit, 'write', line, { target: path, payload: what.from, content: what.text, by: name });
  trace.wrote(path.text, what);
  return nothing;
};

/** `write` of a handle: of a file, of a request, or of a connection. */
const writes: CallEffect = (call) => {
  if (call.self.url !== undefined) return transmits(call);
  return call.self.path === undefined ? madeOf(call.self, ...call.args) : writesFile(call);
};

const copiesFile: CallEffect = ({ program: { trace, unit }, args, name, line }) => {
  const [from = nothing, to = nothing] = args;
  const content = fileRead(trace, unit, from, line, name);
  trace.add(unit, 'write', line, { target: to, payload: content.from, by: name });
  trace.wrote(to.text, content);
  return nothing;
};

const removes: CallEffect = ({ program: { trace, unit }, args, name, line }) => {
  trace.add(unit, 'delete', line, { target: args[0] ?? nothing, by: name });
  return nothing;
};

const joinsPath: CallEffect = ({ args }) => {
  const path = joined(args, '/');
  return { ...path, text: path.text.replace(/\/{2,}/g, '/'), path };
};

const same: CallEffect = (call) => {
  const [value = call.self] = call.args;
  return value;
};
const asItIs: CallEffect = ({ self }) => self;
const path: CallEffect = ({ args }) => {
  const value = args.length > 1 ? joined(args, '/') : (args[0] ?? known('.'));
  return { ...value, path: value, name: 'Path' };
};

const secret =
  (what: string): CallEffect =>
  ({ program: { trace, unit }, name, line }) => {
    trace.add(unit, 'read', line, { target: known(`secret:${what}`), by: name });
    return sourced('credential', what);
  };

/** Functions that watch a person. */
const watches: CallEffect = ({ program: { trace, unit }, name, line, args }) => {
  trace.add(unit, 'command', line, { target: known(`watch:${name}`), by: name });
  for (const one of args) one.call?.([sourced('credential', 'what is typed')]);
  return sourced('credential', 'what is typed');
};

const imports: CallEffect = ({ program: { trace, unit }, args, name: by, line }) => {
  const [name = nothing] = args;
  const file = trace.moduleAt(name.text);
  if (file !== undefined) codeRun(trace, unit, file, unit.language, line, by);
  return isKnown(name) ? { text: hole, from: [], name: name.text.replace(/^node:/, '') } : madeOf(name);
};

const environment: CallEffect = ({ args }) => variableNamed(args[0]?.text ?? '');

const shared: Readonly<Record<string, CallEffect>> = {
  open: opens,
  'String.fromCharCode': characters,
  'String.fromCodePoint': characters,
};

const pythonCalls: Readonly<Record<string, CallEffect>> = {
  ...shared,
  ...fill(
    decodes('base64', fromBase64),
    'base64.b64decode base64.urlsafe_b64decode base64.standard_b64decode base64.decodebytes base64.decodestring binascii.a2b_base64',
  ),
  ...fill(decodes('base32', fromBase32), 'base64.b32decode'),
  ...fill(
    decodes('base85', () => null),
    'base64.b85decode base64.a85decode base64.b16decode',
  ),
  ...fill(decodes('hex', fromHex), 'bytes.fromhex bytearray.fromhex binascii.unhexlify binascii.a2b_hex'),
  ...fill(decodes('gzip', unpacked), 'zlib.decompress gzip.decompress bz2.decompress lzma.decompress'),
  ...fill(decodes('percent', fromPercent), 'urllib.parse.unquote urllib.unquote'),
  ...fill(
    decodes('marshal', () => null),
    'marshal.loads',
  ),
  ...fill(byName, 'codecs.decode'),
  ...fill(characters, 'chr bytes bytearray'),
  // Objects that are read back may run whatever their maker wanted.
  ...fill(
    runsCode('python'),
    'pickle.load pickle.loads cloudpickle.loads dill.loads joblib.load torch.load yaml.unsafe_load',
  ),
  ...fill(runsCode('python'), 'exec eval execfile types.FunctionType code.InteractiveInterpreter'),
  compile: same,
  ...fill(imports, '__import__ importlib.import_module'),
  getattr: ({ args }) =>
    args[0] !== undefined && args[1] !== undefined && isKnown(args[1])
      ? memberOf(args[0], args[1].text)
      : madeOf(...args),
  ...fill(
    starts,
    'os.system os.popen os.popen2 os.popen3 subprocess.run subprocess.call subprocess.check_output subprocess.check_call subprocess.Popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput asyncio.create_subprocess_shell asyncio.create_subprocess_exec os.execv os.execvp os.execl os.execlp os.spawnl pty.spawn pexpect.spawn sh.bash',
  ),
  ...fill(
    brings,
    'requests.get requests.head httpx.get urllib.request.urlopen urllib2.urlopen urllib.urlopen urllib.request.urlretrieve urllib.urlretrieve wget.download aiohttp.get urllib3.request',
  ),
  ...fill(sends, 'requests.post requests.put requests.patch requests.request httpx.post httpx.put httpx.request'),
  ...fill(
    connects,
    'socket.create_connection websocket.create_connection smtplib.SMTP smtplib.SMTP_SSL ftplib.FTP ftplib.FTP_TLS',
  ),
  ...fill(
    ({ args, named }) => ({
      text: hole,
      from: [],
      name: 'client',
      url: joined([known('https://'), args[0] ?? named.get('host') ?? nothing]),
    }),
    'http.client.HTTPSConnection http.client.HTTPConnection',
  ),
  'urllib.request.Request': ({ args, named }) => ({
    text: args[0]?.text ?? hole,
    from: sourcesOf(
      [...args.slice(1), ...[...named].filter(([key]) => key !== 'headers').map(([, value]) => value)].map(allOf),
    ),
    url: args[0] ?? named.get('url') ?? nothing,
  }),
  'socket.socket': () => ({ text: hole, from: [], name: 'socket.socket()' }),
  ...fill(
    copiesFile,
    'shutil.copy shutil.copyfile shutil.copy2 shutil.move shutil.copytree os.rename os.replace os.symlink',
  ),
  ...fill(removes, 'shutil.rmtree os.remove os.unlink os.rmdir os.removedirs send2trash.send2trash'),
  ...fill(joinsPath, 'os.path.join posixpath.join'),
  ...fill(
    same,
    'os.path.expanduser os.path.expandvars os.path.abspath os.path.realpath str os.path.normpath memoryview list tuple iter os.fspath repr print',
  ),
  ...fill(path, 'pathlib.Path Path pathlib.PurePath pathlib.PosixPath'),
  ...fill(() => ({ ...known('~'), path: known('~'), name: 'Path' }), 'pathlib.Path.home Path.home'),
  'os.dup2': replacesStreams,
  // A module by its file: what the file holds is run.
  ...fill(({ program: { trace, unit }, args, name, line }) => {
    const file = trace.fileAt(args.find(({ text }) => /[/.]/.test(text))?.text ?? args[1]?.text ?? '');
    if (file !== undefined && file.from.length > 0) codeRun(trace, unit, file, 'python', line, name);
    return madeOf(...args);
  }, 'importlib.util.spec_from_file_location imp.load_source importlib.machinery.SourceFileLoader runpy.run_path runpy.run_module'),
  ...fill(({ args: [coroutine = nothing] }) => coroutine, 'asyncio.run asyncio.get_event_loop().run_until_complete'),
  'tempfile.gettempdir': () => known('/tmp'),
  ...fill(looksUp, 'socket.gethostbyname socket.getaddrinfo dns.resolver.resolve dns.resolver.query'),
  ...fill(readsFile, 'sqlite3.connect os.listdir os.walk os.scandir glob.glob glob.iglob zipfile.ZipFile'),
  ...fill(environment, 'os.getenv os.environ.get os.environ.pop'),
  ...fill(() => sourced('environment', 'all variables'), 'os.environ.copy os.environ.items os.environ.values'),
  dict: ({ args, named }) =>
    args[0]?.name === 'os.environ'
      ? sourced('environment', 'all variables')
      : { text: hole, from: sourcesOf([...args, ...named.values()].map(allOf)), fields: named },
  ...fill(
    ({ args }) =>
      madeOf(...args.map((one) => (one.name === 'os.environ' ? sourced('environment', 'all variables') : allOf(one)))),
    'json.dumps pickle.dumps base64.b64encode base64.urlsafe_b64encode binascii.hexlify zlib.compress gzip.compress urllib.parse.urlencode urllib.parse.quote pprint.pformat',
  ),
  ...fill(secret('the keyring'), 'keyring.get_password keyring.get_credential'),
  ...fill(
    secret("a browser's cookies"),
    'browser_cookie3.chrome browser_cookie3.firefox browser_cookie3.load browser_cookie3.brave browser_cookie3.edge browsercookie.chrome win32crypt.CryptUnprotectData',
  ),
  ...fill(watches, 'pynput.keyboard.Listener keyboard.on_press keyboard.hook keyboard.record pynput.mouse.Listener'),
  map: ({ program, args, line }) => {
    const [fn = nothing, list = nothing] = args;
    const items = elementsOf(list)?.map((one) => program.call(fn, [one], new Map(), line));
    return items === undefined ? madeOf(...args) : listOf(items);
  },
  reversed: ({ args }) => {
    const items = elementsOf(args[0] ?? nothing);
    return items === undefined ? madeOf(...args) : listOf([...items].reverse());
  },
  int: ({ args }) => {
    const number = Number.parseInt(args[0]?.text ?? '', Number(args[1]?.text ?? 10));
    return Number.isNaN(number) ? madeOf(...args) : { text: String(number), from: args[0]?.from ?? [], number };
  },
  ord: ({ args }) => ({
    text: String(args[0]?.text.codePointAt(0) ?? ''),
    from: args[0]?.from ?? [],
    number: args[0]?.text.codePointAt(0) ?? 0,
  }),
};

const javascriptCalls: Readonly<Record<string, CallEffect>> = {
  ...shared,
  ...fill(decodes('base64', fromBase64), 'atob Base64.decode js-base64.decode'),
  ...fill(byName, 'Buffer.from Buffer buffer.Buffer.from'),
  ...fill(decodes('percent', fromPercent), 'unescape decodeURIComponent decodeURI'),
  ...fill(
    decodes('gzip', unpacked),
    'zlib.gunzipSync zlib.inflateSync zlib.unzipSync zlib.inflateRawSync zlib.brotliDecompressSync zlib.gunzip zlib.inflate pako.inflate pako.ungzip',
  ),
  ...fill(
    runsCode('javascript'),
    'eval Function vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction setTimeout setInterval setImmediate execScript module._compile',
  ),
  ...fill(imports, 'require import module.require createRequire process.getBuiltinModule'),
  ...fill(
    starts,
    'child_process.exec child_process.execSync child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync child_process.fork execa execa.execa execa.execaCommand shelljs.exec Bun.spawn Bun.spawnSync Deno.run Deno.Command zx.$ Bun.$ process.binding cross-spawn',
  ),
  ...fill(
    brings,
    'fetch node-fetch axios axios.get http.get https.get http.request https.request got got.get undici.fetch undici.request request request.get superagent.get needle.get ky ky.get XMLHttpRequest.open importScripts',
  ),
  ...fill(
    sends,
    'axios.post axios.put axios.patch got.post got.put request.post superagent.post needle.post ky.post navigator.sendBeacon undici.post',
  ),
  ...fill(
    looksUp,
    'dns.lookup dns.resolve dns.resolve4 dns.resolveTxt dns/promises.lookup dns/promises.resolve dns/promises.resolve4 dns.promises.lookup dns.promises.resolve4',
  ),
  ...fill(connects, 'net.connect net.createConnection tls.connect WebSocket ws ws.WebSocket net.Socket'),
  ...fill(
    readsFile,
    'fs.readFileSync fs.readFile fs.createReadStream fs.readdirSync fs.readdir fs-extra.readFile fs-extra.readFileSync Deno.readTextFile Deno.readTextFileSync Deno.readFile Bun.file fs.openSync fs-extra.readJson',
  ),
  ...fill(
    writesFile,
    'fs.writeFileSync fs.writeFile fs.appendFileSync fs.appendFile fs-extra.writeFile fs-extra.outputFile Deno.writeTextFile Deno.writeTextFileSync Bun.write',
  ),
  'fs.createWriteStream': ({ args }) => ({ text: hole, from: [], path: args[0] ?? nothing, name: 'output' }),
  ...fill(copiesFile, 'fs.copyFileSync fs.copyFile fs.cpSync fs.cp fs.renameSync fs.rename fs.symlinkSync fs.linkSync'),
  ...fill(removes, 'fs.rmSync fs.rm fs.rmdirSync fs.unlinkSync fs.unlink rimraf rimraf.sync'),
  ...fill(joinsPath, 'path.join path.resolve path.posix.join'),
  ...fill(() => known('~'), 'os.homedir homedir'),
  ...fill(() => sourced('environment', 'all variables'), 'Deno.env.toObject'),
  ...fill(
    ({ args }) =>
      madeOf(...args.map((one) => (one.name === 'process.env' ? sourced('environment', 'all variables') : allOf(one)))),
    'JSON.stringify btoa encodeURIComponent Object.entries Object.values Object.assign querystring.stringify util.inspect',
  ),
  ...fill(environment, 'Deno.env.get'),
  ...fill(same, 'String util.promisify Promise.resolve Array.from URL url.pathToFileURL url.fileURLToPath'),
  ...fill(secret('the keychain'), 'keytar.getPassword keytar.findCredentials keytar.findPassword'),
  parseInt: ({ args }) => {
    const number = Number.parseInt(args[0]?.text ?? '', Number(args[1]?.text ?? 10));
    return Number.isNaN(number) ? madeOf(...args) : { text: String(number), from: args[0]?.from ?? [], number };
  },
};

/** Methods of whatever they are called on: texts, lists, files, answers. */
const methods: Readonly<Record<string, CallEffect>> = {
  ...fill(
    asItIs,
    'decode encode strip trim text json content arrayBuffer toString valueOf readlines arrayBuffer blob getvalue resolve expanduser absolute fileno raise_for_status copy slice rstrip lstrip flat splitlines as_posix',
  ),
  // A handle that is read, or an object that reads a file.
  read: ({ self, args: [path] }) =>
    path !== undefined && isKeys(path.text) ? madeOf(self, sourced('credential', path.text)) : self,
  ...fill(({ self }) => changed(self, (text) => text.toLowerCase()), 'lower toLowerCase casefold'),
  ...fill(({ self }) => changed(self, (text) => text.toUpperCase()), 'upper toUpperCase'),
  ...fill(joinsList, 'join'),
  ...fill(
    ({ self, args }) =>
      args[0] !== undefined && isKnown(args[0]) && args[0].text !== '' && args[0].text !== ' ' && isKnown(self)
        ? listOf(
            self.text
              .split(args[0].text)
              .slice(0, 20_000)
              .map((text) => ({ text, from: self.from })),
          )
        : args[0]?.text === '' && isKnown(self)
          ? listOf(elementsOf(self) ?? [])
          : self,
    'split',
  ),
  ...fill(
    ({ self }) => (self.items === undefined ? changed(self, reversed) : listOf([...self.items].reverse())),
    'reverse toReversed',
  ),
  ...fill(
    ({ self, args: [from, to] }) =>
      from !== undefined && to !== undefined && isKnown(from) && isKnown(to) && from.text !== ''
        ? changed(self, (text) => text.replaceAll(from.text, to.text))
        : madeOf(self, ...(to === undefined ? [] : [to])),
    'replace replaceAll',
  ),
  ...fill(({ self, args }) => joined([self, ...args]), 'concat'),
  ...fill(({ self, args, named }) => {
    let at = 0;
    const text = self.text.replace(
      /\{(\w*)\}/g,
      (_, key: string) => (key === '' ? args[at++] : (named.get(key) ?? args[Number(key)]))?.text ?? hole,
    );
    return { text, from: sourcesOf([self, ...args, ...named.values()]) };
  }, 'format'),
  map: ({ program, self, args, line }) => {
    const [fn = nothing] = args;
    const items = elementsOf(self)?.map((one) => program.call(fn, [one], new Map(), line));
    return items === undefined ? (fn.call?.([self]) ?? madeOf(self)) : listOf(items);
  },
  ...fill(({ program, self, args, line }) => {
    const results = args.map((fn) =>
      fn.call === undefined && fn.name === undefined ? nothing : program.call(fn, [self], new Map(), line),
    );
    return results[0] ?? self;
  }, 'then'),
  ...fill(({ self, args }) => {
    for (const one of args) one.call?.([self, self]);
    return self;
  }, 'on once addEventListener forEach finally catch'),
  pipe: (call) => {
    const [target = nothing] = call.args;
    const { trace, unit } = call.program;
    if (isTold({ ...call, self: target }) && call.self.name === 'socket') {
      trace.add(unit, 'connect', call.line, { target: call.self.url ?? nothing, by: call.name });
      return target;
    }
    if (isTold({ ...call, self: target })) return tells({ ...call, self: target, args: [call.self] });
    if (target.path !== undefined) writesFile({ ...call, self: target, args: [call.self] });
    return target;
  },
  ...fill(
    (call) => (call.self.path === undefined ? call.self : readsFile({ ...call, args: [] })),
    'read_text read_bytes iterdir readText',
  ),
  open: (call) => (call.self.path === undefined ? madeOf(call.self, ...call.args) : opens(call)),
  glob: (call) => (call.self.path === undefined ? call.self : readsFile({ ...call, args: [] })),
  fileno: ({ self }) => self,
  ...fill(writesFile, 'write_text write_bytes'),
  ...fill((call) => (isTold(call) ? tells(call) : writes(call)), 'write writelines end'),
  communicate: (call) => (isTold(call) ? tells(call) : madeOf(call.self, ...call.args)),
  _compile: runsCode('javascript'),
  request: (call) =>
    call.self.url !== undefined || call.args.some(({ text }) => /^https?:\/\//.test(text))
      ? asked(call, /^(?:POST|PUT|PATCH)$/i.test(call.args[0]?.text ?? ''))
      : madeOf(call.self, ...call.args),
  ...fill(looksUp, 'resolve4 resolve6 resolveTxt'),
  sendto: (call) => {
    const address = call.args.find(({ items }) => items !== undefined)?.items ?? [];
    return transmits({ ...call, self: { ...call.self, url: known(`udp://${address[0]?.text ?? hole}`) } });
  },
  ...fill(
    ({ self, args }) =>
      self.url === undefined ? madeOf(self, ...args) : { ...sourced('network', self.url.text), url: self.url },
    'getresponse recv receive recv_into',
  ),
  ...fill(transmits, 'sendall send sendmail send_message storbinary emit'),
  ...fill((call) => {
    const known = /^(?:socket\.socket\(\)|net\.Socket\(\)|socket)/.test(call.self.name ?? '');
    return known ? connects(call) : madeOf(call.self, ...call.args);
  }, 'connect connect_ex'),
  ...fill(
    (call) => (isRequest(call) && !isKeys(call.args[0]?.text ?? '') ? asked(call, true) : passesOn(call)),
    'post put patch',
  ),
  ...fill((call) => (isRequest(call) ? asked(call, false) : madeOf(call.self, ...call.args)), 'get'),
  ...fill(({ self, args }) => ({ ...joinsPathOf(self, args) }), 'joinpath'),
  charCodeAt: ({ self, args }) => {
    const code = self.text.charCodeAt(Number(args[0]?.text ?? 0));
    return Number.isNaN(code) ? madeOf(self) : { text: String(code), from: self.from, number: code };
  },
};

/** A method of an unknown object that is given keys, or the path of some, to take along. */
function passesOn(call: Called): Thing {
  const given = call.args.map((one) => (isKeys(one.text) ? sourced('credential', one.text) : allOf(one)));
  const payload = sourcesOf(given).filter(({ kind }) => kind === 'credential');
  const { trace, unit } = call.program;
  if (payload.length > 0)
    trace.add(unit, 'send', call.line, { target: call.self.url ?? nothing, payload, by: call.name });
  return madeOf(call.self, ...call.args);
}

function joinsPathOf(self: Thing, args: readonly Thing[]): Thing {
  const value = joined([self, ...args], '/');
  return { ...value, path: value, name: 'Path' };
}

/** Whether a method of an unknown object is given an address first: then it is a client for HTTP. */
function isRequest({ args, self }: Called): boolean {
  return /^(?:https?|wss?):\/\//.test(args[0]?.text ?? '') || (self.name?.match(/session|client/i) ?? null) !== null;
}

/** `', '.join(list)` and `list.join(', ')`. */
function joinsList({ self, args }: Called): Thing {
  const [list, between] = self.items === undefined ? [args[0] ?? nothing, self] : [self, args[0] ?? known(',')];
  if (list.items === undefined) return madeOf(self, ...args);
  const value = joined(list.items, isKnown(between) ? between.text : '');
  // Letters that were put together one by one were kept apart for a reason.
  const isSpelled = list.items.length > 8 && list.items.every(({ text }) => text.length === 1);
  return isSpelled && value.from.length === 0
    ? { ...value, from: [{ kind: 'decoded', what: 'single letters' }] }
    : value;
}

export const python = { calls: pythonCalls, methods };
export const javascript = { calls: javascriptCalls, methods };

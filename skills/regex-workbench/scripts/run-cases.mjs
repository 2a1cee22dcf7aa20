#!/usr/bin/env node
// Run a regular expression against should-match / should-not-match cases, with a
// time limit per case, and probe it for catastrophic backtracking.

import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

const SELF = 'run-cases';
const HELP = `Usage: run-cases.mjs [options] [CASES]
       run-cases.mjs --pattern 'P' --match TEXT --no-match TEXT

Tests a regular expression against examples. CASES is a text or JSON file, or
'-' for standard input. Text form, one item per line:

  # comment
  pattern: ^v(?<major>\\d+)\\.(?<minor>\\d+)$
  flags: u
  mode: search              (search = anywhere, full = whole input)
  engine: javascript        (or python)
  match: v1.2
  no-match: 1.2
  match: "tab\\there"        (in double quotes: JSON escapes)
  groups: v1.2 => {"major": "1"}
  all: v1.2 v3.4 => ["v1.2", "v3.4"]

JSON form: {"pattern", "flags", "mode", "engine", "cases": [{"input",
"expect": "match" | "no-match", "groups": {...}, "all": [...]}]}

Options:
  --pattern P       pattern to test instead of the file's; repeat to compare
  --flags F         flags instead of the file's
  --mode M          search or full, instead of the file's
  --engine E        javascript or python, instead of the file's
  --match TEXT      one more input that should match (repeatable)
  --no-match TEXT   one more input that should not match (repeatable)
  --timeout MS      limit per case (default: 250)
  --probe           search for inputs that make matching explode
  --probe-seconds N time for the search (default: 10)
  --corpus FILE     also run over the lines of FILE and report what matches
  --corpus-samples N  sample lines to show (default: 8)
  --python PATH     Python interpreter (default: python3)
  --json            print JSON instead of text
  --help            show this text

Exit status: 0 all passed, 1 a case failed, timed out, or the probe found a slow
input, 2 wrong usage, unreadable input, or no pattern that compiles.`;

const MAX_FILE = 16 * 1024 * 1024;
const MAX_CASES = 20000;

class UserError extends Error {}

// ---------------------------------------------------------------- engines

// Both engines answer { id, ...result } to { id, op, ... }.
const JS_WORKER = `
const { parentPort } = require('node:worker_threads');
let plain = null;
let global = null;
const describe = (m) => ({ text: m[0], index: m.index, groups: m.slice(1).map((g) => g ?? null), named: m.groups ? Object.fromEntries(Object.entries(m.groups).map(([k, v]) => [k, v ?? null])) : {} });
parentPort.on('message', (request) => {
  const answer = { id: request.id };
  const begin = performance.now();
  try {
    if (request.op === 'compile') {
      const flags = request.flags.replace(/[gy]/g, '');
      new RegExp(request.pattern, flags);
      const source = request.mode === 'full' ? '(?<![^])(?:' + request.pattern + ')(?![^])' : request.pattern;
      plain = new RegExp(source, flags);
      global = new RegExp(source, flags + 'g');
    } else if (request.op === 'test') {
      const m = plain.exec(request.input);
      answer.matched = m !== null;
      if (m) Object.assign(answer, describe(m));
    } else if (request.op === 'all') {
      answer.all = [];
      for (const m of request.input.matchAll(global)) { answer.all.push(m[0]); if (answer.all.length >= 10000) break; }
      answer.matched = answer.all.length > 0;
    } else if (request.op === 'time') {
      plain.exec(request.prefix + request.unit.repeat(request.count) + request.suffix);
    } else if (request.op === 'many') {
      answer.hits = request.inputs.map((input) => plain.test(input));
    }
  } catch (error) {
    answer.error = error.message;
  }
  answer.ms = performance.now() - begin;
  parentPort.postMessage(answer);
});
parentPort.postMessage({ id: 0 });
`;

const PYTHON_WORKER = `
import json, re, signal, sys, time, warnings
warnings.simplefilter("ignore")
FLAGS = {"i": re.I, "m": re.M, "s": re.S, "x": re.X, "a": re.A, "u": re.U}
compiled, full = None, False
def describe(m):
    return {"text": m.group(), "index": m.start(), "groups": list(m.groups()), "named": m.groupdict()}
def run(text):
    return compiled.fullmatch(text) if full else compiled.search(text)
print(json.dumps({"id": 0}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"]}
    begin = time.perf_counter()
    if hasattr(signal, "alarm"):
        signal.alarm(75)  # never outlive a parent that was killed
    try:
        op = request["op"]
        if op == "compile":
            flags = 0
            for letter in request["flags"]:
                if letter not in "gy":
                    flags |= FLAGS[letter]
            compiled, full = re.compile(request["pattern"], flags), request["mode"] == "full"
        elif op == "test":
            m = run(request["input"])
            answer["matched"] = m is not None
            if m:
                answer.update(describe(m))
        elif op == "all":
            source = [run(request["input"])] if full else compiled.finditer(request["input"])
            answer["all"] = [m.group() for m in source if m][:10000]
            answer["matched"] = bool(answer["all"])
        elif op == "time":
            run(request["prefix"] + request["unit"] * request["count"] + request["suffix"])
        elif op == "many":
            answer["hits"] = [run(text) is not None for text in request["inputs"]]
    except KeyError as error:
        answer["error"] = "unknown flag %s (use i m s x a u)" % error
    except Exception as error:
        answer["error"] = str(error) or type(error).__name__
    answer["ms"] = (time.perf_counter() - begin) * 1000
    print(json.dumps(answer), flush=True)
`;

class Engine {
  constructor(name, python) {
    this.name = name;
    this.python = python;
    this.next = 1;
    this.compiled = null;
  }

  async start() {
    this.waiting = null;
    await new Promise((resolve, reject) => {
      const settle = (message) => {
        if (message.id === 0) resolve();
        else if (this.waiting && this.waiting.id === message.id) {
          const { done } = this.waiting;
          this.waiting = null;
          done(message);
        }
      };
      const broken = (text) => {
        const error = new UserError(text);
        reject(error);
        if (this.waiting) {
          const { done, id } = this.waiting;
          this.waiting = null;
          done({ id, error: text, ms: 0, crashed: true });
        }
      };
      if (this.name === 'javascript') {
        const worker = new Worker(JS_WORKER, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 512 }, stdout: true, stderr: true });
        worker.on('message', settle);
        worker.on('error', (error) => broken(`the engine stopped: ${error.message}`));
        this.send = (message) => worker.postMessage(message);
        this.kill = () => worker.terminate();
      } else {
        const child = spawn(this.python, ['-I', '-X', 'utf8', '-c', PYTHON_WORKER], { stdio: ['pipe', 'pipe', 'ignore'] });
        child.on('error', (error) => broken(error.code === 'ENOENT' ? `cannot find ${this.python}; install Python 3 or use --python PATH` : `cannot start ${this.python}: ${error.message}`));
        child.on('exit', (code) => broken(`the Python engine ended (status ${code})`));
        child.stdin.on('error', () => {});
        createInterface({ input: child.stdout }).on('line', (line) => {
          try {
            settle(JSON.parse(line));
          } catch {
            broken('the Python engine gave an unreadable answer');
          }
        });
        this.send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
        this.kill = () => {
          child.removeAllListeners('exit');
          child.kill('SIGKILL');
        };
      }
    });
    this.running = true;
  }

  ask(message, timeout) {
    return new Promise((resolve) => {
      const id = this.next++;
      const timer = setTimeout(async () => {
        this.waiting = null;
        this.running = false;
        await this.kill();
        resolve({ timedOut: true, ms: timeout });
      }, timeout);
      this.waiting = {
        id,
        done: (answer) => {
          clearTimeout(timer);
          if (answer.crashed) this.running = false;
          resolve(answer);
        },
      };
      this.send({ ...message, id });
    });
  }

  // Compile once; after a timeout the engine is restarted and compiled again.
  async compile(pattern, flags, mode) {
    this.compiled = { op: 'compile', pattern, flags, mode };
    if (!this.running) await this.start();
    const answer = await this.ask(this.compiled, 5000);
    if (answer.timedOut) return 'compiling took more than 5 s';
    return answer.error ? shorten(answer.error.replace(/^Invalid regular expression: \/.*\/[a-z]*: /s, ''), 300) : null;
  }

  async run(message, timeout) {
    if (!this.running) {
      await this.start();
      await this.ask(this.compiled, 5000);
    }
    return this.ask(message, timeout);
  }

  async stop() {
    if (this.running) {
      this.running = false;
      await this.kill();
    }
  }
}

// ---------------------------------------------------------------- case files

function decodeValue(text, line) {
  if (text.length >= 2 && text.startsWith('"') && text.endsWith('"')) {
    try {
      return JSON.parse(text);
    } catch {
      throw new UserError(`line ${line}: text in double quotes must be a valid JSON string`);
    }
  }
  return text;
}

function splitArrow(text, line) {
  if (text.startsWith('"')) {
    // A quoted input may itself contain the arrow.
    for (let at = text.indexOf('" => '); at >= 0; at = text.indexOf('" => ', at + 1)) {
      try {
        return [JSON.parse(text.slice(0, at + 1)), text.slice(at + 5)];
      } catch {
        // try the next arrow
      }
    }
  }
  const at = text.lastIndexOf(' => ');
  if (at < 0) throw new UserError(`line ${line}: expected INPUT => JSON`);
  return [decodeValue(text.slice(0, at), line), text.slice(at + 4)];
}

function parseTextCases(text) {
  const result = { pattern: null, flags: null, mode: null, engine: null, cases: [] };
  text.split('\n').forEach((raw, index) => {
    const line = raw.replace(/\r$/, '');
    const number = index + 1;
    if (line.trim() === '' || line.startsWith('#')) return;
    const m = /^\s*([a-z-]+):(?: ?)(.*)$/s.exec(line);
    if (!m) throw new UserError(`line ${number}: expected 'match: ...', 'no-match: ...', 'pattern: ...' or a comment`);
    const [, key, value] = m;
    switch (key) {
      case 'pattern':
        if (result.pattern !== null) throw new UserError(`line ${number}: second pattern; compare patterns with --pattern`);
        result.pattern = value;
        break;
      case 'flags':
      case 'mode':
      case 'engine':
        result[key] = value.trim();
        break;
      case 'match':
      case 'no-match':
        result.cases.push({ input: decodeValue(value, number), expect: key, line: number });
        break;
      case 'groups':
      case 'all': {
        const [input, json] = splitArrow(value, number);
        let wanted;
        try {
          wanted = JSON.parse(json);
        } catch {
          throw new UserError(`line ${number}: what follows => must be JSON`);
        }
        result.cases.push({ input, expect: 'match', [key]: wanted, line: number });
        break;
      }
      default:
        throw new UserError(`line ${number}: unknown item '${key}'`);
    }
  });
  return result;
}

function parseCases(text) {
  const clean = text.replace(/^\uFEFF/, '');
  if (!clean.trimStart().startsWith('{')) return checkCases(parseTextCases(clean));
  let data;
  try {
    data = JSON.parse(clean);
  } catch (error) {
    throw new UserError(`the cases are not valid JSON: ${error.message}`);
  }
  return checkCases({ pattern: data.pattern ?? null, flags: data.flags ?? null, mode: data.mode ?? null, engine: data.engine ?? null, cases: data.cases ?? [] });
}

function checkCases(data) {
  for (const key of ['pattern', 'flags', 'mode', 'engine']) {
    if (data[key] !== null && typeof data[key] !== 'string') throw new UserError(`'${key}' must be text`);
  }
  if (!Array.isArray(data.cases)) throw new UserError("'cases' must be a list");
  if (data.cases.length > MAX_CASES) throw new UserError(`more than ${MAX_CASES} cases; use --corpus for bulk data`);
  data.cases = data.cases.map((item, i) => {
    const where = item?.line ? `line ${item.line}` : `case ${i + 1}`;
    if (!item || typeof item !== 'object' || typeof item.input !== 'string') throw new UserError(`${where}: needs an 'input' text`);
    const expect = item.expect ?? (item.groups !== undefined || item.all !== undefined ? 'match' : undefined);
    if (expect !== 'match' && expect !== 'no-match') throw new UserError(`${where}: 'expect' must be match or no-match`);
    if (item.groups !== undefined && (item.groups === null || typeof item.groups !== 'object')) throw new UserError(`${where}: 'groups' must be an object (names) or a list (numbers)`);
    if (item.all !== undefined && !(Array.isArray(item.all) && item.all.every((text) => typeof text === 'string'))) throw new UserError(`${where}: 'all' must be a list of texts`);
    return { input: item.input, expect, groups: item.groups, all: item.all, line: item.line ?? null };
  });
  return data;
}

function readText(path) {
  try {
    if (path !== '-') {
      const info = statSync(path);
      if (info.isDirectory()) throw new UserError(`${path} is a directory`);
      if (info.size > MAX_FILE) throw new UserError(`${path} is larger than ${MAX_FILE >> 20} MB`);
    }
    const data = readFileSync(path === '-' ? 0 : path);
    if (data.length > MAX_FILE) throw new UserError(`the input is larger than ${MAX_FILE >> 20} MB`);
    if (data.includes(0)) throw new UserError(`${path === '-' ? 'standard input' : path} looks like binary data (it holds NUL); write NUL as "\\u0000"`);
    return data.toString('utf8');
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`cannot read ${path === '-' ? 'standard input' : path}: ${error.code === 'ENOENT' ? 'no such file' : error.code ?? error.message}`);
  }
}

// ---------------------------------------------------------------- static notes

// Walk the pattern, skipping escapes and character classes.
function features(pattern) {
  const found = new Set();
  let inClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const rest = pattern.slice(i, i + 12);
    if (pattern[i] === '\\') {
      const next = pattern[i + 1] ?? '';
      if (/[1-9]/.test(next) && !inClass) found.add('backreference');
      else if (next === 'k' && !inClass) found.add('backreference');
      else if (next === 'p' || next === 'P') found.add('unicode property');
      else if (/[AzZ]/.test(next) && !inClass) found.add('\\A \\z \\Z');
      else if (/[hRKG]/.test(next) && !inClass) found.add('PCRE escape');
      else if (/[dws]/i.test(next)) found.add('shorthand class');
      else if (next === 'b' && !inClass) found.add('word boundary');
      i++;
      continue;
    }
    if (inClass) {
      if (rest.startsWith('[:')) found.add('POSIX class');
      if (pattern[i] === ']') inClass = false;
      continue;
    }
    if (pattern[i] === '[') {
      inClass = true;
      if (pattern[i + 1] === '^') i++;
      if (pattern[i + 1] === ']') i++;
      continue;
    }
    if (/^\(\?(?:<=|<!)/.test(rest)) found.add('lookbehind');
    else if (/^\(\?[=!]/.test(rest)) found.add('lookahead');
    else if (/^\(\?P[<=]/.test(rest)) found.add('(?P<name>)');
    else if (/^\(\?<[A-Za-z_]/.test(rest)) found.add('(?<name>)');
    else if (rest.startsWith('(?>')) found.add('atomic group');
    else if (/^\(\?[a-zA-Z^-]{1,6}[:)]/.test(rest)) found.add('inline flags');
    else if (/^\(\?(?:R|\d|&|P>)/.test(rest)) found.add('recursion');
    else if (/^[*+?}]\+/.test(rest)) found.add('possessive quantifier');
    else if (/^[*+?}]\?/.test(rest)) found.add('lazy quantifier');
    else if (pattern[i] === '$') found.add('$');
  }
  return found;
}

const PORTABILITY = {
  lookbehind: 'lookbehind: not in RE2/Go, Rust regex or POSIX; fixed width only in Python; bounded in Java',
  lookahead: 'lookahead: not in RE2/Go, Rust regex or POSIX',
  backreference: 'backreference: not in RE2/Go or Rust regex; rules out linear-time engines',
  '(?P<name>)': '(?P<name>): Python, PCRE, Go, Rust; JavaScript, Java and .NET need (?<name>)',
  '(?<name>)': '(?<name>): Python needs (?P<name>); Go accepts it since 1.22',
  'atomic group': 'atomic group: not in JavaScript, Go, Rust; Python since 3.11',
  'possessive quantifier': 'possessive quantifier: not in JavaScript, Go, Rust, .NET; Python since 3.11',
  'unicode property': '\\p{...}: JavaScript needs flag u or v; not in Python re',
  '\\A \\z \\Z': '\\A \\z \\Z: not in JavaScript; \\Z differs (Python: very end; others: before a final newline), and Python has \\z since 3.14 only',
  'PCRE escape': '\\h \\R \\K \\G: PCRE and relatives only',
  'POSIX class': '[[:alpha:]]: POSIX, PCRE, Go, Rust; plain characters in JavaScript and Python',
  'inline flags': 'inline flags: JavaScript has (?i:...) only, and only in recent engines; Python wants (?i) at the very start',
  recursion: 'recursion: PCRE and Ruby only',
  $: '$ also matches before a final newline in Python, PCRE, Java and .NET, not in JavaScript or Go',
  'shorthand class': '\\d \\w \\s: ASCII in JavaScript (\\s excepted), Go and RE2; Unicode in Python str and Rust',
  'lazy quantifier': 'lazy quantifier: not in POSIX (grep -E, awk)',
};

function lint(pattern, engine) {
  const found = features(pattern);
  const hints = [];
  const bare = pattern.replace(/\\./gs, '__').replace(/\[\^?\]?[^\]]*\]/g, (all) => '_'.repeat(all.length));
  let depth = 0;
  let topBar = false;
  for (const char of bare) {
    if (char === '(') depth++;
    else if (char === ')') depth--;
    else if (char === '|' && depth === 0) topBar = true;
  }
  if (topBar && (bare.startsWith('^') !== bare.endsWith('$') || bare.startsWith('^'))) {
    const parts = bare.split('|');
    if (!parts.every((part) => part.startsWith('^') && part.endsWith('$')) && (bare.startsWith('^') || bare.endsWith('$'))) hints.push('| binds weaker than ^ and $: ^a|b$ means (^a)|(b$). Group the alternatives: ^(?:a|b)$');
  }
  if (/[+*}][^()|]{0,3}\)[+*{]/.test(bare)) hints.push('a repeated group that itself ends in a repetition may backtrack exponentially: run --probe');
  if (/\.\*.{0,40}\.\*/.test(bare)) hints.push('two .* in one pattern can cost quadratic time or worse on long lines: use a negated class such as [^"]*');
  if (/[A-Za-z0-9]\.(?:com|org|net|io|de|md|js|ts|py|csv|json|txt)\b/.test(pattern)) hints.push('an unescaped dot matches any character: write \\.');
  if (/\[[^\]]*A-z/.test(pattern)) hints.push('A-z also covers [ \\ ] ^ _ and the backtick: write A-Za-z');
  if (/\[[^\]]*\w\|\w[^\]]*\]/.test(pattern)) hints.push('| inside [...] is a plain character, not "or"');
  if (engine === 'javascript' && found.has('\\A \\z \\Z')) hints.push('\\A, \\z and \\Z are plain letters in JavaScript (an error with flag u): use ^ and $ without flag m');
  if (found.has('POSIX class') && (engine === 'javascript' || engine === 'python')) hints.push('[[:alpha:]] is not a class name here: use \\p{L} with flag u (JavaScript) or [^\\W\\d_] (Python)');
  return { hints, portability: [...found].filter((name) => PORTABILITY[name]).map((name) => PORTABILITY[name]) };
}

// ---------------------------------------------------------------- running cases

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function judge(item, answer) {
  if (answer.timedOut) return { status: 'timeout', detail: 'did not finish in time: catastrophic backtracking?' };
  if (answer.error) return { status: 'error', detail: answer.error };
  const where = answer.matched && answer.text !== undefined ? `matched ${quote(answer.text)} at ${answer.index}` : answer.matched ? 'matched' : 'no match';
  if (item.all !== undefined) return same(answer.all, item.all) ? { status: 'pass' } : { status: 'fail', detail: `found ${shorten(JSON.stringify(answer.all), 300)}` };
  if ((item.expect === 'match') !== answer.matched) return { status: 'fail', detail: where };
  if (item.groups !== undefined) {
    const wrong = [];
    for (const [key, wanted] of Object.entries(item.groups)) {
      const actual = Array.isArray(item.groups) || /^\d+$/.test(key) ? answer.groups[Array.isArray(item.groups) ? Number(key) : Number(key) - 1] : Object.hasOwn(answer.named, key) ? answer.named[key] : undefined;
      if (actual === undefined) wrong.push(`there is no group ${key}`);
      else if (actual !== wanted) wrong.push(`group ${Array.isArray(item.groups) ? Number(key) + 1 : key} is ${quote(actual)}, expected ${quote(wanted)}`);
    }
    if (wrong.length > 0) return { status: 'fail', detail: wrong.join('; ') };
  }
  return { status: 'pass' };
}

const shorten = (text, limit) => (text.length > limit ? `${text.slice(0, limit - 1)}…` : text);
const quote = (text) => (text === null ? 'null' : shorten(JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`), 160));

async function runCases(engine, cases, timeout) {
  const results = [];
  for (const item of cases) {
    const answer = await engine.run({ op: item.all !== undefined ? 'all' : 'test', input: item.input }, timeout);
    const verdict = judge(item, answer);
    results.push({ line: item.line, input: shorten(item.input, 2000), expect: item.all !== undefined ? 'all' : item.groups !== undefined ? 'groups' : item.expect, ...verdict, ms: Math.round((answer.ms ?? 0) * 100) / 100 });
  }
  return results;
}

// ---------------------------------------------------------------- probing

function pumpUnits(pattern, cases) {
  const chars = new Set();
  for (const char of pattern.replace(/\\(.)/gs, (all, next) => (/[A-Za-z0-9]/.test(next) ? '' : next))) if (!/[\^$|?*+(){}[\]]/.test(char)) chars.add(char);
  const reps = [['\\d', '0'], ['\\w', 'a'], ['\\w', '_'], ['\\s', ' '], ['\\s', '\t'], ['.', 'a'], ['[^', 'a'], ['a-z', 'a'], ['A-Z', 'A'], ['0-9', '0'], ['\\D', 'a'], ['\\S', 'a'], ['\\W', '-'], ['\\p', 'a'], ['\\n', '\n'], ['\\t', '\t']];
  const units = new Set();
  for (const [token, char] of reps) if (pattern.includes(token)) units.add(char);
  units.add('a').add('0').add(' ').add('A');
  for (const char of [...chars].slice(0, 24)) units.add(char);
  const singles = [...units].slice(0, 12);
  for (const a of singles.slice(0, 8)) for (const b of singles.slice(0, 8)) if (a !== b) units.add(a + b);
  for (const item of cases.slice(0, 20)) {
    const text = item.input.slice(0, 60);
    for (let size = 1; size <= 4; size++) for (let at = 0; at + size <= text.length && units.size < 160; at += size) units.add(text.slice(at, at + size));
  }
  return [...units].slice(0, 160);
}

async function probe(engine, pattern, cases, seconds) {
  const deadline = Date.now() + seconds * 1000;
  const matching = cases.filter((item) => item.expect === 'match' && item.input.length <= 200);
  const prefixes = new Set(['']);
  for (const item of matching.slice(0, 4)) {
    const step = Math.max(1, Math.ceil(item.input.length / 8));
    for (let at = step; at <= item.input.length; at += step) prefixes.add(item.input.slice(0, at));
  }
  const literal = /^\^?((?:[A-Za-z0-9 _:/"'<>=-]|\\[./?+*()[\]{}|^$-])+)/.exec(pattern)?.[1].replace(/\\(.)/g, '$1');
  if (literal) prefixes.add(literal.slice(0, 60));
  const suffixes = ['!', '', '\n', '\u0001'];
  const units = pumpUnits(pattern, cases);
  const result = { tried: 0, finished: true, verdict: 'none found', worst: null };
  const slow = [];
  const show = (combo, count) => ({ prefix: combo.prefix, unit: combo.unit, count, suffix: combo.suffix, length: combo.prefix.length + combo.unit.length * count + combo.suffix.length });

  for (const prefix of prefixes) {
    for (const unit of units) {
      for (const suffix of suffixes) {
        if (Date.now() > deadline) {
          result.finished = false;
          break;
        }
        const combo = { op: 'time', prefix, unit, suffix };
        result.tried++;
        const short = await engine.run({ ...combo, count: 32 }, 400);
        if (short.timedOut) {
          // Find the shortest input of this kind that is already slow.
          let count = 32;
          for (const smaller of [20, 24, 28]) {
            const answer = await engine.run({ ...combo, count: smaller }, 400);
            if (answer.timedOut || answer.ms > 100) {
              count = smaller;
              break;
            }
          }
          result.verdict = 'exponential';
          result.worst = { ...show(combo, count), ms: null };
          return result;
        }
        const long = await engine.run({ ...combo, count: Math.ceil(2000 / unit.length) }, 1000);
        if (long.timedOut) slow.push({ combo, ms: 1000, timedOut: true });
        else if (long.ms > 1.5) slow.push({ combo, ms: long.ms });
      }
      if (!result.finished) break;
    }
    if (!result.finished) break;
  }
  slow.sort((a, b) => b.ms - a.ms);
  for (const { combo, timedOut } of slow.slice(0, 12)) {
    if (Date.now() > deadline + 5000) break;
    let sizes = [8000, 16000];
    if (timedOut) sizes = [500, 1000];
    const times = [];
    for (const size of sizes) {
      let best = Infinity;
      for (let round = 0; round < 2; round++) {
        const answer = await engine.run({ ...combo, count: Math.ceil(size / combo.unit.length) }, 3000);
        best = Math.min(best, answer.timedOut ? 3000 : answer.ms);
        if (answer.timedOut) break;
      }
      times.push(best);
    }
    const exponent = Math.log2(times[1] / Math.max(0.05, times[0]));
    if ((exponent > 1.55 && times[1] > 15) || times[0] >= 3000) {
      const power = times[0] >= 3000 ? null : Math.round(exponent * 10) / 10;
      if (!result.worst || times[1] > result.worst.ms) {
        result.verdict = 'polynomial';
        result.worst = { ...show(combo, Math.ceil(sizes[1] / combo.unit.length)), ms: Math.round(times[1]), growth: power };
      }
    }
  }
  return result;
}

// ---------------------------------------------------------------- corpus

async function runCorpus(engine, path, samples) {
  const lines = readText(path).split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  const result = { lines: lines.length, matched: 0, timedOut: 0, matchedSamples: [], otherSamples: [], timedOutSamples: [] };
  const note = (list, i) => {
    if (list.length < samples) list.push({ line: i + 1, text: shorten(lines[i], 200) });
  };
  for (let from = 0; from < lines.length; from += 500) {
    const inputs = lines.slice(from, from + 500);
    const answer = await engine.run({ op: 'many', inputs }, 1500);
    let hits = answer.hits;
    if (!hits) {
      hits = [];
      for (const input of inputs) {
        const one = result.timedOut > 20 ? { timedOut: true } : await engine.run({ op: 'many', inputs: [input] }, 250);
        hits.push(one.timedOut || !one.hits ? null : one.hits[0]);
        if (one.timedOut) result.timedOut++;
      }
    }
    hits.forEach((hit, i) => {
      if (hit === null) note(result.timedOutSamples, from + i);
      else if (hit) {
        result.matched++;
        note(result.matchedSamples, from + i);
      } else note(result.otherSamples, from + i);
    });
  }
  return result;
}

// ---------------------------------------------------------------- main

function readOptions() {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        pattern: { type: 'string', multiple: true, default: [] },
        flags: { type: 'string' },
        mode: { type: 'string' },
        engine: { type: 'string' },
        match: { type: 'string', multiple: true, default: [] },
        'no-match': { type: 'string', multiple: true, default: [] },
        timeout: { type: 'string', default: '250' },
        probe: { type: 'boolean', default: false },
        'probe-seconds': { type: 'string', default: '10' },
        corpus: { type: 'string' },
        'corpus-samples': { type: 'string', default: '8' },
        python: { type: 'string', default: 'python3' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UserError(`${error.message.split('\n')[0]} (see --help)`);
  }
  const { values, positionals } = parsed;
  if (values.help) return { help: true };
  if (positionals.length > 1) throw new UserError('only one CASES file can be given (see --help)');
  const whole = (name, least, most) => {
    if (!/^\d+$/.test(values[name]) || Number(values[name]) < least || Number(values[name]) > most) throw new UserError(`--${name} must be a whole number from ${least} to ${most}`);
    return Number(values[name]);
  };
  return { ...values, file: positionals[0] ?? null, timeout: whole('timeout', 1, 60000), seconds: whole('probe-seconds', 1, 600), samples: whole('corpus-samples', 0, 1000) };
}

async function build(options) {
  if (options.file === null && options.pattern.length === 0) throw new UserError('no pattern; give a CASES file or --pattern (see --help)');
  const data = options.file === null ? { pattern: null, flags: null, mode: null, engine: null, cases: [] } : parseCases(readText(options.file));
  for (const [key, expect] of [['match', 'match'], ['no-match', 'no-match']]) for (const input of options[key]) data.cases.push({ input, expect, line: null });
  const patterns = options.pattern.length > 0 ? options.pattern : data.pattern !== null ? [data.pattern] : [];
  if (patterns.length === 0) throw new UserError("the file has no 'pattern:'; add one or use --pattern");
  const flags = options.flags ?? data.flags ?? '';
  const mode = options.mode ?? data.mode ?? 'search';
  const name = options.engine ?? data.engine ?? 'javascript';
  if (!['search', 'full'].includes(mode)) throw new UserError(`mode must be search or full, not '${mode}'`);
  if (!['javascript', 'python'].includes(name)) throw new UserError(`engine must be javascript or python, not '${name}'`);
  if (data.cases.length === 0 && !options.probe && !options.corpus) throw new UserError('no cases; add match: and no-match: lines, or use --probe or --corpus');

  const engine = new Engine(name, options.python);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      engine.kill?.();
      process.exit(2);
    });
  }
  const candidates = [];
  try {
    for (const pattern of patterns) {
      const candidate = { pattern, flags, mode, engine: name, error: await engine.compile(pattern, flags, mode), ...lint(pattern, name) };
      if (candidate.error === null) {
        candidate.results = await runCases(engine, data.cases, options.timeout);
        const count = (status) => candidate.results.filter((result) => result.status === status).length;
        candidate.counts = { pass: count('pass'), fail: count('fail'), timeout: count('timeout'), error: count('error') };
        if (options.corpus) candidate.corpus = await runCorpus(engine, options.corpus, options.samples);
        if (options.probe) {
          candidate.probe = await probe(engine, pattern, data.cases, options.seconds);
          candidate.hints = candidate.hints.filter((hint) => !hint.endsWith('run --probe'));
        }
      }
      candidates.push(candidate);
    }
  } finally {
    await engine.stop();
  }
  const notes = [];
  const positive = data.cases.filter((item) => item.expect === 'match').length;
  if (data.cases.length > 0 && positive === 0) notes.push('There is no input that should match: a pattern that matches nothing would pass.');
  if (data.cases.length > 0 && positive === data.cases.length) notes.push('There is no input that should not match: a pattern that matches everything would pass.');
  return { candidates, cases: data.cases.length, notes };
}

function render(result) {
  const out = [];
  result.candidates.forEach((candidate, index) => {
    if (result.candidates.length > 1) out.push(`## Candidate ${index + 1}`);
    out.push(`Pattern  ${shorten(candidate.pattern.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?'), 500)}`);
    out.push(`Engine   ${candidate.engine}, flags '${candidate.flags}', ${candidate.mode}`);
    if (candidate.error !== null) {
      out.push(`Error    does not compile: ${candidate.error}`, '');
      return;
    }
    const { counts } = candidate;
    if (candidate.results.length > 0) out.push(`Result   ${counts.pass} passed, ${counts.fail} failed${counts.timeout ? `, ${counts.timeout} timed out` : ''}${counts.error ? `, ${counts.error} errors` : ''}`);
    const bad = candidate.results.filter((item) => item.status !== 'pass');
    for (const item of bad.slice(0, 50)) out.push(`  ${item.status.toUpperCase().padEnd(7)} ${item.line ? `line ${item.line}: ` : ''}${item.expect} ${quote(item.input)}: ${item.detail}`);
    if (bad.length > 50) out.push(`  … and ${bad.length - 50} more`);
    const slowest = candidate.results.reduce((top, item) => (item.ms > (top?.ms ?? 5) ? item : top), null);
    if (slowest && slowest.status !== 'timeout') out.push(`Slowest  ${slowest.ms} ms for ${quote(slowest.input)}`);
    if (candidate.corpus) {
      const { corpus } = candidate;
      out.push(`Corpus   ${corpus.matched} of ${corpus.lines} lines match${corpus.timedOut ? `, ${corpus.timedOut} timed out` : ''}`);
      for (const [title, list] of [['matches', corpus.matchedSamples], ['does not match', corpus.otherSamples], ['timed out', corpus.timedOutSamples]]) for (const sample of list) out.push(`  ${title}: line ${sample.line}: ${quote(sample.text)}`);
    }
    if (candidate.probe) {
      const { probe: found } = candidate;
      const extent = `${found.tried} input shapes tried${found.finished ? '' : ', stopped by the time limit'}`;
      if (!found.worst) out.push(`Probe    no slow input found (${extent}); this is no proof`);
      else {
        const { worst } = found;
        const text = `${quote(worst.prefix)} + ${quote(worst.unit)} x ${worst.count} + ${quote(worst.suffix)}`;
        if (found.verdict === 'exponential') out.push(`Probe    EXPONENTIAL: ${worst.length} characters are enough to hang: ${text}`);
        else out.push(`Probe    POLYNOMIAL${worst.growth ? ` (time grows with about length^${worst.growth})` : ''}: ${worst.length} characters took ${worst.ms} ms: ${text}`);
      }
    }
    for (const hint of candidate.hints) out.push(`Hint     ${hint}`);
    for (const item of candidate.portability) out.push(`Port     ${item}`);
    out.push('');
  });
  if (result.candidates.length > 1) {
    out.push('## Comparison', '');
    result.candidates.forEach((candidate, index) => {
      out.push(`${index + 1}. ${candidate.error !== null ? 'does not compile' : `${candidate.counts.pass}/${result.cases} passed${candidate.counts.timeout ? `, ${candidate.counts.timeout} timed out` : ''}${candidate.probe ? `, probe: ${candidate.probe.verdict}` : ''}`}  ${shorten(candidate.pattern, 100)}`);
    });
    out.push('');
  }
  for (const note of result.notes) out.push(`Note: ${note}`);
  return out.join('\n').trimEnd();
}

process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  process.stderr.write(`${SELF}: cannot write output: ${error.code}\n`);
  process.exit(2);
});

try {
  const options = readOptions();
  if (options.help) console.log(HELP);
  else {
    const result = await build(options);
    const usable = result.candidates.filter((candidate) => candidate.error === null);
    const clean = (candidate) => candidate.error === null && candidate.counts.pass === candidate.results.length && !candidate.probe?.worst && !candidate.corpus?.timedOut;
    process.exitCode = usable.length === 0 ? 2 : result.candidates.every(clean) ? 0 : 1;
    console.log(options.json ? JSON.stringify(result, null, 2) : render(result));
  }
} catch (error) {
  console.error(`${SELF}: ${error instanceof UserError ? error.message : `unexpected problem: ${error.message}`}`);
  process.exitCode = 2;
}

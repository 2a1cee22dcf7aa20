#!/usr/bin/env node
// Cluster log lines into templates and rank the templates by what changed.
// Streams its input, keeps bounded memory, needs nothing but Node.js.

import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';

const SELF = 'cluster-logs';
const HELP = `Usage: cluster-logs.mjs [options] FILE...
       ... | cluster-logs.mjs [options] -

Groups log lines that differ only in variable parts (ids, numbers, times) into
templates. With a baseline it ranks templates by how much their rate changed.

What to compare:
  --baseline FILE      healthy logs to compare with (repeatable)
  --split TIME         use one set of logs: before TIME is the baseline
                       (ISO time, e.g. 2025-03-09T10:00:00Z; no zone means UTC)
  neither              no comparison: rank by level and count

Options:
  --normalize HOW      time (default: rates per minute), lines (share of all
                       events) or none (plain counts)
  --sort HOW           score (default), onset (first seen in current logs) or count
  --level NAME         ignore events below trace|debug|info|warn|error|fatal
  --top N              templates to show (default: 20, 0 = all)
  --all                also show templates whose rate did not change
  --no-merge           do not merge templates that differ in a single word
  --no-join            do not attach stack traces to the line above them
  --no-examples        do not print original lines (they may hold secrets)
  --year YYYY          year for formats without one, such as syslog
  --max-templates N    keep at most N templates, pool the rest (default: 20000)
  --json               print JSON instead of text
  --help               show this text

FILE may be gzip-compressed; '-' is standard input. Exit status: 0 on success,
2 on any error.`;

const MAX_LINE = 64 * 1024;
const MAX_MESSAGE = 2000;
const MAX_CONTINUATION = 200;
const MAX_BUCKETS = 60;
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];
const WEIGHT = { trace: 0.3, debug: 0.5, info: 1, unknown: 1, warn: 2, error: 3, fatal: 4 };

class UserError extends Error {}

// ---------------------------------------------------------------- reading

async function* unzipped(stream, name) {
  const iterator = stream[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const head = Buffer.from(first.value);
  async function* all() {
    yield head;
    for (;;) {
      const next = await iterator.next();
      if (next.done) return;
      yield next.value;
    }
  }
  if (head[0] === 0x1f && head[1] === 0x8b) {
    const source = Readable.from(all(), { objectMode: false });
    const gunzip = createGunzip();
    source.on('error', (error) => gunzip.destroy(error));
    try {
      yield* source.pipe(gunzip);
    } catch (error) {
      throw new UserError(`${name}: damaged gzip data (${error.code ?? error.message})`);
    }
    return;
  }
  yield* all();
}

async function* linesOf(path, stats) {
  const name = path === '-' ? 'standard input' : path;
  let stream;
  if (path === '-') stream = process.stdin;
  else {
    let info;
    try {
      info = statSync(path);
    } catch (error) {
      throw new UserError(`cannot open ${path}: ${error.code === 'ENOENT' ? 'no such file' : error.code}`);
    }
    if (info.isDirectory()) throw new UserError(`${path} is a directory; name the log files`);
    stream = createReadStream(path, { highWaterMark: 1 << 20 });
  }
  let decoder = null;
  let rest = '';
  let dropping = false;
  try {
    for await (const chunk of unzipped(stream, name)) {
      if (!decoder) {
        let encoding = 'utf8';
        if (chunk[0] === 0xff && chunk[1] === 0xfe) encoding = 'utf16le';
        else {
          const probe = chunk.subarray(0, 65536);
          let odd = 0;
          for (const byte of probe) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 27) odd++;
          if (odd > probe.length * 0.05) throw new UserError(`${name} looks like binary data, not a text log`);
        }
        decoder = new StringDecoder(encoding);
      }
      const text = decoder.write(chunk);
      let start = 0;
      for (;;) {
        const end = text.indexOf('\n', start);
        if (end < 0) break;
        const piece = text.slice(start, end);
        start = end + 1;
        if (dropping) dropping = false;
        else {
          const line = rest + piece;
          if (line.length > MAX_LINE) stats.longLines++;
          yield line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line;
        }
        rest = '';
      }
      if (!dropping) {
        rest += text.slice(start);
        if (rest.length > MAX_LINE) {
          stats.longLines++;
          yield rest.slice(0, MAX_LINE);
          rest = '';
          dropping = true;
        }
      }
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`cannot read ${name}: ${error.code ?? error.message}`);
  }
  if (decoder && !dropping) {
    rest += decoder.end();
    if (rest) yield rest;
  }
}

// ---------------------------------------------------------------- times

const MONTHS = { jan: 0, feb: 1, mar: 2, apr: 3, may: 4, jun: 5, jul: 6, aug: 7, sep: 8, oct: 9, nov: 10, dec: 11 };

function utc(year, month, day, hour, minute, second, fraction, zone) {
  if (year < 1970 || year > 2200 || month < 0 || month > 11 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  const ms = fraction ? Math.floor(Number(`0.${fraction}`) * 1000) : 0;
  let time = Date.UTC(year, month, day, hour, minute, second, ms);
  const match = zone && /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (match && Number(match[2]) <= 14) time -= (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0)) * 60000;
  return time;
}

// Formats without a year: assume the last twelve months, not the future.
function yearless(options, month, day, hour, minute, second, fraction) {
  const time = utc(options.year, month, day, hour, minute, second, fraction);
  return time !== null && !options.yearGiven && time > Date.now() + 86400000 ? utc(options.year - 1, month, day, hour, minute, second, fraction) : time;
}

const ISO = /^(\d{4})[-/](\d\d)[-/](\d\d)[T _](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?\s?(Z|UTC|[+-]\d\d:?\d\d)?(?![\d:])/;
const SYSLOG = /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) (?:(\d{4}) )?(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?/;
const KLOG = /^([IWEF])(\d\d)(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{1,6})\s+\d+ ([\w.-]+:\d+)\] ?/;
const EPOCH = /^(\d{10})(?:\.(\d{1,9})|(\d{3}))?(?=[\s\]:,])/;
const CLOCK = /^(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?![\d:])/;
const CLF_TIME = /\[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-]\d{4})\]/;

// Returns [time, length consumed] or null.
function leadingTime(text, options) {
  let m = ISO.exec(text);
  if (m) {
    const time = utc(+m[1], +m[2] - 1, +m[3], +m[4], +m[5], +m[6], m[7], m[8]);
    return time === null ? null : [time, m[0].length];
  }
  m = SYSLOG.exec(text);
  if (m && Object.hasOwn(MONTHS, m[1].toLowerCase())) {
    const month = MONTHS[m[1].toLowerCase()];
    const time = m[3] ? utc(+m[3], month, +m[2], +m[4], +m[5], +m[6], m[7]) : yearless(options, month, +m[2], +m[4], +m[5], +m[6], m[7]);
    return time === null ? null : [time, m[0].length];
  }
  m = EPOCH.exec(text);
  if (m) {
    const time = Number(m[1]) * 1000 + (m[3] ? Number(m[3]) : m[2] ? Math.floor(Number(`0.${m[2]}`) * 1000) : 0);
    if (time > 946684800000 && time < 4102444800000) return [time, m[0].length];
  }
  m = CLOCK.exec(text);
  if (m) {
    const time = utc(1970, 0, 1, +m[1], +m[2], +m[3], m[4]);
    return time === null ? null : [time, m[0].length]; // the day is added by the reader
  }
  return null;
}

function timeValue(value) {
  if (typeof value === 'number' && Number.isFinite(value)) {
    const ms = value > 1e17 ? value / 1e6 : value > 1e14 ? value / 1e3 : value > 1e11 ? value : value * 1000;
    return ms > 946684800000 && ms < 4102444800000 ? Math.floor(ms) : null;
  }
  if (typeof value === 'string') {
    const found = leadingTime(value, { year: new Date().getUTCFullYear() });
    if (found && found[0] >= 86400000) return found[0];
    if (/^\d{10,19}(\.\d+)?$/.test(value)) return timeValue(Number(value));
  }
  return null;
}

// ---------------------------------------------------------------- levels

const LEVEL_NAMES = new Map(Object.entries({
  trace: 'trace', verbose: 'trace', finest: 'trace', finer: 'trace', debug: 'debug', dbg: 'debug', fine: 'debug',
  info: 'info', information: 'info', inf: 'info', notice: 'info', log: 'info', default: 'info',
  warn: 'warn', warning: 'warn', wrn: 'warn',
  error: 'error', err: 'error', severe: 'error', eror: 'error',
  fatal: 'fatal', critical: 'fatal', crit: 'fatal', alert: 'fatal', emerg: 'fatal', emergency: 'fatal', panic: 'fatal',
}));
const SYSLOG_SEVERITY = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug'];

function levelValue(value) {
  if (typeof value === 'number') return value >= 60 ? 'fatal' : value >= 50 ? 'error' : value >= 40 ? 'warn' : value >= 30 ? 'info' : value >= 20 ? 'debug' : value >= 10 ? 'trace' : SYSLOG_SEVERITY[value] ?? null;
  if (typeof value === 'string' && /^\d{1,2}$/.test(value)) return levelValue(Number(value));
  return typeof value === 'string' ? LEVEL_NAMES.get(value.toLowerCase()) ?? null : null;
}

const LEVEL_IN_TEXT = /(?:^|[\s[<(|])(?:(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|SEVERE|CRITICAL|CRIT|ALERT|EMERG|FATAL|PANIC)(?=[\s\]>):|,-]|$)|\[(?:\w{1,20}:)?(trace|debug|info|notice|warn|warning|error|err|crit|critical|alert|emerg|fatal)\]|(trace|debug|info|notice|warn|warning|error|fatal|panic): )/;

// ---------------------------------------------------------------- parsing one line

const pick = (object, names) => {
  for (const name of names) {
    let value = object[name];
    if (value === undefined && name.includes('.')) value = name.split('.').reduce((at, key) => (at && typeof at === 'object' ? at[key] : undefined), object);
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
};

const ACCESS = /^(\S{1,255}) \S{1,255} (?:\S{1,255} )?\[[^\]]{1,40}\] "([A-Z]{3,10}) ([^\s"]{1,8000})(?: HTTP\/[\d.]{1,4})?" (\d{3}) (?:\d+|-)/;

function routeOf(target) {
  const path = target.replace(/^https?:\/\/[^/]+/, '').split(/[?#]/, 1)[0];
  const parts = path.split('/').slice(0, 12).map((part) => (/\d/.test(part) && !/^v\d{1,2}$/.test(part) ? '*' : part.length > 40 ? '*' : part));
  return parts.join('/') || '/';
}

const statusLevel = (status) => (status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info');

function parseLine(raw, options) {
  let text = raw.replace(/\r$/, '').replace(/^\uFEFF/, '');
  // eslint-disable-next-line no-control-regex
  if (text.includes('\x1b')) text = text.replace(/\x1b\[[0-9;?]{0,20}[A-Za-z]/g, '');
  const event = { time: null, level: null, message: '', origin: null, structured: false, indented: /^[ \t]/.test(text) };

  let m = /^([A-Za-z][\w.-]{0,60}) +\| ?/.exec(text); // container prefix: "web-1  | ..."
  if (m) {
    event.origin = m[1].replace(/[-_]\d+$/, '');
    text = text.slice(m[0].length);
    event.indented = /^[ \t]/.test(text);
  }
  let rfc5424 = false;
  if ((m = /^<(\d{1,3})>(1 )?/.exec(text))) {
    event.level = SYSLOG_SEVERITY[Number(m[1]) % 8];
    rfc5424 = Boolean(m[2]);
    text = text.slice(m[0].length);
  }
  if (text.startsWith('{')) {
    const parsed = parseJson(text, options, event);
    if (parsed) return parsed;
  }
  if ((m = KLOG.exec(text))) {
    event.time = yearless(options, +m[2] - 1, +m[3], +m[4], +m[5], +m[6], m[7]);
    event.level = { I: 'info', W: 'warn', E: 'error', F: 'fatal' }[m[1]];
    event.message = `${m[8].replace(/:\d+$/, '')}: ${text.slice(m[0].length)}`;
    return event;
  }
  if ((m = ACCESS.exec(text))) {
    const status = Number(m[4]);
    const when = CLF_TIME.exec(text);
    if (when) event.time = utc(+when[3], MONTHS[when[2].toLowerCase()] ?? 0, +when[1], +when[4], +when[5], +when[6], '', when[7]);
    event.level = statusLevel(status);
    event.message = `${m[2]} ${routeOf(m[3])} -> ${status}`;
    event.ready = true;
    return event;
  }
  const opening = /^[[(]?/.exec(text)[0];
  const found = leadingTime(text.slice(opening.length), options);
  if (found) {
    event.time = found[0];
    text = text.slice(opening.length + found[1]).replace(/^[\])]?[\s:,|-]*/, '');
    if ((m = /^(?:stdout|stderr) [FP] /.exec(text))) {
      text = text.slice(m[0].length);
      const inner = parseLine(text, options);
      if (inner.structured || inner.time !== null) return { ...inner, time: inner.time ?? event.time };
    }
    if (text.startsWith('{')) {
      const parsed = parseJson(text, options, event);
      if (parsed) return parsed;
    }
    if (rfc5424 && (m = /^\S{1,255} (\S{1,48}) \S{1,128} \S{1,32} (?:-|(?:\[[^\]]{0,1000}\])+) ?(?:\ufeff)?/.exec(text))) {
      event.origin ??= m[1];
      text = text.slice(m[0].length);
    }
    // "host app[123]: message" as syslog writers put it
    if ((m = /^[\w.-]{1,64} ([\w./@-]{1,64})(?:\[\d{1,10}\])?: /.exec(text))) {
      event.origin ??= m[1];
      text = text.slice(m[0].length);
    }
  }
  if (/(?:^|\s)(?:msg|message|level|lvl)=/.test(text)) {
    const fields = {};
    for (const pair of text.slice(0, 8000).matchAll(/(?:^|\s)([\w.-]{1,60})=(?:"((?:[^"\\]|\\.){0,4000})"|(\S{0,4000}))/g)) fields[pair[1].toLowerCase()] ??= pair[2] ?? pair[3];
    if (fields.msg ?? fields.message) {
      event.level ??= levelValue(fields.level ?? fields.lvl ?? fields.severity);
      event.time ??= timeValue(fields.time ?? fields.ts ?? fields.t ?? fields.timestamp);
      event.origin ??= fields.logger ?? fields.component ?? fields.caller?.replace(/:\d+$/, '') ?? null;
      const problem = fields.err ?? fields.error;
      event.message = `${fields.msg ?? fields.message}${problem ? ` | ${problem}` : ''}${fields.status ? ` status=${fields.status}` : ''}`;
      event.structured = true;
      return event;
    }
    event.level ??= levelValue(fields.level ?? fields.lvl);
  }
  if ((m = LEVEL_IN_TEXT.exec(text.slice(0, 160)))) {
    event.level ??= LEVEL_NAMES.get((m[1] ?? m[2] ?? m[3]).toLowerCase()) ?? null;
    if (m.index === 0 && !m[3]) text = text.slice(m[0].length).replace(/^[\s\]>):|,-]{1,20}/, '') || text;
  }
  event.message = text;
  return event;
}

function parseJson(text, options, outer) {
  let object;
  try {
    object = JSON.parse(text);
  } catch {
    return null;
  }
  if (!object || typeof object !== 'object' || Array.isArray(object)) return null;
  const time = timeValue(pick(object, ['@timestamp', 'timestamp', 'time', 'ts', 't', 'datetime', 'date', 'eventTime', '__REALTIME_TIMESTAMP']));
  const level = levelValue(pick(object, ['level', 'severity', 'log.level', 'lvl', 'levelname', 'loglevel', 'priority', 'PRIORITY']));
  if (typeof object.log === 'string' && (object.stream === 'stdout' || object.stream === 'stderr')) {
    const inner = parseLine(object.log.replace(/\n$/, ''), options); // container runtime wrapper
    inner.time ??= time;
    return inner;
  }
  let message = pick(object, ['message', 'msg', 'event', 'MESSAGE', 'body', 'text', 'short_message', 'error.message', 'err.message', 'error']);
  if (message !== undefined && typeof message !== 'string') message = JSON.stringify(message);
  const problem = pick(object, ['err.type', 'err.name', 'error.type', 'error.name', 'exception.type', 'exception.class', 'exc_type', 'err.code', 'error.code']);
  const status = pick(object, ['status', 'statusCode', 'status_code', 'res.statusCode', 'http.status_code', 'http.response.status_code']);
  const target = pick(object, ['path', 'url', 'uri', 'req.url', 'request.path', 'http.target', 'url.path']);
  const method = pick(object, ['method', 'req.method', 'http.method', 'http.request.method']);
  const parts = [];
  if (typeof method === 'string' && typeof target === 'string') parts.push(`${method} ${routeOf(target)}`);
  if (message !== undefined) parts.unshift(message);
  if (typeof problem === 'string') parts.push(`<<${problem}>>`);
  if (status !== undefined && /^\d{3}$/.test(String(status))) parts.push(`status=${status}`);
  if (parts.length === 0) parts.push(`{${Object.keys(object).slice(0, 12).join(',')}}`);
  const origin = pick(object, ['logger', 'logger_name', 'component', 'service.name', 'service', 'name', 'module']);
  const stack = pick(object, ['stack', 'err.stack', 'error.stack', 'stack_trace', 'exc_info', 'exception']);
  return {
    time: time ?? outer.time,
    level: level ?? outer.level ?? (status >= 500 ? 'error' : null),
    message: parts.join(' | '),
    origin: typeof origin === 'string' ? origin : outer.origin,
    structured: true,
    indented: false,
    cause: typeof stack === 'string' && typeof problem !== 'string' ? causeIn(stack.split('\n')) : null,
  };
}

// ---------------------------------------------------------------- stack traces

const CONTINUES = /^(?:[ \t]+\S|Caused by:|Traceback \(most recent|During handling of|The above exception|\.\.\. \d+ more|goroutine \d+ |--- End of|#\d+ |\tat |End of stack)/;
const STARTS = /^(?:panic: |fatal error: |Exception in thread |Unhandled |Uncaught )/;
const EXCEPTION = /^(?:Caused by: |Exception in thread "[^"]{0,100}" )?((?:[A-Za-z_$][\w$]*\.){0,12}[A-Z][\w$]*(?:Exception|Error|Fault|Panic|Interrupt|Warning|Exit)[\w$]*)(?::|$)/;

function causeIn(lines) {
  let cause = null;
  for (const line of lines.slice(0, MAX_CONTINUATION)) {
    const match = EXCEPTION.exec(line.replace(/\r$/, ''));
    if (match) cause = match[1].split('.').pop();
  }
  return cause;
}

// ---------------------------------------------------------------- masking

// Numbers that carry meaning (status, exit codes) are kept by moving their
// digits to private-use characters while the masks run.
const protect = (digits) => digits.replace(/\d/g, (digit) => String.fromCharCode(0xe000 + Number(digit)));
const unprotect = (text) => text.replaceAll('\ue00a', '/').replace(/[\ue000-\ue009]/g, (char) => String(char.charCodeAt(0) - 0xe000));

function mask(message) {
  let text = message.length > MAX_MESSAGE ? message.slice(0, MAX_MESSAGE) : message;
  // eslint-disable-next-line no-control-regex
  text = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ue000-\ue00a]+/g, ' ');
  text = text.replace(/\b(status(?:[ _]?code)?|statusCode|errno|exit(?:ed)?(?: with)?(?: (?:code|status))?|signal|HTTP\/[\d.]{1,4}"?|ORA|SQLSTATE)([=:\s"-]{1,3})(\d{1,5})\b/gi, (all, word, gap, digits) => `${word.replace(/\d/g, (d) => protect(d))}${gap}${protect(digits)}`);
  text = text.replace(/\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) "?(\/[^\s"]{0,1500})/g, (all, method, target) => `${method} ${protect(routeOf(target)).replaceAll('/', '\ue00a')}`);
  text = text.replace(/->\s?(\d{3})\b/g, (all, digits) => `-> ${protect(digits)}`);
  text = text
    .replace(/\bhttps?:\/\/([\w.-]{1,253})(?::\d{1,5})?[^\s"'<>)\]]{0,1500}/g, (all, host) => `<url ${/^[\d.]+$/.test(host) ? 'ip' : host.replace(/\d+/g, '#')}>`)
    .replace(/"(?:[^"\\]|\\.){0,500}"/g, (quoted) => (quoted.length <= 2 ? quoted : '"<str>"'))
    .replace(/(^|[\s=:([,])'[^']{1,200}'(?=[\s,.;:)\]]|$)/g, "$1'<str>'")
    .replace(/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}\b/g, '<email>')
    .replace(/\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b/g, '<uuid>')
    .replace(/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?\b/g, '<time>')
    .replace(/\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b/g, '<time>')
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, '<ip>')
    .replace(/(?<![\w:])(?:[0-9a-fA-F]{1,4}:){2,7}(?::?[0-9a-fA-F]{1,4}){1,7}(?![\w:])/g, '<ip>')
    .replace(/\b0x[0-9a-fA-F]{1,32}\b/g, '<hex>')
    .replace(/(?<![\w<])(?:[A-Za-z]:)?(?:[/\\][\w.@%+~=-]{1,100}){2,40}[/\\]?/g, '<path>')
    .replace(/\b(?=[0-9a-f]{0,63}\d)[0-9a-f]{8,64}\b/gi, '<hex>')
    .replace(/\b(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{20,400}={0,2}(?![\w-])/g, '<token>')
    .replace(/(?<![\w.])[-+]?\d+(?:[.,]\d+)?\s?(?:ns|us|µs|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?)(?!\w)/g, '<dur>')
    .replace(/(?<![\w.])[-+]?\d+(?:[.,]\d+)?\s?(?:bytes|[KMGT]i?B|B|kb|mb|gb)(?!\w)/g, '<size>')
    .replace(/\b(?=[a-z]{0,30}\d)(?=[a-z]{0,30}\d[a-z]{0,30}\d)(?=[0-9]{0,30}[a-z])[a-z0-9]{8,64}\b/gi, '<id>')
    .replace(/(?<![A-Za-z\d<])[-+]?\d(?:[\d,._]*\d)?%?/g, '<n>')
    .replace(/<n>(?:[,;/ ]{1,2}<n>){2,}/g, '<n...>')
    .replace(/\s+/g, ' ')
    .trim();
  return unprotect(text);
}

// ---------------------------------------------------------------- store

class Store {
  constructor(maxTemplates) {
    this.max = maxTemplates;
    this.items = new Map();
    this.width = 1000;
    this.minTime = Infinity;
    this.maxTime = -Infinity;
    this.sides = { base: { events: 0, min: Infinity, max: -Infinity }, cur: { events: 0, min: Infinity, max: -Infinity } };
    this.pooled = 0;
    this.levelCounts = {};
  }

  add(side, level, template, time, example) {
    const key = `${level}\0${template}`;
    let item = this.items.get(key);
    if (!item) {
      if (this.items.size >= this.max) {
        this.pooled++;
        const pool = `unknown\0<pooled: too many templates>`;
        item = this.items.get(pool) ?? this.create(pool, 'unknown', '<pooled: too many templates>', null);
      } else item = this.create(key, level, template, example);
    }
    item[side]++;
    if (side === 'cur' && !item.curExample) item.curExample = example;
    const totals = this.sides[side];
    totals.events++;
    if (side === 'cur') this.levelCounts[level] = (this.levelCounts[level] ?? 0) + 1;
    if (time === null) return;
    if (time < totals.min) totals.min = time;
    if (time > totals.max) totals.max = time;
    if (side !== 'cur') return;
    if (time < item.first) item.first = time;
    if (time > item.last) item.last = time;
    if (time < this.minTime) this.minTime = time;
    if (time > this.maxTime) this.maxTime = time;
    while ((this.maxTime - this.minTime) / this.width > MAX_BUCKETS - 1) this.coarsen();
    const bucket = Math.floor(time / this.width);
    item.buckets.set(bucket, (item.buckets.get(bucket) ?? 0) + 1);
  }

  create(key, level, template, example) {
    const item = { level, template, base: 0, cur: 0, first: Infinity, last: -Infinity, buckets: new Map(), example, curExample: null, variants: 1 };
    this.items.set(key, item);
    return item;
  }

  coarsen() {
    this.width *= 2;
    for (const item of this.items.values()) {
      const next = new Map();
      for (const [bucket, count] of item.buckets) {
        const index = Math.floor(bucket / 2);
        next.set(index, (next.get(index) ?? 0) + count);
      }
      item.buckets = next;
    }
  }
}

// ---------------------------------------------------------------- merging near-equal templates

function hash(text, seed) {
  let a = 0x811c9dc5 ^ seed;
  let b = 0x9e3779b9 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
  }
  return (a >>> 0) * 8192 + ((b >>> 0) & 8191);
}

// Where at least `least` templates of one level differ in a single word, that
// word is a variable the masks did not know.
function mergeTemplates(items, least = 6) {
  let current = items.map((item) => ({ item, tokens: item.template.split(' ') }));
  for (let round = 0; round < 4; round++) {
    const groups = new Map();
    for (const entry of current) {
      const { tokens } = entry;
      if (tokens.length < 3 || tokens.length > 40) continue;
      const hashes = tokens.map((token, i) => hash(token, i * 7919 + 17));
      const sum = hashes.reduce((total, value) => total + value, 0);
      for (let i = 0; i < tokens.length; i++) {
        if (/^<|^\d{3}$|status=/.test(tokens[i])) continue;
        const fixed = tokens.filter((token, j) => j !== i && /^[\w"'([-]*[A-Za-z]{2}/.test(token) && !token.includes('<')).length;
        if (fixed < 2) continue;
        const key = `${entry.item.level}|${tokens.length}|${i}|${sum - hashes[i]}`;
        const group = groups.get(key);
        if (group) group.push(entry);
        else groups.set(key, [entry]);
      }
    }
    const ranked = [...groups].filter(([, group]) => group.length >= least).sort((x, y) => y[1].length - x[1].length || (x[0] < y[0] ? -1 : 1));
    if (ranked.length === 0) break;
    const used = new Set();
    const merged = [];
    for (const [key, group] of ranked) {
      const free = group.filter((entry) => !used.has(entry));
      if (free.length < least) continue;
      const position = Number(key.split('|')[2]);
      const tokens = free[0].tokens.map((token, i) => (i === position ? '<*>' : token));
      const target = { ...free[0].item, template: tokens.join(' '), base: 0, cur: 0, first: Infinity, last: -Infinity, buckets: new Map(), curExample: null, variants: 0 };
      for (const entry of free) {
        used.add(entry);
        const { item } = entry;
        target.base += item.base;
        target.cur += item.cur;
        target.first = Math.min(target.first, item.first);
        target.last = Math.max(target.last, item.last);
        target.variants += item.variants;
        target.curExample ??= item.curExample;
        for (const [bucket, count] of item.buckets) target.buckets.set(bucket, (target.buckets.get(bucket) ?? 0) + count);
      }
      merged.push({ item: target, tokens });
    }
    current = current.filter((entry) => !used.has(entry)).concat(merged);
  }
  const result = new Map();
  for (const { item } of current) {
    const key = `${item.level}\0${item.template}`;
    const same = result.get(key);
    if (!same) result.set(key, item);
    else {
      same.base += item.base;
      same.cur += item.cur;
      same.first = Math.min(same.first, item.first);
      same.last = Math.max(same.last, item.last);
      same.variants += item.variants;
      same.curExample ??= item.curExample;
      for (const [bucket, count] of item.buckets) same.buckets.set(bucket, (same.buckets.get(bucket) ?? 0) + count);
    }
  }
  return [...result.values()];
}

// ---------------------------------------------------------------- scoring

function scorer(store, options, notes) {
  const { base, cur } = store.sides;
  let weightBase = 1;
  let weightCur = 1;
  let unit = 'count';
  let how = options.normalize;
  if (how === 'time') {
    const spanBase = options.split !== null ? options.split - base.min : base.max - base.min;
    const spanCur = options.split !== null ? cur.max - options.split : cur.max - cur.min;
    if (spanBase > 0 && spanCur > 0 && Number.isFinite(spanBase) && Number.isFinite(spanCur)) {
      [weightBase, weightCur, unit] = [spanBase / 60000, spanCur / 60000, '/min'];
    } else {
      how = 'lines';
      notes.push('No usable time span on one side: compared by share of events instead. Shares mislead when one message floods the log.');
    }
  }
  if (how === 'lines') [weightBase, weightCur, unit] = [Math.max(1, base.events) / 1000, Math.max(1, cur.events) / 1000, ' per 1000 events'];
  const share = weightCur / (weightBase + weightCur);
  return {
    unit,
    how,
    minutes: how === 'time' ? { base: weightBase, cur: weightCur } : null,
    judge(item) {
      const total = item.base + item.cur;
      const part = (count, expected) => (count === 0 ? 0 : count * Math.log(count / expected));
      const g = Math.max(0, 2 * (part(item.cur, total * share) + part(item.base, total * (1 - share))));
      const rateBase = item.base / weightBase;
      const rateCur = item.cur / weightCur;
      const ratio = (item.cur + 0.5) / weightCur / ((item.base + 0.5) / weightBase);
      const severe = item.level === 'error' || item.level === 'fatal';
      let change = 'steady';
      if (item.base === 0) change = 'new';
      else if (item.cur === 0) change = 'gone';
      else if (g > 10.83 && ratio >= 1.5) change = 'more';
      else if (g > 10.83 && ratio <= 0.67) change = 'less';
      // One unseen event proves little unless it is an error.
      if (change === 'gone' && g <= 10.83) change = 'steady';
      const score = g * WEIGHT[item.level] + (change === 'new' && severe ? 50 : 0) + (change === 'new' && item.level === 'fatal' ? 50 : 0);
      return { change, score, rateBase, rateCur, ratio };
    },
  };
}

// ---------------------------------------------------------------- main work

async function consume(paths, sideOf, store, options, stats) {
  for (const path of paths) {
    const label = path === '-' ? 'stdin' : basename(path);
    let number = 0;
    let open = null;
    let lastTime = null;
    let seen = false;
    const flush = () => {
      if (!open) return;
      const { event, line, text, extra } = open;
      open = null;
      const cause = event.cause ?? causeIn(extra);
      let level = event.level;
      if (!level && (cause || /^(?:panic|fatal error): |^Traceback \(most recent|^Unhandled|^Uncaught/.test(event.message))) level = /^(?:panic|fatal)/.test(event.message) ? 'fatal' : 'error';
      level ??= 'unknown';
      if (event.time === null) {
        stats.untimed++;
        event.time = lastTime;
      } else lastTime = event.time;
      if (options.minLevel >= 0 && level !== 'unknown' && LEVELS.indexOf(level) < options.minLevel) {
        stats.belowLevel++;
        return;
      }
      let template = event.ready ? event.message : mask(event.message) || '<empty>';
      if (event.origin) template = `[${event.origin.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')}] ${template}`;
      if (cause && !template.includes(cause)) template += ` <<${cause}>>`;
      if (template.length > 400) template = `${template.slice(0, 399)}…`;
      store.add(sideOf(event.time), level, template, event.time, { file: label, line, text: text.slice(0, 600) });
    };
    for await (const raw of linesOf(path, stats)) {
      number++;
      stats.lines++;
      seen = true;
      if (raw.trim() === '') {
        stats.blank++;
        continue;
      }
      const event = parseLine(raw, options);
      const timed = event.time !== null;
      if (timed && event.time < 86400000 && lastTime !== null) event.time += Math.floor(lastTime / 86400000) * 86400000;
      const attach =
        options.join && open && !timed && !STARTS.test(event.message) && !event.structured && !event.ready && open.extra.length < MAX_CONTINUATION &&
        (open.event.time !== null || CONTINUES.test(raw) || event.indented || EXCEPTION.test(event.message) || open.inTraceback) && open.event.origin === (event.origin ?? open.event.origin);
      if (attach) {
        open.extra.push(event.message);
        if (/^Traceback \(most recent/.test(event.message)) open.inTraceback = true;
        else if (open.inTraceback && !event.indented) open.inTraceback = false;
        stats.joined++;
        continue;
      }
      flush();
      open = { event, line: number, text: raw, extra: [], inTraceback: /Traceback \(most recent/.test(event.message) };
    }
    flush();
    if (!seen) stats.emptyFiles.push(label);
  }
}

const BARS = '▁▂▃▄▅▆▇█';
function sparkline(item, store) {
  if (!Number.isFinite(store.minTime) || item.buckets.size === 0) return null;
  const from = Math.floor(store.minTime / store.width);
  const to = Math.floor(store.maxTime / store.width);
  if (to - from < 2) return null;
  const counts = [];
  for (let i = from; i <= to; i++) counts.push(item.buckets.get(i) ?? 0);
  const top = Math.max(...counts);
  return counts.map((count) => (count === 0 ? '·' : BARS[Math.min(7, Math.floor((count / top) * 7.999))])).join('');
}

const iso = (time) => (Number.isFinite(time) ? new Date(time).toISOString() : null);
const printable = (text, limit) => {
  // eslint-disable-next-line no-control-regex
  const safe = text.replace(/\x1b\[[0-9;?]{0,20}[A-Za-z]/g, '').replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ').replace(/[\u202a-\u202e\u2066-\u2069]/g, '').trimEnd();
  return safe.length > limit ? `${safe.slice(0, limit - 1)}…` : safe;
};

function readOptions() {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        baseline: { type: 'string', multiple: true, default: [] },
        split: { type: 'string' },
        normalize: { type: 'string', default: 'time' },
        sort: { type: 'string', default: 'score' },
        level: { type: 'string' },
        top: { type: 'string', default: '20' },
        all: { type: 'boolean', default: false },
        'no-merge': { type: 'boolean', default: false },
        'no-join': { type: 'boolean', default: false },
        'no-examples': { type: 'boolean', default: false },
        year: { type: 'string' },
        'max-templates': { type: 'string', default: '20000' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UserError(`${error.message.split('\n')[0]} (see --help)`);
  }
  const { values, positionals } = parsed;
  if (values.help) return { help: true };
  const whole = (name, least, most) => {
    const number = Number(values[name]);
    if (!/^\d+$/.test(values[name]) || number < least || number > most) throw new UserError(`--${name} must be a whole number from ${least} to ${most}`);
    return number;
  };
  const oneOf = (name, choices) => {
    if (!choices.includes(values[name])) throw new UserError(`--${name} must be one of ${choices.join(', ')}`);
    return values[name];
  };
  let split = null;
  if (values.split !== undefined) {
    const found = leadingTime(values.split.includes(':') ? values.split.replace(/^(\S+[T ]\d\d:\d\d)(?!:)/, '$1:00') : `${values.split}T00:00:00`, { year: 2000, yearGiven: true });
    if (!found || found[0] < 86400000) throw new UserError(`--split: '${values.split}' is not a time such as 2025-03-09T10:00:00Z`);
    split = found[0];
    if (values.baseline.length > 0) throw new UserError('use either --baseline or --split');
  }
  if (positionals.length === 0) throw new UserError("no input; name log files, or '-' for standard input (see --help)");
  if ([...positionals, ...values.baseline].filter((path) => path === '-').length > 1) throw new UserError('standard input can be used once only');
  let minLevel = -1;
  if (values.level !== undefined) minLevel = LEVELS.indexOf(oneOf('level', LEVELS));
  return {
    files: positionals, baseline: values.baseline, split, normalize: oneOf('normalize', ['time', 'lines', 'none']), sort: oneOf('sort', ['score', 'onset', 'count']),
    minLevel, top: whole('top', 0, 100000), all: values.all, merge: !values['no-merge'], join: !values['no-join'], examples: !values['no-examples'],
    yearGiven: values.year !== undefined, year: values.year === undefined ? new Date().getUTCFullYear() : whole('year', 1970, 2200), maxTemplates: whole('max-templates', 10, 1000000), json: values.json,
  };
}

async function build(options) {
  const store = new Store(options.maxTemplates);
  const stats = { lines: 0, blank: 0, joined: 0, untimed: 0, longLines: 0, belowLevel: 0, emptyFiles: [] };
  const compare = options.split !== null || options.baseline.length > 0;
  await consume(options.baseline, () => 'base', store, options, stats);
  await consume(options.files, (time) => (options.split !== null && time !== null && time < options.split ? 'base' : 'cur'), store, options, stats);
  const { base, cur } = store.sides;
  const notes = [];
  if (base.events + cur.events === 0) throw new UserError(stats.belowLevel > 0 ? 'every event is below --level' : 'the input holds no log lines');
  if (compare && base.events === 0) notes.push('The baseline is empty: every template counts as new. Check --split or the baseline files.');
  if (compare && cur.events === 0) notes.push('There are no current events: check --split or the files.');
  if (stats.emptyFiles.length > 0) notes.push(`Empty: ${stats.emptyFiles.join(', ')}.`);
  if (stats.longLines > 0) notes.push(`${stats.longLines} line(s) longer than ${MAX_LINE / 1024} KB were cut.`);
  if (stats.untimed > (base.events + cur.events) * 0.2) notes.push(`${stats.untimed} events carry no recognised time; they were placed at the time of the line before, if any.`);
  if (store.pooled > 0) notes.push(`${store.pooled} events were pooled after ${options.maxTemplates} templates; the messages hold a variable the masks do not know.`);

  let items = [...store.items.values()];
  const before = items.length;
  if (options.merge) items = mergeTemplates(items);
  const judge = compare && base.events > 0 ? scorer(store, options, notes) : null;
  let rows = items.map((item) => ({ item, ...(judge ? judge.judge(item) : { change: compare ? 'new' : null, score: item.cur * 1, rateBase: null, rateCur: null, ratio: null }) }));
  const rank = (item) => (item.level === 'unknown' ? 2 : LEVELS.indexOf(item.level));
  const byText = (x, y) => (x.item.template < y.item.template ? -1 : x.item.template > y.item.template ? 1 : 0);
  const orders = {
    score: judge ? (x, y) => y.score - x.score || byText(x, y) : (x, y) => rank(y.item) - rank(x.item) || y.item.cur - x.item.cur || byText(x, y),
    onset: (x, y) => x.item.first - y.item.first || byText(x, y),
    count: (x, y) => y.item.cur - x.item.cur || byText(x, y),
  };
  rows.sort((x, y) => orders[options.sort](x, y) || 0);
  const changeCounts = {};
  for (const row of rows) if (row.change) changeCounts[row.change] = (changeCounts[row.change] ?? 0) + 1;
  if (judge && !options.all) rows = rows.filter((row) => row.change !== 'steady');
  if (options.sort === 'onset') rows = rows.filter((row) => Number.isFinite(row.item.first));
  const shown = options.top === 0 ? rows : rows.slice(0, options.top);

  const span = (side) => ({ events: side.events, from: iso(side.min), to: iso(side.max) });
  return {
    mode: judge ? 'compare' : 'overview',
    normalizedBy: judge?.how ?? null,
    rateUnit: judge?.unit ?? null,
    minutes: judge?.minutes ?? null,
    lines: stats.lines,
    joinedLines: stats.joined,
    eventsWithoutTime: stats.untimed,
    baseline: compare ? span(base) : null,
    current: span(cur),
    templates: items.length,
    templatesBeforeMerge: before,
    levels: store.levelCounts,
    changes: changeCounts,
    notes,
    hidden: rows.length - shown.length,
    bucketSeconds: Number.isFinite(store.minTime) ? store.width / 1000 : null,
    rows: shown.map((row) => ({
      change: row.change,
      level: row.item.level,
      template: row.item.template,
      baseline: row.item.base,
      current: row.item.cur,
      baselineRate: row.rateBase === null ? null : Number(row.rateBase.toPrecision(4)),
      currentRate: row.rateCur === null ? null : Number(row.rateCur.toPrecision(4)),
      ratio: row.ratio === null || row.item.base === 0 || row.item.cur === 0 ? null : Number(row.ratio.toPrecision(3)),
      score: Number(row.score.toFixed(1)),
      firstSeen: iso(row.item.first),
      lastSeen: iso(row.item.last),
      mergedVariants: row.item.variants,
      trend: sparkline(row.item, store),
      ...(options.examples ? { example: (row.item.curExample ?? row.item.example) && { ...(row.item.curExample ?? row.item.example), text: printable((row.item.curExample ?? row.item.example).text, 500) } } : {}),
    })),
  };
}

function render(result) {
  const out = [];
  const span = (side) => `${side.events} events${side.from ? `, ${side.from.slice(0, 19)}Z to ${side.to.slice(0, 19)}Z` : ''}`;
  out.push('# Log triage', '');
  if (result.baseline) out.push(`Baseline: ${span(result.baseline)}`);
  out.push(`Current:  ${span(result.current)}`);
  out.push(`Levels:   ${Object.entries(result.levels).sort((a, b) => b[1] - a[1]).map(([level, count]) => `${level} ${count}`).join(', ') || 'none'}`);
  out.push(`${result.lines} lines, ${result.joinedLines} joined to the line above, ${result.templates} templates${result.templatesBeforeMerge > result.templates ? ` (${result.templatesBeforeMerge} before merging)` : ''}.`);
  if (result.mode === 'compare') {
    const names = ['new', 'more', 'less', 'gone', 'steady'];
    out.push(`Changes: ${names.map((name) => `${result.changes[name] ?? 0} ${name}`).join(', ')}. Compared by ${{ time: 'events per minute', lines: 'share of events', none: 'plain counts' }[result.normalizedBy]}.`);
  }
  for (const note of result.notes) out.push(`Note: ${note}`);
  if (result.rows.some((row) => row.trend)) out.push(`Trend: one mark per ${result.bucketSeconds} s of the current logs, each row on its own scale.`);
  out.push('');
  if (result.rows.length === 0) out.push('Nothing changed enough to report (use --all to list everything).', '');
  const long = result.current.from && result.current.from.slice(0, 10) !== result.current.to.slice(0, 10);
  const when = (time) => (long ? time.slice(0, 19).replace('T', ' ') : time.slice(11, 19));
  const number = (value) => (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : Number(value.toPrecision(2)).toString());
  result.rows.forEach((row, index) => {
    const head = [`${index + 1}.`];
    if (row.change) head.push(row.change.toUpperCase());
    head.push(row.level);
    if (result.mode === 'compare') {
      head.push(`${row.baseline} -> ${row.current}`);
      if (result.rateUnit !== 'count') head.push(`(${number(row.baselineRate)} -> ${number(row.currentRate)}${result.rateUnit}${row.ratio ? `, x${row.ratio}` : ''})`);
    } else head.push(`x${row.current}`);
    if (row.firstSeen) head.push(`first ${when(row.firstSeen)}, last ${when(row.lastSeen)}`);
    out.push(head.join(' '));
    out.push(`   ${row.template}${row.mergedVariants > 1 ? `   [${row.mergedVariants} variants]` : ''}`);
    if (row.trend) out.push(`   ${row.trend}`);
    if (row.example) out.push(`   e.g. ${row.example.file}:${row.example.line}: ${printable(row.example.text, 240)}`);
    out.push('');
  });
  if (result.hidden > 0) out.push(`${result.hidden} more (raise --top).`, '');
  return out.join('\n');
}

process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`${SELF}: cannot write output: ${error.code}\n`);
  process.exit(2);
});

try {
  const options = readOptions();
  if (options.help) console.log(HELP);
  else {
    const result = await build(options);
    console.log(options.json ? JSON.stringify(result, null, 2) : render(result));
  }
} catch (error) {
  console.error(`${SELF}: ${error instanceof UserError ? error.message : `unexpected problem: ${error.message}`}`);
  process.exitCode = 2;
}

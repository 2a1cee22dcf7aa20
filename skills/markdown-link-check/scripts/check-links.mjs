#!/usr/bin/env node
// Check relative links, images and heading anchors in Markdown files, offline.

import { isUtf8 } from 'node:buffer';
import { readFileSync, readdirSync, statSync, lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const SELF = 'check-links';
const HELP = `Usage: check-links.mjs [options] [PATH...]
       ... | check-links.mjs [options] -

Checks links between files: missing targets, wrong letter case, unknown heading
anchors, undefined references. Makes no network requests.

  PATH                 Markdown files or folders (default: .); '-' reads one
                       document from standard input, resolved against --base
  --root DIR           folder that links starting with '/' refer to, and that
                       links should not leave (default: repository root of the
                       first PATH, else that folder)
  --base DIR           folder of the document read from standard input (default: .)
  --ext LIST           file name endings to scan (default: md,markdown,mdown,mkd)
  --ignore GLOB        skip files whose path matches (repeatable; * ? ** work)
  --allow GLOB         accept link targets that match (repeatable), e.g. '/api/**'
  --hidden             also scan hidden folders such as .github
  --anchors STYLE      github (default), gitlab, or none to skip anchors
  --extensionless      accept 'guide' for guide.md, as many site builders do
  --list-external      include all http(s) links in the output
  --warnings-as-errors exit 1 also for warnings
  --json               print JSON instead of text
  --help               show this text

Exit status: 0 no broken links, 1 broken links found, 2 wrong usage or unreadable
input.`;

const MAX_FILE = 20 * 1024 * 1024;
const MAX_FILES = 50000;
const SKIP_DIRS = new Set(['node_modules', 'bower_components', 'vendor', '__pycache__', 'venv']);

class UserError extends Error {}

// ---------------------------------------------------------------- globs (linear time, no backtracking regex)

function globMatch(glob, text) {
  const pattern = glob.replace(/^\.\//, '').split('/');
  const parts = text.replace(/^\.\//, '').split('/');
  let reach = new Set([0]);
  const close = (set) => {
    for (const index of set) if (pattern[index] === '**') set.add(index + 1);
    return set;
  };
  close(reach);
  for (const part of parts) {
    const next = new Set();
    for (const index of reach) {
      if (index >= pattern.length) continue;
      if (pattern[index] === '**') next.add(index);
      else if (segmentMatch(pattern[index], part)) next.add(index + 1);
    }
    reach = close(next);
    if (reach.size === 0) return false;
  }
  return reach.has(pattern.length);
}

function segmentMatch(glob, text) {
  let g = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (g < glob.length && (glob[g] === '?' || glob[g] === text[t]) && glob[g] !== '*') {
      g++;
      t++;
    } else if (glob[g] === '*') {
      star = g++;
      mark = t;
    } else if (star >= 0) {
      g = star + 1;
      t = ++mark;
    } else return false;
  }
  while (glob[g] === '*') g++;
  return g === glob.length;
}

const matchesAny = (globs, text) => globs.some((glob) => globMatch(glob, text) || (!glob.includes('/') && text.split('/').some((part) => segmentMatch(glob, part))));

// ---------------------------------------------------------------- Markdown

const blank = (text) => text.replace(/[^\n]/g, ' ');
const ESCAPABLE = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const unescapeMd = (text) => text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', '#39': "'", '#x27': "'", '#34': '"', '#38': '&' };
const unentity = (text) => text.replace(/&(#?\w{1,8});/g, (all, name) => ENTITIES[name] ?? all);

// Blank out everything that cannot hold links: front matter, fenced and indented
// code, HTML comments. Line numbers stay as they are.
function visibleLines(text) {
  const lines = text.split('\n');
  let start = 0;
  if (/^(?:---|\+\+\+)\s*$/.test(lines[0] ?? '')) {
    const mark = lines[0].slice(0, 3);
    const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === mark);
    if (end > 0) {
      start = end + 1;
      for (let i = 0; i < start; i++) lines[i] = '';
    }
  }
  let fence = null;
  let comment = false;
  let listIndent = -1; // content column of the innermost open list item, or -1
  let previousBlank = true;
  let inIndented = false;
  for (let i = start; i < lines.length; i++) {
    const line = lines[i].replace(/\t/g, '    ');
    const body = line.replace(/^(?: {0,3}> ?)+/, '');
    if (fence) {
      const close = /^\s*(`{3,}|~{3,})\s*$/.exec(body);
      const ended = close && close[1][0] === fence.char && close[1].length >= fence.size;
      const leftQuote = fence.quoted && !/^ {0,3}>/.test(line);
      if (leftQuote) fence = null;
      else {
        lines[i] = '';
        if (ended) fence = null;
        previousBlank = false;
        continue;
      }
    }
    if (comment) {
      const end = lines[i].indexOf('-->');
      if (end < 0) {
        lines[i] = '';
        continue;
      }
      lines[i] = ' '.repeat(end + 3) + lines[i].slice(end + 3);
      comment = false;
    }
    const bullet = /^(\s*)(?:[-*+]|\d{1,9}[.)])( +|$)/.exec(body);
    const opening = /^(\s*(?:(?:[-*+]|\d{1,9}[.)]) +)*)(`{3,}|~{3,})([^\n]*)$/.exec(body);
    if (opening && !(opening[2][0] === '`' && opening[3].includes('`')) && (opening[1].length < 4 || listIndent >= 0)) {
      fence = { char: opening[2][0], size: opening[2].length, quoted: body !== line };
      lines[i] = '';
      previousBlank = false;
      continue;
    }
    if (body.trim() === '') {
      previousBlank = true;
      continue;
    }
    const indent = /^ */.exec(body)[0].length;
    const limit = listIndent >= 0 ? listIndent + 4 : 4;
    if (indent >= limit && (previousBlank || inIndented) && !(bullet && listIndent >= 0 && indent < limit)) {
      inIndented = true;
      lines[i] = '';
      continue;
    }
    inIndented = false;
    if (bullet && indent < limit) listIndent = bullet[0].length;
    else if (indent === 0 && previousBlank) listIndent = -1;
    previousBlank = false;
    // Comments that begin on this line, outside inline code.
    if (lines[i].includes('<!--')) {
      const hidden = blankCode(lines[i]);
      let at = hidden.indexOf('<!--');
      while (at >= 0) {
        const end = lines[i].indexOf('-->', at + 4);
        if (end < 0) {
          lines[i] = lines[i].slice(0, at);
          comment = true;
          break;
        }
        lines[i] = lines[i].slice(0, at) + ' '.repeat(end + 3 - at) + lines[i].slice(end + 3);
        at = lines[i].indexOf('<!--', end + 3);
      }
    }
  }
  return lines;
}

// Replace inline code by blanks, keeping length. Backtick runs pair with the
// next run of the same size.
function blankCode(text) {
  if (!text.includes('`')) return text;
  const runs = [...text.matchAll(/`+/g)].map((match) => ({ at: match.index, size: match[0].length }));
  const bySize = new Map();
  runs.forEach((run, i) => {
    if (!bySize.has(run.size)) bySize.set(run.size, []);
    bySize.get(run.size).push(i);
  });
  const cursor = new Map();
  let out = '';
  let from = 0;
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i];
    if (run.at < from) continue;
    let slashes = 0;
    for (let at = run.at - 1; at >= 0 && text[at] === '\\'; at--) slashes++;
    if (slashes % 2 === 1 && run.size === 1) continue;
    const list = bySize.get(run.size);
    let next = cursor.get(run.size) ?? 0;
    while (next < list.length && list[next] <= i) next++;
    cursor.set(run.size, next);
    if (next >= list.length) continue;
    const end = runs[list[next]];
    out += text.slice(from, run.at) + blank(text.slice(run.at, end.at + end.size));
    from = end.at + end.size;
    i = list[next];
  }
  return out + text.slice(from);
}

// Parse "(destination "title")" at `at`, which points to '('. Returns
// { target, end } or null.
function parseDestination(text, at) {
  let i = at + 1;
  const skipSpace = () => {
    while (i < text.length && /[ \t\n]/.test(text[i])) i++;
  };
  skipSpace();
  let target = '';
  if (text[i] === '<') {
    const end = text.indexOf('>', i);
    if (end < 0 || end - i > 4000 || text.slice(i + 1, end).includes('\n')) return null;
    target = text.slice(i + 1, end);
    i = end + 1;
  } else {
    let depth = 0;
    const from = i;
    while (i < text.length) {
      const char = text[i];
      if (char === '\\' && ESCAPABLE.includes(text[i + 1] ?? ' ')) {
        i += 2;
        continue;
      }
      if (char <= ' ') break;
      if (char === '(' && ++depth > 32) return null;
      if (char === ')' && --depth < 0) break;
      i++;
    }
    target = text.slice(from, i);
  }
  skipSpace();
  if (text[i] === '"' || text[i] === "'" || text[i] === '(') {
    const close = text[i] === '(' ? ')' : text[i];
    let end = i + 1;
    while (end < text.length && end - i < 2000 && text[end] !== close) end += text[end] === '\\' ? 2 : 1;
    if (text[end] !== close) return null;
    i = end + 1;
    skipSpace();
  }
  if (text[i] !== ')') return null;
  return { target, end: i };
}

const label = (text) => unescapeMd(text).trim().replace(/\s+/g, ' ').toLowerCase();

function parseDocument(source) {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n').replace(/\0/g, '\uFFFD');
  const lines = visibleLines(text);
  const links = [];
  const references = [];
  const definitions = new Map();
  const headings = [];
  const ids = new Set();

  // Definitions and headings, line by line.
  for (let i = 0; i < lines.length; i++) {
    const body = lines[i].replace(/^(?: {0,3}> ?)+/, '');
    let m = /^ {0,3}\[((?:[^[\]\\]|\\.){1,999})\]:\s*(?:<([^<>]*)>|(\S+))?\s*(.*)$/.exec(body);
    if (m && !m[1].startsWith('^')) {
      let target = m[2] ?? m[3];
      if (target === undefined && lines[i + 1]?.trim()) target = lines[i + 1].trim().split(/\s/, 1)[0].replace(/^<(.*)>$/, '$1');
      const tail = m[4].trim();
      if (target !== undefined && (tail === '' || /^["'(]/.test(tail))) {
        const key = label(m[1]);
        if (definitions.has(key)) definitions.get(key).repeated.push(i + 1);
        else definitions.set(key, { target, line: i + 1, label: m[1], used: false, repeated: [] });
        lines[i] = '';
        continue;
      }
    }
    m = /^(?:\s*(?:[-*+]|\d{1,9}[.)]) +)* {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(body);
    if (m) headings.push({ text: m[2] ?? '', line: i + 1 });
    else if (/^ {0,3}(?:=+|-+)\s*$/.test(body) && i > 0 && /\S/.test(lines[i - 1])) {
      const above = lines[i - 1].replace(/^(?: {0,3}> ?)+/, '');
      const isRule = /^ {0,3}-+\s*$/.test(body) && /^\s*(?:[-*+]\s|\d{1,9}[.)]\s|\||#{1,6}\s)/.test(above);
      if (!isRule && above.trim()) {
        // A setext heading may span several lines; the paragraph above belongs to it.
        let first = i - 1;
        while (first > 0 && /\S/.test(lines[first - 1]) && !/^\s*(?:#{1,6}\s|[-*+]\s|>|\d{1,9}[.)]\s|=+\s*$|-+\s*$)/.test(lines[first - 1]) && i - first < 20) first--;
        headings.push({ text: lines.slice(first, i).join(' ').trim(), line: first + 1 });
      }
    }
  }
  headings.sort((a, b) => a.line - b.line);

  // Inline content, paragraph by paragraph.
  const paragraphs = [];
  let start = -1;
  for (let i = 0; i <= lines.length; i++) {
    const empty = i === lines.length || lines[i].trim() === '' || /^ {0,3}#{1,6}(?:\s|$)/.test(lines[i]);
    if (!empty && start < 0) start = i;
    if (empty && start >= 0) {
      paragraphs.push([start, i]);
      start = -1;
    }
    if (empty && i < lines.length && lines[i].trim() !== '') paragraphs.push([i, i + 1]);
  }
  for (const [from, to] of paragraphs) {
    const raw = lines.slice(from, to).join('\n');
    const content = blankCode(raw);
    const lineStarts = [0];
    for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) lineStarts.push(at + 1);
    const lineAt = (offset) => {
      let low = 0;
      let high = lineStarts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (lineStarts[middle] <= offset) low = middle;
        else high = middle - 1;
      }
      return from + low + 1;
    };
    scanInline(content, lineAt, links, references);
    for (const tag of content.matchAll(/<([A-Za-z][\w-]{0,40})(\s[^<>]{0,4000})?\/?>/g)) {
      const attributes = tag[2] ?? '';
      for (const attribute of attributes.matchAll(/(?:^|\s)([\w-]{1,40})\s*=\s*(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,2000}))/g)) {
        const name = attribute[1].toLowerCase();
        const value = unentity(attribute[2] ?? attribute[3] ?? attribute[4] ?? '');
        if (name === 'id' || (name === 'name' && tag[1].toLowerCase() === 'a')) ids.add(value);
        const element = tag[1].toLowerCase();
        if ((name === 'href' && ['a', 'link', 'area'].includes(element)) || (name === 'src' && ['img', 'source', 'video', 'audio', 'script', 'iframe'].includes(element))) {
          links.push({ target: value, line: lineAt(tag.index), kind: name === 'src' ? 'image' : 'html', raw: true });
        }
      }
    }
    for (const auto of content.matchAll(/<((?:https?|ftp|mailto):[^\s<>]{1,2000})>/gi)) links.push({ target: auto[1], line: lineAt(auto.index), kind: 'link', raw: true });
  }
  return { text, links, references, definitions, headings, ids };
}

function parseBytes(bytes) {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const document = parseDocument(bytes.toString(utf16 ? 'utf16le' : 'utf8'));
  document.odd = utf16 ? 'is UTF-16; Markdown tools expect UTF-8' : !isUtf8(bytes) ? 'holds bytes that are not valid UTF-8' : bytes.includes(0) ? 'holds NUL bytes' : null;
  return document;
}

function scanInline(text, lineAt, links, references) {
  const stack = [];
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '\\') {
      i++;
      continue;
    }
    if (char === '[') stack.push(i);
    else if (char === ']') {
      if (stack.length === 0) continue;
      const open = stack.pop();
      const image = text[open - 1] === '!' && text[open - 2] !== '\\';
      if (text[i + 1] === '(') {
        const found = parseDestination(text, i + 1);
        if (found) {
          links.push({ target: found.target, line: lineAt(open), kind: image ? 'image' : 'link', textEmpty: !image && text.slice(open + 1, i).trim() === '' });
          // Links do not nest, images inside link text do: continue after the destination.
          i = found.end;
          continue;
        }
      }
      if (i - open > 1000) continue;
      const inner = text.slice(open + 1, i);
      if (text[i + 1] === '[') {
        const end = text.indexOf(']', i + 2);
        if (end > 0 && end - i < 1000 && !text.slice(i + 2, end).includes('[')) {
          const explicit = text.slice(i + 2, end);
          // a[i][j] and [^1][^2] are text and footnotes, not references
          const prose = /[\w)\]]/.test(text[open - 1] ?? ' ') || explicit.startsWith('^') || inner.startsWith('^') || (explicit + inner).trim() === '';
          references.push({ label: explicit.trim() === '' ? inner : explicit, line: lineAt(open), full: !prose });
          i = end;
          continue;
        }
      }
      if (!inner.startsWith('^') && !inner.includes('[')) references.push({ label: inner, line: lineAt(open), full: false });
    }
  }
}

// ---------------------------------------------------------------- anchors

function plainHeading(text) {
  return unentity(
    unescapeMd(
      text
        .replace(/!\[([^\]]{0,500})\]\([^)]{0,2000}\)/g, '')
        .replace(/\[([^\]]{0,500})\]\([^)]{0,2000}\)/g, '$1')
        .replace(/\[([^\]]{0,500})\]\[[^\]]{0,500}\]/g, '$1')
        .replace(/<[^<>]{1,500}>/g, '')
        .replace(/(^|[^\w])_{1,3}(\S(?:.{0,500}?\S)?)_{1,3}(?=[^\w]|$)/g, '$1$2')
        .replace(/[*`]/g, ''),
    ),
  );
}

function slug(text, style) {
  let result = plainHeading(text).trim().toLowerCase();
  result = result.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '');
  result = result.replace(/ /g, '-');
  if (style === 'gitlab') result = result.replace(/-{2,}/g, '-');
  return result;
}

function anchorsOf(document, style) {
  const set = new Set(document.ids);
  for (const id of document.ids) set.add(id.toLowerCase());
  const seen = new Map();
  const ordered = [];
  for (const heading of document.headings) {
    const custom = /\s*\{:?\s*#([\w.:-]{1,200})[^{}]*\}\s*$/.exec(heading.text);
    if (custom) {
      set.add(custom[1]);
      ordered.push(custom[1]);
      heading.text = heading.text.slice(0, custom.index);
    }
    const base = slug(heading.text, style);
    let name = base;
    while (seen.has(name)) {
      seen.set(base, seen.get(base) + 1);
      name = `${base}-${seen.get(base)}`;
    }
    seen.set(name, seen.get(name) ?? 0);
    set.add(name);
    ordered.push(name);
  }
  return { set, ordered };
}

// ---------------------------------------------------------------- suggestions

function distance(a, b, limit) {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (unused, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (next[j] < best) best = next[j];
    }
    if (best > limit) return limit + 1;
    row = next;
  }
  return row[b.length];
}

let suggestionsLeft = 500;

function nearest(name, candidates) {
  if (name.length > 200 || suggestionsLeft-- <= 0) return null;
  const wanted = name.toLowerCase();
  if (wanted.replace(/\.\w+$/, '').length < 3) return null;
  const limit = Math.max(1, Math.min(6, Math.floor(wanted.length / 3)));
  let best = null;
  let bestDistance = limit + 1;
  let looked = 0;
  for (const candidate of candidates) {
    if (++looked > 5000) break;
    const score = distance(wanted, candidate.toLowerCase(), limit);
    if (score < bestDistance) [best, bestDistance] = [candidate, score];
  }
  if (best) return best;
  for (const candidate of candidates) if (wanted.length >= 4 && candidate.toLowerCase().startsWith(wanted)) return candidate;
  return null;
}

// ---------------------------------------------------------------- checking

class Checker {
  constructor(options) {
    this.options = options;
    this.documents = new Map();
    this.listings = new Map();
    this.problems = [];
    this.external = [];
    this.counts = { files: 0, links: 0, external: 0, anchors: 0 };
    this.names = null;
  }

  listing(dir) {
    let entry = this.listings.get(dir);
    if (entry === undefined) {
      try {
        entry = new Set(readdirSync(dir));
      } catch {
        entry = null;
      }
      this.listings.set(dir, entry);
    }
    return entry;
  }

  load(file) {
    let document = this.documents.get(file);
    if (document !== undefined) return document;
    document = null;
    try {
      const info = statSync(file);
      if (info.isFile() && info.size <= MAX_FILE) document = parseBytes(readFileSync(file));
      else if (info.size > MAX_FILE) document = { tooLarge: true };
    } catch (error) {
      document = { unreadable: error.code ?? error.message };
    }
    if (document && document.headings) {
      const anchors = anchorsOf(document, this.options.anchors);
      document.anchors = anchors.set;
      document.anchorList = anchors.ordered;
    }
    this.documents.set(file, document);
    return document;
  }

  report(severity, kind, where, target, message, suggestion) {
    const problem = { file: where.file, line: where.line, severity, kind, target: printable(target, 200), message };
    if (suggestion) problem.suggestion = suggestion;
    this.problems.push(problem);
  }

  check(name, file, base, document) {
    this.counts.files++;
    if (document.tooLarge) return this.report('warning', 'file-too-large', { file: name, line: 0 }, '', `larger than ${MAX_FILE >> 20} MB, not checked`);
    if (document.unreadable) return this.report('error', 'unreadable', { file: name, line: 0 }, '', `cannot be read (${document.unreadable})`);
    if (document.odd) this.report('warning', 'encoding', { file: name, line: Math.max(1, document.text.slice(0, document.text.indexOf('\uFFFD') + 1).split('\n').length) }, '', document.odd);
    const all = [...document.links];
    for (const reference of document.references) {
      const definition = document.definitions.get(label(reference.label));
      if (definition) {
        definition.used = true;
      } else if (reference.full) {
        const guess = nearest(label(reference.label), document.definitions.keys());
        this.report('error', 'undefined-reference', { file: name, line: reference.line }, `[${reference.label}]`, 'reference has no definition', guess && `[${guess}]`);
      }
    }
    for (const definition of document.definitions.values()) {
      all.push({ target: definition.target, line: definition.line, kind: 'definition' });
      if (!definition.used) this.report('warning', 'unused-definition', { file: name, line: definition.line }, `[${definition.label}]`, 'definition is never used');
      for (const line of definition.repeated) this.report('warning', 'repeated-definition', { file: name, line }, `[${definition.label}]`, `already defined at line ${definition.line}; this one is ignored`);
    }
    for (const link of all) this.checkLink(name, file, base, document, link);
    return undefined;
  }

  checkLink(name, file, base, document, link) {
    const where = { file: name, line: link.line };
    const target = link.raw ? link.target.trim() : unentity(unescapeMd(link.target.trim()));
    this.counts.links++;
    if (link.textEmpty) this.report('warning', 'empty-text', where, target, 'link has no text');
    if (target === '') {
      this.report('error', 'empty-target', where, target, 'link has no target');
      return;
    }
    if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(target) && !/^[A-Za-z]:[\\/]/.test(target)) {
      this.checkExternal(where, target);
      return;
    }
    if (target.startsWith('//')) {
      this.counts.external++;
      this.report('warning', 'protocol-relative', where, target, 'link without protocol; write https://');
      return;
    }
    if (/[{<]%|\{\{|\$\{/.test(target)) return; // template placeholder
    if (matchesAny(this.options.allow, target.split('#')[0] || target)) return;
    if (/^[A-Za-z]:[\\/]|^file:/.test(target)) {
      this.report('error', 'absolute-path', where, target, 'path on one machine only');
      return;
    }
    const hash = target.indexOf('#');
    const fragment = hash >= 0 ? target.slice(hash + 1) : null;
    let location = (hash >= 0 ? target.slice(0, hash) : target).split('?', 1)[0];
    if (location.includes('\\')) {
      this.report('error', 'backslash', where, target, 'backslash in a path works on one system only; use /', location.replaceAll('\\', '/'));
      location = location.replaceAll('\\', '/');
    }
    try {
      location = decodeURIComponent(location);
    } catch {
      this.report('error', 'bad-encoding', where, target, 'invalid percent sequence');
      return;
    }
    if (location.includes('\0')) {
      this.report('error', 'bad-encoding', where, target, 'NUL in the path');
      return;
    }
    if (location === '') {
      if (fragment !== null) this.checkAnchor(where, target, document, fragment, name);
      return;
    }
    if (location.length > 4096) {
      this.report('error', 'missing-file', where, target, 'path is too long');
      return;
    }
    const { root } = this.options;
    const absolute = location.startsWith('/') ? path.join(root, location) : path.resolve(base, location);
    if (absolute !== root && !absolute.startsWith(root.endsWith(path.sep) ? root : root + path.sep)) {
      this.report('warning', 'outside-root', where, target, 'link leaves the checked tree; not followed');
      return;
    }
    const found = this.resolve(absolute, location.endsWith('/'));
    if (!found.path) {
      this.report('error', 'missing-file', where, target, location === path.relative(root, absolute) ? 'no such file' : `no such file (${printable(path.relative(root, absolute) || '.', 200)})`, this.suggest(absolute, base, location));
      return;
    }
    if (found.wrongCase) {
      this.report('error', 'wrong-case', where, target, 'letter case differs from the file name; breaks on case-sensitive systems', relativeLink(base, found.path));
      return;
    }
    if (found.isDirectory && fragment) {
      const index = ['README.md', 'readme.md', 'index.md', 'Readme.md'].find((file) => this.listing(found.path)?.has(file));
      if (!index) this.report('error', 'missing-anchor', where, target, 'the folder has no README.md or index.md to hold the anchor');
      else this.checkAnchor(where, target, this.load(path.join(found.path, index)), fragment, null);
      return;
    }
    if (fragment === null || found.isDirectory) return;
    if (this.isMarkdown(found.path)) this.checkAnchor(where, target, found.path === file ? document : this.load(found.path), fragment, null);
    else this.checkLineAnchor(where, target, found.path, fragment);
  }

  isMarkdown(file) {
    return this.options.extensions.some((extension) => file.toLowerCase().endsWith(`.${extension}`));
  }

  checkExternal(where, target) {
    const scheme = /^[A-Za-z][A-Za-z0-9+.-]*/.exec(target)[0].toLowerCase();
    this.counts.external++;
    if (scheme === 'http' || scheme === 'https') {
      this.external.push({ file: where.file, line: where.line, target });
      let url;
      try {
        url = new URL(target);
      } catch {
        this.report('error', 'bad-url', where, target, 'not a valid address');
        return;
      }
      if (!/^https?:\/\/[^/]/i.test(target)) this.report('error', 'bad-url', where, target, 'the address needs // after the protocol');
      else if (/^(?:localhost|127\.|0\.0\.0\.0|\[::1\])/.test(url.hostname)) this.report('warning', 'local-url', where, target, 'points to the reader\'s own machine');
    } else if (scheme === 'file') this.report('error', 'absolute-path', where, target, 'path on one machine only');
    else if (scheme === 'javascript' || scheme === 'vbscript') this.report('error', 'script-url', where, target, 'script in a link; most renderers drop it');
    else if (scheme === 'mailto' && !/^mailto:[^\s@]+@[^\s@]+\.[^\s@]+/i.test(target)) this.report('warning', 'bad-mailto', where, target, 'no usable mail address');
  }

  // Find the real path, comparing letter case against directory listings.
  resolve(absolute, wantsDirectory) {
    const exact = this.exists(absolute);
    if (exact) return { ...exact, wrongCase: !this.caseMatches(exact.path) };
    if (!wantsDirectory && this.options.extensionless) {
      for (const extension of this.options.extensions) {
        const withExtension = this.exists(`${absolute}.${extension}`);
        if (withExtension) return { ...withExtension, wrongCase: !this.caseMatches(withExtension.path) };
      }
      if (absolute.toLowerCase().endsWith('.html')) {
        for (const extension of this.options.extensions) {
          const source = this.exists(absolute.replace(/\.html$/i, `.${extension}`));
          if (source) return { ...source, wrongCase: false };
        }
      }
    }
    const other = this.findOtherCase(absolute);
    return other ? { path: other, isDirectory: false, wrongCase: true } : { path: null };
  }

  exists(file) {
    try {
      const info = statSync(file);
      return { path: file, isDirectory: info.isDirectory() };
    } catch {
      return null;
    }
  }

  caseMatches(file) {
    let at = file;
    while (at.length > this.options.root.length && at !== path.dirname(at)) {
      const entries = this.listing(path.dirname(at));
      if (entries && !entries.has(path.basename(at))) return entries.has(path.basename(at).normalize('NFC')) || entries.has(path.basename(at).normalize('NFD'));
      at = path.dirname(at);
    }
    return true;
  }

  findOtherCase(absolute) {
    const { root } = this.options;
    let at = root;
    for (const part of path.relative(root, absolute).split(path.sep)) {
      const entries = this.listing(at);
      if (!entries) return null;
      const name = entries.has(part) ? part : [...entries].find((entry) => entry.toLowerCase() === part.toLowerCase());
      if (name === undefined) return null;
      at = path.join(at, name);
    }
    return at === absolute ? null : at;
  }

  suggest(absolute, base, location) {
    const siblings = this.listing(path.dirname(absolute));
    const wanted = path.basename(absolute);
    if (siblings) {
      for (const extension of this.options.extensions) if (siblings.has(`${wanted}.${extension}`)) return relativeLink(base, path.join(path.dirname(absolute), `${wanted}.${extension}`));
      const close = nearest(wanted, siblings);
      if (close) return relativeLink(base, path.join(path.dirname(absolute), close));
    }
    // A file of that name elsewhere in the tree: it was probably moved.
    if (!this.names) {
      this.names = new Map();
      for (const file of this.options.allFiles) {
        const name = path.basename(file);
        if (!this.names.has(name)) this.names.set(name, []);
        this.names.get(name).push(file);
      }
    }
    const moved = this.names.get(wanted);
    if (moved?.length === 1) return relativeLink(base, moved[0]);
    if (!location.startsWith('/') && this.exists(path.join(this.options.root, location))) return relativeLink(base, path.join(this.options.root, location));
    return null;
  }

  checkAnchor(where, target, document, fragment, sameFile) {
    if (this.options.anchors === 'none' || fragment === '' || !document || !document.anchors) return;
    this.counts.anchors++;
    let wanted;
    try {
      wanted = decodeURIComponent(fragment);
    } catch {
      this.report('error', 'bad-encoding', where, target, 'invalid percent sequence in the anchor');
      return;
    }
    if (/^:~:text=/.test(wanted)) return;
    if (document.anchors.has(wanted)) return;
    if (wanted === 'top') return;
    if (document.anchors.has(wanted.toLowerCase())) {
      this.report('warning', 'anchor-case', where, target, 'anchors are lower case; some renderers do not match capitals', `#${wanted.toLowerCase()}`);
      return;
    }
    if (/^L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$/.test(wanted)) return;
    if (/^user-content-/.test(wanted) && document.anchors.has(wanted.slice(13))) return;
    const guess = nearest(wanted, document.anchorList);
    this.report('error', 'missing-anchor', where, target, sameFile === null ? 'no such heading or id in the target' : 'no such heading or id in this file', guess && `#${guess}`);
  }

  checkLineAnchor(where, target, file, fragment) {
    const match = /^L(\d+)(?:-L?(\d+))?$/.exec(fragment);
    if (!match) return;
    this.counts.anchors++;
    let lines = 0;
    try {
      const info = statSync(file);
      if (info.size > MAX_FILE) return;
      const data = readFileSync(file);
      for (const byte of data) if (byte === 10) lines++;
      if (data.length > 0 && data[data.length - 1] !== 10) lines++;
    } catch {
      return;
    }
    if (Math.max(Number(match[1]), Number(match[2] ?? 0)) > lines) this.report('error', 'missing-line', where, target, `the file has ${lines} lines only`);
  }
}

const relativeLink = (base, file) => {
  const relative = path.relative(base, file).split(path.sep).join('/') || '.';
  return relative.replace(/[ ()%<>]/g, (char) => encodeURIComponent(char).replace('(', '%28').replace(')', '%29'));
};

const printable = (text, limit) => {
  // eslint-disable-next-line no-control-regex
  const safe = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?').replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
  return safe.length > limit ? `${safe.slice(0, limit - 1)}…` : safe;
};

// ---------------------------------------------------------------- finding files

function walk(top, options, found, everything) {
  const queue = [top];
  while (queue.length > 0) {
    const dir = queue.pop();
    let entries;
    try {
      entries = readdirSync(dir, { withFileTypes: true });
    } catch (error) {
      if (dir === top) throw new UserError(`cannot read ${top}: ${error.code}`);
      options.unreadable.push(`${path.relative(top, dir)} (${error.code})`);
      continue;
    }
    entries.sort((a, b) => (a.name < b.name ? 1 : -1));
    for (const entry of entries) {
      const full = path.join(dir, entry.name);
      const relative = path.relative(top, full).split(path.sep).join('/');
      if (matchesAny(options.ignore, relative)) continue;
      if (entry.isDirectory()) {
        if (entry.name === '.git' || SKIP_DIRS.has(entry.name) || (entry.name.startsWith('.') && !options.hidden)) continue;
        queue.push(full);
      } else {
        let isFile = entry.isFile();
        if (entry.isSymbolicLink()) {
          try {
            isFile = statSync(full).isFile();
          } catch {
            isFile = false;
          }
        }
        if (!isFile) continue;
        everything.push(full);
        if (everything.length > MAX_FILES * 4) throw new UserError(`more than ${MAX_FILES * 4} files; name smaller folders`);
        if (options.extensions.some((extension) => entry.name.toLowerCase().endsWith(`.${extension}`))) {
          found.push(full);
          if (found.length > MAX_FILES) throw new UserError(`more than ${MAX_FILES} Markdown files; name smaller folders`);
        }
      }
    }
  }
}

function findRoot(start) {
  let at = start;
  for (;;) {
    try {
      lstatSync(path.join(at, '.git'));
      return at;
    } catch {
      const parent = path.dirname(at);
      if (parent === at) return start;
      at = parent;
    }
  }
}

function readOptions() {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        root: { type: 'string' },
        base: { type: 'string', default: '.' },
        ext: { type: 'string', default: 'md,markdown,mdown,mkd' },
        ignore: { type: 'string', multiple: true, default: [] },
        allow: { type: 'string', multiple: true, default: [] },
        hidden: { type: 'boolean', default: false },
        anchors: { type: 'string', default: 'github' },
        extensionless: { type: 'boolean', default: false },
        'list-external': { type: 'boolean', default: false },
        'warnings-as-errors': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UserError(`${error.message.split('\n')[0]} (see --help)`);
  }
  const { values, positionals } = parsed;
  if (!['github', 'gitlab', 'none'].includes(values.anchors)) throw new UserError('--anchors must be github, gitlab or none');
  const extensions = values.ext.split(',').map((part) => part.trim().replace(/^\./, '').toLowerCase()).filter(Boolean);
  if (extensions.length === 0) throw new UserError('--ext needs at least one ending, such as md,mdx');
  if (positionals.includes('-') && positionals.length > 1) throw new UserError("'-' cannot be combined with other paths");
  return { ...values, paths: positionals.length > 0 ? positionals : ['.'], extensions, unreadable: [], allFiles: [] };
}

const directory = (name, option) => {
  let info;
  try {
    info = statSync(name);
  } catch {
    throw new UserError(`${option}: no such folder: ${name}`);
  }
  if (!info.isDirectory()) throw new UserError(`${option}: not a folder: ${name}`);
  return realpathSync(name);
};

function run(options) {
  const stdin = options.paths[0] === '-';
  const files = [];
  let firstDir;
  if (stdin) firstDir = directory(options.base, '--base');
  else {
    for (const item of options.paths) {
      let info;
      try {
        info = statSync(item);
      } catch (error) {
        throw new UserError(`cannot open ${item}: ${error.code === 'ENOENT' ? 'no such file or folder' : error.code}`);
      }
      const real = realpathSync(item);
      firstDir ??= info.isDirectory() ? real : path.dirname(real);
      if (info.isDirectory()) walk(real, options, files, options.allFiles);
      else if (info.isFile()) files.push(real);
      else throw new UserError(`${item} is neither a file nor a folder`);
    }
  }
  options.root = options.root ? directory(options.root, '--root') : findRoot(firstDir);
  const checker = new Checker(options);
  if (stdin) {
    let text;
    try {
      text = readFileSync(0);
    } catch (error) {
      throw new UserError(`cannot read standard input: ${error.code ?? error.message}`);
    }
    if (text.length > MAX_FILE) throw new UserError(`standard input is larger than ${MAX_FILE >> 20} MB`);
    const document = parseBytes(text);
    const anchors = anchorsOf(document, options.anchors);
    document.anchors = anchors.set;
    document.anchorList = anchors.ordered;
    checker.check('stdin', null, firstDir, document);
  }
  const unique = [...new Set(files)];
  const cwd = process.cwd();
  for (const file of unique) {
    const relative = path.relative(cwd, file);
    checker.check(relative.startsWith('..') ? path.relative(options.root, file) : relative, file, path.dirname(file), checker.load(file));
  }
  checker.problems.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  const errors = checker.problems.filter((problem) => problem.severity === 'error').length;
  return {
    files: checker.counts.files,
    links: checker.counts.links,
    anchorsChecked: checker.counts.anchors,
    externalNotChecked: checker.counts.external,
    errors,
    warnings: checker.problems.length - errors,
    problems: checker.problems,
    unreadableFolders: options.unreadable,
    ...(options['list-external'] ? { external: checker.external } : {}),
  };
}

function render(result) {
  const out = [];
  for (const problem of result.problems) {
    out.push(`${printable(problem.file, 300)}:${problem.line}: ${problem.severity} ${problem.kind}: ${problem.message}${problem.target ? `: ${problem.target}` : ''}${problem.suggestion ? `  -> try ${printable(problem.suggestion, 200)}` : ''}`);
  }
  if (out.length > 0) out.push('');
  for (const link of result.external ?? []) out.push(`${printable(link.file, 300)}:${link.line}: external ${printable(link.target, 300)}`);
  if (result.external?.length > 0) out.push('');
  for (const folder of result.unreadableFolders) out.push(`Folder could not be read: ${folder}`);
  out.push(`${result.files} files, ${result.links} links (${result.externalNotChecked} external, not checked), ${result.anchorsChecked} anchors: ${result.errors} errors, ${result.warnings} warnings.`);
  if (result.files === 0) out.push('No Markdown files found (see --ext, --ignore, --hidden).');
  return out.join('\n');
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
    const result = run(options);
    process.exitCode = result.errors > 0 || (options['warnings-as-errors'] && result.warnings > 0) ? 1 : 0;
    console.log(options.json ? JSON.stringify(result, null, 2) : render(result));
  }
} catch (error) {
  console.error(`${SELF}: ${error instanceof UserError ? error.message : `unexpected problem: ${error.message}`}`);
  process.exitCode = 2;
}

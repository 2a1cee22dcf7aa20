import { readLoosely } from './loose.ts';
import { type Language, Trace, type Unit } from './unit.ts';
import type { Value } from './value.ts';

/** Words without which a piece of code does nothing that any rule asks about: such a piece is not parsed. */
const telling =
  /curl|wget|_compile|Buffer|open|read|fetch|https?:|ftp|\/\/|eval|exec|system|spawn|popen|subprocess|child_process|base64|b64|atob|fromhex|unhex|decode|inflate|gunzip|decompress|marshal|fromCharCode|chr\(|\\x|\\u00|xxd|openssl|rev\b|tr\b|~\/|\$HOME|homedir|expanduser|Path\.home|\/etc\/|\.ssh|\.aws|\.env|environ|process\.env|cron|launch|systemctl|bashrc|zshrc|profile|hook|authorized|socket|\/dev\/|\bnc\b|ncat|socat|telnet|sudo|chmod|\brm\b|dd\b|mkfs|rmtree|rmSync|keychain|security|password|secret|token|wallet|cookie|webhook|telegram|discord|settings|mcp|claude|codex|cursor|gemini|require|import\(|__import__|getattr|Function|source|\bsh\b|bash|zsh|python|node\b|perl|ruby|php|iex|iwr|invoke|powershell|nslookup|dig\b|printenv|\benv\b|scp|rsync|git\b|npm|pip\b|defaults|xattr|spctl|setenforce|ufw|iptables|history|HISTFILE|keyboard|pynput|write|copy|\bcp\b|\bmv\b|\bln\b|tee|>/i;

/** Reads pieces of code, and whatever they turn out to hold. */
export async function readCode(units: readonly Unit[], left?: ReadonlyMap<string, Value>): Promise<Trace> {
  const trace = new Trace(left);
  trace.waiting.push(
    ...units.filter(({ language, text, isScript }) => (isScript && language === 'loose') || telling.test(text)),
  );
  for (let unit = trace.waiting.shift(); unit !== undefined; unit = trace.waiting.shift()) {
    if (unit.text.length > mostText) continue;
    await readers[unit.language](unit, trace).catch(() => readLoosely(unit, trace));
  }
  return trace;
}

const mostText = 600_000;

/** Loads the parser that nearly every skill needs, for whoever has time before the first piece comes. */
export async function loadParser(): Promise<void> {
  await import('./shell.ts');
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

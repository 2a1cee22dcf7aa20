import type { Language, Unit } from './code/unit.ts';

/** A document as the rules see it: its code, and what it says in words. */
export interface Document {
  readonly units: readonly Unit[];
  readonly lines: readonly string[];
  /** Whether a line, counted from zero, stands where something is warned of rather than told. */
  readonly isWarning: (line: number) => boolean;
  /** Whether it stands where attacks are explained, whatever the words say that were found there themselves. */
  readonly isExplained: (line: number, found: string) => boolean;
  /** Whether a line stands in a block of code. */
  readonly isCode: (line: number) => boolean;
}

const languages: Readonly<Record<string, Language>> = Object.fromEntries(
  (
    [
      ['shell', 'sh bash shell zsh console terminal shell-session fish ksh command cmd'],
      ['python', 'py python python3 py3'],
      ['javascript', 'js javascript mjs cjs node jsx'],
      [
        'loose',
        'ts typescript tsx powershell ps1 pwsh ps ruby rb perl pl php applescript osascript lua go golang rust rs bat batch dos vbs vbscript vba java csharp cs swift kotlin r',
      ],
    ] as const
  ).flatMap(([language, names]) => names.split(' ').map((name) => [name, language])),
);

export function languageNamed(name: string): Language | undefined {
  return Object.hasOwn(languages, name.toLowerCase()) ? languages[name.toLowerCase()] : undefined;
}

const fence = /^\s{0,12}(?:>\s*)?(`{3,}|~{3,})\s*\{?\.?([\w+-]*)/;
/** Beginnings of lines that are commands, in a block or a phrase without a language. */
const command =
  /^\s*(?:[$#>%]\s+)?(?:sudo\s+|\(\s*|\w+=\S+\s+)*(?:curl|wget|bash|sh|zsh|eval|source|python3?|node|npx?|pip3?|echo|printf|cat|tar|base64|nc|ncat|ssh|scp|rsync|crontab|chmod|rm|cp|mv|git|claude|codex|gemini|powershell|pwsh|iwr|irm|iex|osascript|security|xattr|spctl|launchctl|systemctl|env|printenv|export|brew|npm|docker|openssl|xxd|dd|find|zip|gpg|socat|perl|ruby|php|nohup|tee|sed|nslookup|dig|mshta|certutil|bitsadmin|regsvr32|rundll32|msiexec|schtasks|deno|bun|bunx|uvx|pipx|cargo|gem)(?=\s|$)/i;

/** Words by which documents warn of something, or show it as an example of what to find. */
const warning =
  /\b(?:never|do\s?n['’o]t|do not|must not|should not|shouldn['’]t|avoid|malicious|attack(?:s|er|ers)?|dangerous|unsafe|insecure|suspicious|vulnerab\w+|exploit\w*|payloads?|detect\w*|red flags?|anti-?patterns?|forbidden|prohibit\w*|disallow\w*|(?<!code |text )block(?:s|ed)?|reject\w*|threats?|malware|phishing|injection|jailbreak\w*|pentest\w*|penetration|ctf|offensive|red.?team\w*|bad|wrong|incorrect|risk\w*|warning|beware|harmful|flag(?:s|ged)?|grep|scan(?:s|ning)? for|look(?:s|ing)? for|check(?:s|ing)? for|signs? of|indicators?|examples? of|hypothetical|simulat\w+|untrusted|treat\b.*\bas data|privilege escalation|enumerat\w+|forensic\w*)\b|❌|⚠|🚫|⛔|🚩|✗/i;

/** Words that sound like a warning, and urge to do it. */
const urging =
  /\b(?:do not|don['’]?t|never|must not|should not)\s+(?:skip|forget|worry|miss|omit|proceed|continue|start|close|interrupt|delay|hesitate|ignore (?:this|it))\b|\bavoid(?:s|ing)?\s+(?:\w+\s+){0,2}(?:errors?|problems?|issues?|failures?|conflicts?|trouble|crash\w*|warnings?|delays?)\b|\b(?:will not|won['’]t|cannot|can['’]t|does not|doesn['’]t)\s+work\b|\b(?:wrong|bad|incorrect)\b(?!\W*(?:[:)*\]—–-]|$))/gi;

/** Words of warning that no instruction has: “never tell anybody” is one, and warns of nothing. */
const explaining = new RegExp(warning.source.replace(/never\|.*?\|avoid\|/, ''), 'i');

/** Takes a document in Markdown, or plain text, apart. */
export function documentOf(text: string): Document {
  const lines = text.split('\n');
  const units: Unit[] = [];
  const code = new Uint8Array(lines.length);
  const headings = headingsOf(lines);
  let open: { mark: string; name: string; from: number } | null = null;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [, mark, name = ''] = (line.includes('```') || line.includes('~~~') ? fence.exec(line) : null) ?? [];
    if (mark !== undefined && open === null) open = { mark, name, from: at + 1 };
    else if (open !== null && mark !== undefined && name === '' && mark.startsWith(open.mark)) {
      addBlock(units, open.name, lines.slice(open.from, at), open.from);
      code.fill(1, open.from, at);
      open = null;
    } else if (open === null) addPhrases(units, line, at);
  }
  if (open !== null) addBlock(units, open.name, lines.slice(open.from), open.from);
  return {
    units,
    lines,
    isCode: (line) => code[line] === 1,
    isWarning: (line) => isWarned({ lines, headings, code }, line, warning),
    isExplained: (line, found) => isWarned({ lines, headings, code }, line, explaining, found),
  };
}

function addBlock(units: Unit[], name: string, lines: readonly string[], from: number): void {
  const language =
    languageNamed(name) ??
    (name === '' || name === 'text' || name === 'txt' || name === 'plaintext' ? guessed(lines) : undefined);
  if (language === undefined) return;
  const plain =
    language === 'shell' ? lines.map((line) => line.replace(/^(\s*)(?:>\s)?(?:[$#%]|PS>|➜|❯)\s+(?=\S)/, '$1')) : lines;
  units.push({ language, text: plain.join('\n'), line: from + 1, layers: [], isScript: false });
}

function guessed(lines: readonly string[]): Language | undefined {
  if (lines.some((line) => command.test(line))) return 'shell';
  const text = lines.slice(0, 40).join('\n');
  if (/^(?:import \w+|from \w+ import|def \w+\()/m.test(text)) return 'python';
  return /\b(?:require\(|const \w+ =|fetch\(|eval\()/.test(text) ? 'javascript' : undefined;
}

/** A download that is given to a shell, wherever it stands in a sentence or a comment. */
const pipedDownload =
  /\b(?:curl|wget|base64)\s[^|`<>\n]{2,300}\|\s*(?:[\w-]+(?:\s+-\S+)*\s*\|\s*){0,2}(?:sudo\s+(?:-\w+\s+)*)?(?:(?:ba|z|da|k)?sh|python3?|node|perl|ruby)\b/;

/** Commands inside sentences: in backquotes, or on an indented line of their own. */
function addPhrases(units: Unit[], line: string, at: number): void {
  if (line.length > 20_000) return;
  const add = (text: string): void =>
    void units.push({
      language: /^\s*(?:iwr|irm|iex|powershell)/i.test(text) ? 'loose' : 'shell',
      text,
      line: at + 1,
      layers: [],
      isScript: false,
    });
  if (line.includes('`'))
    for (const [, , phrase = ''] of line.matchAll(/(`{1,2})(?!`)(.+?)\1(?!`)/g))
      if (phrase.includes(' ') && command.test(phrase)) add(phrase);
  const piped = line.includes('|') ? pipedDownload.exec(line.replace(/`[^`]*`/g, ''))?.[0] : undefined;
  if (piped !== undefined && /:\/\/|\w\.\w|base64/.test(piped)) add(piped);
  if (/^(?: {4,}|\t)\S/.test(line) && command.test(line)) add(line.trim().replace(/^[$#%]\s+/, ''));
  else if (
    /[|;&]|\$\(/.test(line) &&
    /^(?:\d+\.\s*|[-*]\s+)?(?:(?:run|execute|paste|type|use|first|then)\b[^:`]{0,40}:\s*)?(?:curl|wget|bash|eval|echo|sudo)\s/i.test(
      line,
    )
  ) {
    add(line.replace(/^(?:\d+\.\s*|[-*]\s+)?(?:(?:run|execute|paste|type|use|first|then)\b[^:`]{0,40}:\s*)?/i, ''));
  }
}

/** The headings above each line that has one of its own. */
function headingsOf(lines: readonly string[]): Int32Array {
  const above = new Int32Array(lines.length).fill(-1);
  let last = -1;
  lines.forEach((line, at) => {
    if (/^#{1,6}\s/.test(line)) last = at;
    above[at] = last;
  });
  return above;
}

interface Layout {
  readonly lines: readonly string[];
  readonly headings: Int32Array;
  readonly code: Uint8Array;
}

/** Whether the sentence before, the line itself or the heading above warns of what stands there. */
function isWarned(layout: Layout, at: number, words: RegExp, found = ''): boolean {
  const { lines, headings } = layout;
  const warns = (text: string): boolean => words.test(text.replace(urging, ''));
  if (warns((lines[at] ?? '').replace(found, '').replace(/`[^`]*`/g, ''))) return true;
  if (saidBefore(layout, at).some(warns)) return true;
  const heading = lines[headings[at] ?? -1];
  return heading !== undefined && words.test(heading);
}

/** An item of a list, or a row of a table. */
const item = /^\s{0,12}(?:[-*+]\s|\d{1,3}[.)]\s|\|)/;

/** The lines before one that say something about it: those of its own section, and comments in a block. */
function saidBefore({ lines, code }: Layout, at: number): string[] {
  const said: string[] = [];
  const isItem = item.test(lines[at] ?? '');
  for (let before = at - 1; before >= 0 && before > at - 40 && said.length < 3; before--) {
    const line = lines[before] ?? '';
    if (code[before] !== 1 && /^#{1,6}\s/.test(line)) break;
    // The items of a list stand beside one another: what introduces the list is said of all of them.
    if (isItem && item.test(line)) continue;
    const isSaid = line.trim() !== '' && !fence.test(line) && (code[before] !== 1 || /^\s*(?:#|\/\/|--)/.test(line));
    if (isSaid) said.push(line);
  }
  return said;
}

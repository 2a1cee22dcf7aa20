import type { Word } from '../placeholders.ts';

/** One simple command of a shell script. */
interface ShellCommand {
  /** The words of the command, with `$1` and the like for parameters. */
  readonly words: Word[];
  /** The value that reaches its standard input, from a pipe or a redirection. */
  input: string | null;
}

// the spans have limits, so that a script that opens many and closes none takes no long time
const piece = /'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|\$\{[^}]{0,200}\}|[^\s;|&(){}<>'"\\`]/.source;
const shellToken = new RegExp(`\\d*[<>]+[&|]?|\\|[|&]?|[;&(){}\\n\`]|(?:${piece})+`, 'g');
const assignment = new RegExp(
  `(?:^|[\\s;&|({])(?:(\\w+)\\+?=(\\([^)]{0,1000}\\)|(?:${piece})*)|for\\s+(\\w+)\\s+in\\s([^;\\n]*))`,
  'g',
);
/** A loop over all arguments. */
const overAll = /\bfor\s+(\w+)\s*(?:;|\n|do\b)/g;
const reading = /\b(?:read|mapfile|readarray)((?:[ \t]+[-\w]+)+)/g;
const hereDocument = /<<-?[ \t]*(['"]?)(\w+)\1([^\n]*)\n([\s\S]{0,4000}?)\n\t*\2(?=\s|$)/g;
const variable = /\$(?:(\d|[@*]|[a-z_]\w*)|\{(\d+|[@*]|[a-z_]\w*))/gi;
/** Limit for variables that are set from each other against the order of the script. */
const mostPasses = 5;
/** The whole input of a script, as a word. */
const wholeInput = /\$\(\s*(?:cat(?:\s+-)?|<\s*\/dev\/stdin)\s*\)|`\s*cat\s*`/g;
const inside = /\$\(([^()]*)\)|`([^`]*)`/g;
/** Places where shells expect a number, and evaluate what is there: `a[$(id)]`. */
const arithmetic = /\(\([^)]*|\$\[[^\]]*|\[\[[^\]]*|\b\w+\[[^\]]*(?=\]\+?=)/g;
const comparison = /^[($\w]|\s-(?:eq|ne|[lg][te]|[vR])\s/;
/** Variables that only take numbers, and calculate what is assigned to them. */
const integers = /\b(?:declare|typeset|local|readonly|export)[ \t]+-[a-zA-Z]*i[a-zA-Z]*((?:[ \t]+\w+(?:=[^\s;]*)?)+)/g;
/** Values that are expanded once more: as a prompt, or as the name of a variable. */
const expandedTwice = /\$\{(?:!(\w+)\}|(\w+|[@*])@P\})/g;
/** Words that may stand before the name of a program. */
const notYet = /^(?:if|then|elif|else|while|until|do|!|\w+=.*)$/s;

/** The first use of what the caller gave: a positional parameter, or one of these variables. */
function givenIn(text: string, names: ReadonlySet<string>): string | undefined {
  for (const [all, one = '', other = ''] of text.matchAll(variable)) {
    if (/^(?:\d+|[@*]|argv)$/.test(one + other) || names.has(one + other)) return all;
  }
  return undefined;
}

/** The variables that have a value of the caller. What a command made of one, as in `$(wc -l "$1")`, is not followed. */
function namesIn(script: string): Set<string> {
  const names = new Set([...script.matchAll(overAll)].map(([, name = '']) => name));
  for (let pass = 0, known = -1; pass < mostPasses && known < names.size; pass++) {
    known = names.size;
    for (const [, name, value, each, values] of script.matchAll(assignment)) {
      const text = (value ?? values ?? '').replace(inside, '');
      if (shellWord(text, names).parameter !== null) names.add(name ?? each ?? '');
    }
  }
  return names;
}

/** Whether a script takes a value of the caller for a number, or for more than a value: shells evaluate both. */
export function calculates(script: string): boolean {
  const names = namesIn(script);
  const isGiven = (name: string): boolean => givenIn(`$${name}`, names) !== undefined;
  const numbers = [...script.matchAll(integers)].flatMap(([, declared = '']) => declared.match(/\w+(?==|\s|$)/g) ?? []);
  return (
    numbers.some((name) => names.has(name)) ||
    [...script.matchAll(expandedTwice)].some(([, one, other]) => isGiven(one ?? other ?? '')) ||
    [...script.matchAll(arithmetic)].some(
      ([number]) =>
        comparison.test(number) &&
        (givenIn(number, names) !== undefined || number.match(/\b[a-z_]\w*/gi)?.some((name) => names.has(name))),
    )
  );
}

/** The script with those variables spelled out that the caller has no part in: `run="bash -c"; $run "$1"`. */
function spelledOut(script: string, names: ReadonlySet<string>): string {
  const values = new Map<string, string>();
  for (const [, name, value = ''] of script.matchAll(assignment)) {
    const text = value.replace(/^(['"])(.*)\1$/s, '$2');
    if (name !== undefined && !names.has(name) && /^[\w./ -]+$/.test(text)) values.set(name, text);
  }
  return script.replace(/\$(?:(\w+)|\{(\w+)\})/g, (all, one, other) => values.get(one ?? other) ?? all);
}

/** The simple commands of a shell script, and of what it substitutes; `stdin` is the value that the script has as input. */
export function shellCommands(given: string, stdin: string | null): ShellCommand[] {
  // the placeholder of xargs is not a group
  const whole = (stdin === null ? given : given.replace(wholeInput, '$0')).replaceAll('{}', '@@');
  const names = namesIn(whole);
  for (const [, words = ''] of whole.matchAll(reading)) {
    for (const [name] of words.matchAll(/(?<=\s)\w+/g)) names.add(name);
  }
  const script = spelledOut(whole, names);
  const plain = script.replace(hereDocument, (_, quote: string, _end, rest: string, body: string) => {
    const mark = quote === '' ? '"' : "'";
    return `<<< ${mark}${body.replace(/["'\\`]/g, ' ')}${mark}${rest}`;
  });
  const inner = [...script.matchAll(inside)].map(([, one, other]) => one ?? other ?? '');
  return [plain, ...inner].flatMap((text) => commandsIn(text, names, stdin));
}

function commandsIn(script: string, names: ReadonlySet<string>, stdin: string | null): ShellCommand[] {
  const command: ShellCommand = { words: [], input: stdin };
  const state: Reading = { command, stdin, around: [], seen: stdin, piped: stdin, redirection: '' };
  const commands = [state.command];
  for (const [token] of script.matchAll(shellToken)) {
    const isRedirection = /^\d*[<>]/.test(token);
    if (/^(?:\|[|&]?|[;&(){}\n`])$/.test(token)) commands.push(commandAfter(token, state));
    else if (!isRedirection) addWord(token, shellWord(token, names), state);
    state.redirection = isRedirection ? token : '';
  }
  return commands;
}

interface Reading {
  command: ShellCommand;
  /** The value that commands outside of pipes have as input. */
  readonly stdin: string | null;
  /** The commands around it, and whether what is in the parentheses is a file for them, as in `<(ls)`. */
  readonly around: { readonly command: ShellCommand; readonly isFile: boolean }[];
  /** The last value in the script so far, and in the pipeline. */
  seen: string | null;
  piped: string | null;
  /** The redirection that the next word is the target of. */
  redirection: string;
}

/** The command that follows a `|`, a `;` and so on. */
function commandAfter(token: string, state: Reading): ShellCommand {
  const isPipe = /^\|&?$/.test(token);
  // a pipe after a group or a loop carries what any command in there writes
  if (isPipe && /^(?:done|fi|esac|)$/.test(state.command.words[0]?.before ?? '')) state.piped ??= state.seen;
  if (token === '(') state.around.push({ command: state.command, isFile: state.redirection.endsWith('<') });
  const outer = token === ')' ? state.around.pop() : undefined;
  if (outer !== undefined && state.piped !== null) addWritten(outer, valueWord('', state.piped));
  const isWrittenTo = token === '(' && state.redirection.endsWith('>');
  const input = /^[({]$/.test(token) ? state.command.input : state.stdin;
  state.command = outer?.command ?? { words: [], input: isPipe || isWrittenTo ? state.piped : input };
  if (/^(?:\|\||[;&\n])$/.test(token)) state.piped = state.stdin;
  return state.command;
}

/** Adds what the commands in parentheses have written to the one around them, as a file or as the name of a program. */
function addWritten({ command: { words }, isFile }: Reading['around'][number], written: Word): void {
  if (isFile) words.push(written);
  else if (words.length === 1 && words[0]?.before === '$') words[0] = written;
}

function addWord(token: string, word: Word, state: Reading): void {
  const { command, redirection } = state;
  state.seen = word.parameter ?? state.seen;
  state.piped = word.parameter ?? state.piped;
  if (redirection.includes('<')) command.input = word.parameter;
  else if (redirection === '') {
    const isFirst = command.words.length === 0;
    // a variable for one command, or one that all have
    if (isFirst && /^\w+=/.test(token) && word.parameter !== null) {
      command.words.push(valueWord(token.startsWith('PATH=') ? 'export' : 'env', null), word);
    } else if (!isFirst || !notYet.test(token)) command.words.push(word);
  }
}

function shellWord(token: string, names: ReadonlySet<string>): Word {
  const quoted = /"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'/g;
  const found = givenIn(
    token.replace(quoted, (_, soft?: string) => soft ?? ''),
    names,
  );
  const text = token.replace(quoted, (_, soft?: string, hard?: string) => soft ?? hard ?? '');
  return found === undefined
    ? valueWord(text, null)
    : valueWord(text.slice(0, text.indexOf(found)), found.replace('{', ''));
}

function valueWord(before: string, parameter: string | null): Word {
  return { before, parameter, after: '', whenTrue: null };
}

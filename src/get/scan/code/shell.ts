import type {
  AndOr,
  Command,
  CompoundList,
  ParameterExpansionPart,
  ParsedScript,
  PipelineNode,
  Redirection,
  Script,
  Statement,
  Word,
  WordPart,
} from 'unbash';
import { parse } from 'unbash';
import { fileRead, variableNamed } from './effects.ts';
import { lineCounter } from './lines.ts';
import { commandCalled } from './shell-commands.ts';
import type { Trace, Unit } from './unit.ts';
import { changed, isKnown, joined, known, madeOf, sourced, unknown, type Value } from './value.ts';

const most = { depth: 24, steps: 20_000 };

/** Reads a shell script: goes through it once, branches and loops included, with what each command would be given. */
export function readShell(unit: Unit, trace: Trace): void {
  const shell = new Shell(unit, trace);
  shell.script(parse(unit.text), unknown);
  shell.callTheRest();
}

/** A shell that runs nothing: it knows variables, functions and what flows through pipes. */
export class Shell {
  readonly variables = new Map<string, Value>([
    ['HOME', known('~')],
    ['IFS', known(' ')],
    ['PWD', known('.')],
    ['SHELL', known('sh')],
  ]);
  readonly unit: Unit;
  readonly trace: Trace;
  /** The folder that the script has gone to; empty for the one that it began in. */
  folder = '';
  private brought: Value | undefined;
  private readonly functions = new Map<string, CommandBody>();
  private readonly called = new Set<string>();
  private readonly lineAt: (offset: number) => number;
  private depth = 0;
  private steps = 0;
  private pipes = 0;
  /** Scripts that take what is written to them, by the name of the pipe. */
  private readonly taken = new Map<string, ParsedScript | undefined>();

  constructor(unit: Unit, trace: Trace) {
    this.unit = unit;
    this.trace = trace;
    this.lineAt = lineCounter(unit.text, unit.line);
  }

  /** The output of a script. */
  script(script: Script | ParsedScript | CompoundList | undefined, stdin: Value): Value {
    if (script === undefined || this.depth > most.depth) return unknown;
    this.depth++;
    const output = script.commands.map((statement) => this.statement(statement, stdin));
    this.depth--;
    const [only] = output;
    return output.length === 1 && only !== undefined
      ? only
      : joined(
          output.filter(({ text }) => text !== ''),
          '\n',
        );
  }

  /** Functions that nobody called are looked at too: somebody may, from elsewhere. */
  callTheRest(): void {
    for (const [name, body] of this.functions) if (!this.called.has(name)) this.node(body, unknown);
  }

  private statement({ command }: Statement, stdin: Value): Value {
    return this.node(command, stdin);
  }

  private node(node: PipelineNode | AndOr | CompoundList, stdin: Value): Value {
    if (++this.steps > most.steps) return unknown;
    switch (node.type) {
      case 'Command':
        return this.command(node, stdin);
      case 'Pipeline':
        return node.commands.reduce((input, one) => this.node(one, input), stdin);
      case 'AndOr':
        return joined(
          node.commands.map((one) => this.node(one, stdin)),
          '\n',
        );
      case 'CompoundList':
        return this.script(node, stdin);
      case 'Subshell':
      case 'BraceGroup':
        return this.script(node.body, stdin);
      case 'If':
        return madeOf(
          ...[node.clause, node.then, ...node.elif.flatMap((one) => [one.clause, one.then]), node.else].map((list) =>
            this.script(list, stdin),
          ),
        );
      case 'While':
        return madeOf(this.script(node.clause, stdin), this.script(node.body, stdin));
      case 'For':
      case 'Select':
        return madeOf(...this.loop(node.name.value, node.wordlist ?? [], node.body, stdin));
      case 'ArithmeticFor':
        return this.script(node.body, stdin);
      case 'Case':
        return madeOf(...node.items.map(({ body }) => this.script(body, stdin)));
      case 'Redirected':
        return this.redirected(node.redirects, stdin, (input) => this.node(node.command, input), node.pos);
      case 'Function':
        this.functions.set(node.name.value, node.body);
        return known('');
      case 'Coproc':
        return this.node(node.body, stdin);
      case 'TestCommand':
      case 'ArithmeticCommand':
        return known('');
    }
  }

  /** The body once for each of the first words. */
  private loop(name: string, words: readonly Word[], body: CompoundList, stdin: Value): Value[] {
    const values = words.flatMap((word) => this.words(word)).slice(0, 6);
    return (values.length === 0 ? [sourced('input', '$@')] : values).map((value) => {
      this.variables.set(name, value);
      return this.script(body, stdin);
    });
  }

  private command(node: Command, stdin: Value): Value {
    for (const one of node.prefix) {
      if (one.type !== 'Assignment') continue;
      const value =
        one.value.type === 'Word'
          ? this.word(one.value)
          : joined(
              one.value.elements.map((word) => this.word(word)),
              ' ',
            );
      const before = this.variables.get(one.name);
      // What a shell runs by itself, before each prompt or when it starts.
      if (/^(?:PROMPT_COMMAND|BASH_ENV|PS0)$/.test(one.name))
        this.trace.inside(this.unit, 'shell', value, this.lineAt(node.pos));
      this.variables.set(one.name, one.append && before !== undefined ? joined([before, value]) : value);
    }
    const argv = [
      ...(node.name === undefined ? [] : this.words(node.name)),
      ...node.args.flatMap((one) => (one.type === 'Word' ? this.words(one) : this.assigned(one.name, one.value))),
    ];
    const line = this.lineAt(node.pos);
    return this.redirected(
      [...node.redirects, ...node.prefix.filter((one) => one.type !== 'Assignment')],
      stdin,
      (input) => this.call(argv, input, line),
      node.pos,
    );
  }

  /** `export NAME=value`, as an argument and as what it does. */
  private assigned(name: string, value: Word | { readonly elements: readonly Word[] }): Value[] {
    const given = 'elements' in value ? madeOf(...value.elements.map((word) => this.word(word))) : this.word(value);
    this.variables.set(name, given);
    return [joined([known(`${name}=`), given])];
  }

  /** Runs a command with its words. */
  call(argv: readonly Value[], stdin: Value, line: number): Value {
    const [name, ...args] = argv;
    if (name === undefined) return known('');
    const body = isKnown(name) ? this.functions.get(name.text) : undefined;
    if (body !== undefined && !this.called.has(`${name.text} ${this.depth}`)) {
      this.called.add(name.text).add(`${name.text} ${this.depth}`);
      for (const [index, value] of args.entries()) this.variables.set(String(index + 1), value);
      this.variables.set('@', joined(args, ' '));
      return this.node(body, stdin);
    }
    return commandCalled({ shell: this, name, args, stdin, line });
  }

  private redirected(
    redirects: readonly Redirection[],
    stdin: Value,
    run: (stdin: Value) => Value,
    offset: number,
  ): Value {
    const line = this.lineAt(offset);
    const inputs = redirects.flatMap((one) => this.inputFrom(one, line) ?? []);
    const targets = redirects.flatMap((one) => this.targetOf(one) ?? []);
    const output = run(inputs.at(-1) ?? stdin);
    for (const { path, isOutput } of targets) this.wrote(path, isOutput ? output : unknown, line, '>');
    return targets.some(({ isOutput }) => isOutput) ? known('') : output;
  }

  /** The input that a redirection gives a command. */
  private inputFrom(one: Redirection, line: number): Value | undefined {
    if (one.type === 'HereDoc') return one.body.parts === undefined ? known(one.body.text) : this.parts(one.body.parts);
    if (one.target === undefined) return undefined;
    if (one.type === 'HereString') return this.word(one.target);
    return one.operator === '<' ? this.fileAt(this.word(one.target), line, '<') : undefined;
  }

  /** The file that a redirection writes to, and whether it is what the command puts out. */
  private targetOf(one: Redirection): { path: Value; isOutput: boolean } | undefined {
    if (one.type !== 'Redirect' || one.operator === '<' || one.target === undefined) return undefined;
    const path = this.word(one.target);
    if (/^(?:\d+|-)$/.test(path.text)) return undefined;
    const descriptor = one.descriptor?.type === 'FileDescriptor' ? one.descriptor.value : undefined;
    return { path, isOutput: descriptor === undefined || descriptor === 1 };
  }

  /** Notes that a file is written, for who reads or runs it later. */
  wrote(path: Value, content: Value, line: number, by: string): void {
    if (/^\/dev\/(?:null|stdout|stderr|tty)/.test(path.text)) return;
    const tcp = /^\/dev\/(?:tcp|udp)\/([^/]+)\/(.+)/.exec(path.text);
    if (tcp !== null) {
      this.trace.add(this.unit, 'connect', line, {
        target: known(`tcp://${tcp[1]}:${tcp[2]}`),
        payload: content.from,
        by,
      });
      return;
    }
    this.trace.add(this.unit, 'write', line, { target: path, payload: content.from, content: content.text, by });
    const pipe = this.taken.get(path.text);
    if (pipe === undefined) this.trace.wrote(path.text, content);
    else this.script(pipe, content);
  }

  /** Goes to a folder, by its path from where the script is now. Paths without end lead nowhere. */
  enter(folder: string): void {
    const isBelow = this.folder !== '' && !/^[~/]/.test(folder) && this.folder.length < 300;
    this.folder = isBelow ? `${this.folder}/${folder}` : folder;
  }

  /** Notes that a folder, or the one where the script is, was brought as a whole. */
  bring(place: string, content: Value): void {
    if (place === '' || place === '.') this.brought = content;
    else this.trace.wrote(place, content);
  }

  /** The origin of the folder where the script is, where it was brought as a whole. */
  get around(): Value | undefined {
    return this.brought ?? (this.folder === '' ? undefined : this.trace.fileAt(this.folder));
  }

  /** The content of a file that was written before, by its path from where the script is now. */
  kept(path: string): Value | undefined {
    const own = this.trace.fileAt(path);
    if (own !== undefined || /^(?:[~/]|[A-Za-z]:)/.test(path)) return own;
    const below = this.folder === '' ? undefined : this.trace.fileAt(`${this.folder}/${path.replace(/^\.\//, '')}`);
    return below ?? (path.includes('/') ? this.brought : undefined);
  }

  /** The content of a file as far as it is known. */
  fileAt(path: Value, line: number, by: string): Value {
    return fileRead(this.trace, this.unit, path, line, by);
  }

  /** The words that one word becomes: braces and unquoted variables make several. */
  words(word: Word): Value[] {
    const [only] = word.parts ?? [];
    if (word.parts?.length === 1 && only?.type === 'BraceExpansion' && /^\{[^{}]*,[^{}]*\}$/.test(only.text)) {
      return only.text
        .slice(1, -1)
        .split(',')
        .map((part) => known(part.replace(/^['"]|['"]$/g, '')));
    }
    const value = this.word(word);
    const splits = word.parts?.some(
      (part) =>
        part.type === 'SimpleExpansion' ||
        part.type === 'ParameterExpansion' ||
        part.type === 'CommandExpansion' ||
        // All elements of an array, each a word.
        (part.type === 'DoubleQuoted' && part.text.endsWith('[@]}"')),
    );
    if (splits !== true || !/\s/.test(value.text.trim())) return [value];
    return value.text
      .trim()
      .split(/\s+/)
      .map((text) => ({ text, from: value.from }));
  }

  word(word: Word): Value {
    return word.parts === undefined ? known(word.value) : this.parts(word.parts);
  }

  private parts(parts: readonly WordPart[]): Value {
    const values = parts.map((part) => this.part(part));
    const [only] = values;
    return values.length === 1 && only !== undefined ? only : joined(values);
  }

  private part(part: WordPart): Value {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'Glob':
        return known(part.value);
      case 'AnsiCQuoted':
        // Escapes in it are one more way to write a word so that nobody reads it.
        return part.text.includes('\\x') || /\\[0-7]{2}|\\u/.test(part.text)
          ? { ...known(part.value), from: [{ kind: 'decoded', what: 'escapes' }] }
          : known(part.value);
      case 'DoubleQuoted':
      case 'LocaleString':
        return this.parts(part.parts);
      case 'SimpleExpansion':
        return this.variable(part.text.slice(1));
      case 'ParameterExpansion':
        return this.parameter(part);
      case 'CommandExpansion':
        return this.substituted(part.script);
      case 'ProcessSubstitution': {
        const name = `/dev/fd/${++this.pipes}`;
        if (part.operator === '>') this.taken.set(name, part.script);
        else this.trace.wrote(name, this.script(part.script, unknown));
        return known(name);
      }
      case 'ArithmeticExpansion':
        return unknown;
      case 'BraceExpansion':
      case 'ExtendedGlob':
        return known(part.text);
    }
  }

  private substituted(script: ParsedScript | undefined): Value {
    const output = this.script(script, unknown);
    return { ...output, text: output.text.replace(/\n+$/, '') };
  }

  private variable(name: string): Value {
    return this.variables.get(name) ?? variableNamed(name);
  }

  private parameter(part: ParameterExpansionPart): Value {
    const value = this.variable(part.parameter);
    const { operation } = part;
    if (part.prefix === '#') return unknown;
    if (part.prefix === '!') return isKnown(value) ? this.variable(value.text) : madeOf(value);
    switch (operation?.type) {
      case undefined:
        return value;
      case 'Default':
        return this.variables.has(part.parameter) && !operation.operator.endsWith('+')
          ? value
          : joined([this.word(operation.operand)]);
      case 'Slice': {
        const [from, length] = [operation.offset, operation.length].map((word) =>
          Number(word === undefined ? Number.NaN : this.word(word).text.trim()),
        );
        if (from === undefined || Number.isNaN(from)) return madeOf(value);
        return changed(value, (text) =>
          length === undefined || Number.isNaN(length) ? text.slice(from) : text.slice(from).slice(0, length),
        );
      }
      case 'Replace': {
        const [pattern, other] = [this.word(operation.pattern), this.word(operation.replacement)];
        if (!isKnown(pattern) || !isKnown(other) || /[*?[]/.test(pattern.text)) return madeOf(value, other);
        return changed(value, (text) =>
          operation.operator === '//'
            ? text.replaceAll(pattern.text, other.text)
            : text.replace(pattern.text, other.text),
        );
      }
      case 'CaseModification':
        return changed(value, (text) => (operation.operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase()));
      case 'Names':
      case 'Remove':
      case 'Transform':
      case 'Unknown':
        return madeOf(value);
    }
  }
}

type CommandBody = Parameters<Shell['node']>[0];

/**
 * A node of a program in Python. Names and order are those of the grammar of `@lezer/python`; comments and the insides of
 * plain texts are left out.
 */
export interface PythonNode {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly children: readonly PythonNode[];
}

/**
 * Reads a program that is written as nearly all are. Null for any other, which is for the large parser to read: that one
 * knows every construction and recovers from mistakes, but takes several times as long.
 */
export function quickPython(text: string): PythonNode | null {
  try {
    return new Reader(text).script();
  } catch (error) {
    if (error instanceof Unusual) return null;
    throw error;
  }
}

class Unusual extends Error {}
/** One for all: where it was thrown is nobody's concern, and a stack costs more than a line of a program. */
const unusual = new Unusual();
unusual.stack = '';

const nothing: readonly PythonNode[] = [];

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** Operators between expressions, and how tightly they bind. */
const binary = new Map<string, readonly [strength: number, name: string]>([
  ['|', [1, 'BitOp']],
  ['^', [2, 'BitOp']],
  ['&', [3, 'BitOp']],
  ['<<', [4, 'BitOp']],
  ['>>', [4, 'BitOp']],
  ['+', [5, 'ArithOp']],
  ['-', [5, 'ArithOp']],
  ['*', [6, 'ArithOp']],
  ['/', [6, 'ArithOp']],
  ['%', [6, 'ArithOp']],
  ['//', [6, 'ArithOp']],
  ['**', [8, 'ArithOp']],
]);
const prefixStrength = 7;
const comparing = new Set(['<', '>', '<=', '>=', '==', '!=']);

const updating = /^(?:[+\-@%&|^]|<<|>>|\*\*?|\/\/?)=$/;

const number =
  /0[bB][_01]+|0[oO][_0-7]+|0[xX][_0-9a-fA-F]+|(?:\d[_\d]*(?:\.\d[_\d]*)?|\.\d[_\d]*)(?:[eE][+-]?\d[_\d]*)?[jJ]?/y;
const operator = /\*\*=?|\/\/=?|<<=?|>>=?|->|:=|[-+*/%&|^@<>=!]=|[-+*/%&|^@<>=~!.,:;()[\]{}]/y;
const opening = /(?:[uUbBfF]|[rR][bBfF]?|[bBfF][rR])?(?:"""|'''|"|')/y;

/** The words that statements begin with which have statements in them. */
const compound = /^(?:if|while|for|try|with|def|class|async)$/;

const mostNested = 100;

type Kind = 'name' | 'keyword' | 'number' | 'string' | 'sign' | 'line' | 'indent' | 'dedent' | 'end';

/** A reader that knows one token at a time, and goes down from statements to names. */
class Reader {
  private readonly text: string;
  private kind: Kind = 'line';
  /** The keyword or the sign. */
  private word = '';
  private from = 0;
  private to = 0;
  /** The end of the token before. */
  private before = 0;
  private brackets = 0;
  private readonly indents = [0];
  private dedents = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
    if (/[\r\f]/.test(text)) throw unusual;
  }

  script(): PythonNode {
    this.beginLine();
    const children: PythonNode[] = [];
    while (this.kind !== 'end') this.statement(children);
    return { name: 'Script', from: 0, to: this.text.length, children };
  }

  // Tokens.

  /** Finds the next line with something on it, and whether it stands deeper or less deep. */
  private beginLine(): void {
    const { text } = this;
    let depth = this.indentation();
    for (let code = text.charCodeAt(this.to); code === 35 || code === 10; code = text.charCodeAt(this.to)) {
      const end = text.indexOf('\n', this.to);
      this.to = end === -1 ? text.length : end + 1;
      depth = this.indentation();
    }
    if (this.to >= text.length) {
      this.closeAll();
      return;
    }
    if (text.charCodeAt(this.to) === 92) throw unusual;
    this.from = this.to;
    if (depth > (this.indents.at(-1) ?? 0)) {
      this.indents.push(depth);
      this.kind = 'indent';
      return;
    }
    while (depth < (this.indents.at(-1) ?? 0)) {
      this.indents.pop();
      this.dedents++;
    }
    if (depth !== this.indents.at(-1)) throw unusual;
    this.next();
  }

  /** Skips the beginning of a line; tells how deep it stands. */
  private indentation(): number {
    for (let depth = 0; ; this.to++) {
      const code = this.text.charCodeAt(this.to);
      if (code === 32) depth++;
      else if (code === 9) depth += 8 - (depth % 8);
      else return depth;
    }
  }

  private closeAll(): void {
    this.dedents += this.indents.length - 1;
    this.indents.length = 1;
    this.from = this.text.length;
    this.to = this.from;
    if (this.dedents === 0) this.kind = 'end';
    else {
      this.dedents--;
      this.kind = 'dedent';
    }
  }

  private next(): void {
    const { text } = this;
    if (this.dedents > 0) {
      this.dedents--;
      this.kind = 'dedent';
      return;
    }
    this.before = this.to;
    const at = this.start();
    this.from = at;
    const code = text.charCodeAt(at);
    if (at >= text.length) this.end();
    else if (code === 10) {
      this.to = at + 1;
      this.kind = 'line';
    } else if (isLetter(code)) this.letters(at);
    else if (isDigit(code) || (code === 46 && isDigit(text.charCodeAt(at + 1)))) {
      this.match(number);
      if (isLetter(text.charCodeAt(this.to))) throw unusual;
      this.kind = 'number';
    } else if (code === 34 || code === 39) this.kind = 'string';
    else {
      this.match(operator);
      this.word = text.slice(at, this.to);
      this.kind = 'sign';
    }
  }

  /** The place of the next token on this line, or in these brackets. */
  private start(): number {
    const { text } = this;
    for (let at = this.to; ; at++) {
      const code = text.charCodeAt(at);
      if (code === 35) {
        const end = text.indexOf('\n', at);
        at = (end === -1 ? text.length : end) - 1;
      } else if (code === 92 && text.charCodeAt(at + 1) === 10) at++;
      else if (code !== 32 && code !== 9 && (code !== 10 || this.brackets === 0)) return at;
    }
  }

  /** Ends a program whose last line has no end of its own. */
  private end(): void {
    if (this.brackets > 0) throw unusual;
    this.to = this.text.length;
    if (this.kind === 'line' || this.kind === 'dedent') this.closeAll();
    else this.kind = 'line';
  }

  private letters(at: number): void {
    const { text } = this;
    let end = at + 1;
    for (let code = text.charCodeAt(end); isLetter(code) || isDigit(code); ) code = text.charCodeAt(++end);
    const quote = text.charCodeAt(end);
    this.to = end;
    if ((quote === 34 || quote === 39) && end - at <= 2) {
      this.match(opening);
      this.kind = 'string';
      return;
    }
    this.word = text.slice(at, end);
    this.kind = keywords.has(this.word) ? 'keyword' : 'name';
    if (this.word === 'print' && !/[ \t]*[(.\n#]/y.test(text.slice(end, end + 20))) throw unusual;
  }

  private match(form: RegExp): void {
    form.lastIndex = this.from;
    if (!form.test(this.text)) throw unusual;
    this.to = form.lastIndex;
  }

  /** Whether this is the kind of the token now: it changes with every one that is taken. */
  private isA(kind: Kind): boolean {
    return this.kind === kind;
  }

  private isSign(sign: string): boolean {
    return this.kind === 'sign' && this.word === sign;
  }

  private isWord(word: string): boolean {
    return this.kind === 'keyword' && this.word === word;
  }

  /** Takes a token as a node. */
  private take(name: string): PythonNode {
    const node = { name, from: this.from, to: this.to, children: nothing };
    this.next();
    return node;
  }

  private takeSign(sign: string): PythonNode {
    if (!this.isSign(sign)) throw unusual;
    if (sign === '(' || sign === '[' || sign === '{') this.brackets++;
    else if (sign === ')' || sign === ']' || sign === '}') this.brackets--;
    return this.take(sign);
  }

  private takeWord(word: string): PythonNode {
    if (!this.isWord(word)) throw unusual;
    return this.take(word);
  }

  private takeName(): PythonNode {
    if (this.kind !== 'name') throw unusual;
    return this.take('VariableName');
  }

  private made(name: string, children: readonly PythonNode[]): PythonNode {
    const [first] = children;
    return { name, from: first?.from ?? this.before, to: children.at(-1)?.to ?? this.before, children };
  }

  private deeper<T>(read: () => T): T {
    if (++this.depth > mostNested) throw unusual;
    const result = read();
    this.depth--;
    return result;
  }

  // Statements.

  private statement(into: PythonNode[]): void {
    if (this.kind === 'keyword') {
      const compound = this.compound();
      if (compound !== null) {
        into.push(compound);
        return;
      }
    } else if (this.isSign('@')) {
      into.push(this.decorated());
      return;
    } else if (this.kind !== 'name' && this.kind !== 'string' && this.kind !== 'number' && this.kind !== 'sign')
      throw unusual;
    this.simple(into);
  }

  private compound(): PythonNode | null {
    switch (this.word) {
      case 'if':
        return this.deeper(() => this.ifs());
      case 'while':
        return this.deeper(() => this.made('WhileStatement', [this.take('while'), this.named(), ...this.rest()]));
      case 'for':
        return this.deeper(() => this.made('ForStatement', this.fors()));
      case 'try':
        return this.deeper(() => this.tries());
      case 'with':
        return this.deeper(() => this.made('WithStatement', this.withs()));
      case 'def':
        return this.deeper(() => this.made('FunctionDefinition', this.defs()));
      case 'class':
        return this.deeper(() => this.classes());
      case 'async': {
        const word = this.take('async');
        if (this.isWord('def')) return this.deeper(() => this.made('FunctionDefinition', [word, ...this.defs()]));
        if (this.isWord('for')) return this.deeper(() => this.made('ForStatement', [word, ...this.fors()]));
        if (this.isWord('with')) return this.deeper(() => this.made('WithStatement', [word, ...this.withs()]));
        throw unusual;
      }
      default:
        return null;
    }
  }

  private decorated(): PythonNode {
    const decorators: PythonNode[] = [];
    while (this.isSign('@')) {
      const parts = [this.take('At')];
      this.dotted(parts);
      if (this.isSign('(')) parts.push(this.args());
      this.endLine();
      decorators.push(this.made('Decorator', parts));
    }
    const statement = /^(?:def|class|async)$/.test(this.word) ? this.compound() : null;
    if (statement === null || statement.name === 'ForStatement' || statement.name === 'WithStatement') throw unusual;
    return this.made('DecoratedStatement', [...decorators, statement]);
  }

  /** The body of a statement, and what comes when it is not run. */
  private rest(): PythonNode[] {
    const parts = [this.body()];
    if (this.isWord('else')) parts.push(this.take('else'), this.body());
    return parts;
  }

  private ifs(): PythonNode {
    const parts = [this.take('if'), this.named(), this.body()];
    while (this.isWord('elif')) parts.push(this.take('elif'), this.named(), this.body());
    if (this.isWord('else')) parts.push(this.take('else'), this.body());
    return this.made('IfStatement', parts);
  }

  private fors(): PythonNode[] {
    const parts = [this.takeWord('for')];
    this.list(parts, () => this.starred(parts, () => this.expression(0)));
    parts.push(this.takeWord('in'));
    this.list(parts, () => void parts.push(this.test()));
    parts.push(...this.rest());
    return parts;
  }

  private tries(): PythonNode {
    const parts = [this.take('try'), this.body()];
    while (this.isWord('except')) {
      parts.push(this.take('except'));
      if (this.isSign('*')) parts.push(this.takeSign('*'));
      if (!this.isSign(':')) {
        parts.push(this.test());
        if (this.isWord('as')) parts.push(this.take('as'), this.takeName());
      }
      parts.push(this.body());
    }
    if (this.isWord('else')) parts.push(this.take('else'), this.body());
    if (this.isWord('finally')) parts.push(this.take('finally'), this.body());
    return this.made('TryStatement', parts);
  }

  private withs(): PythonNode[] {
    const parts = [this.takeWord('with')];
    this.list(parts, () => {
      parts.push(this.test());
      if (this.isWord('as')) parts.push(this.take('as'), this.takeName());
    });
    parts.push(this.body());
    return parts;
  }

  private defs(): PythonNode[] {
    const parts = [this.takeWord('def'), this.takeName()];
    parts.push(this.parameters());
    if (this.isSign('->')) {
      const { from } = this;
      this.next();
      const type = this.test();
      parts.push({ name: 'TypeDef', from, to: type.to, children: [type] });
    }
    parts.push(this.body());
    return parts;
  }

  private parameters(): PythonNode {
    const parts = [this.takeSign('(')];
    if (!this.isSign(')')) this.list(parts, () => this.parameter(parts, true));
    parts.push(this.takeSign(')'));
    return this.made('ParamList', parts);
  }

  private parameter(parts: PythonNode[], hasTypes: boolean): void {
    if (hasTypes && this.isSign('/')) {
      this.next();
      return;
    }
    const isStar = this.isSign('*');
    if (isStar) parts.push(this.takeSign('*'));
    else if (this.isSign('**')) parts.push(this.takeSign('**'));
    if (isStar && this.kind !== 'name') return;
    parts.push(this.takeName());
    if (hasTypes && this.isSign(':')) parts.push(this.type());
    if (!isStar && this.isSign('=')) parts.push(this.take('AssignOp'), this.test());
  }

  private type(): PythonNode {
    return this.made('TypeDef', [this.takeSign(':'), this.test()]);
  }

  private classes(): PythonNode {
    const parts = [this.take('class'), this.takeName()];
    if (this.isSign('(')) parts.push(this.args());
    parts.push(this.body());
    return this.made('ClassDefinition', parts);
  }

  private body(): PythonNode {
    const parts = [this.takeSign(':')];
    if (!this.isA('line')) {
      if (this.isA('keyword') && compound.test(this.word)) throw unusual;
      this.simple(parts);
      return this.made('Body', parts);
    }
    this.beginLine();
    if (!this.isA('indent')) throw unusual;
    this.next();
    while (!this.isA('dedent')) {
      if (this.isA('end')) throw unusual;
      this.statement(parts);
    }
    if (this.dedents === 0 && this.from >= this.text.length) this.kind = 'end';
    else this.next();
    return this.made('Body', parts);
  }

  private simple(into: PythonNode[]): void {
    const first = this.small();
    if (!this.isSign(';')) {
      this.endLine();
      into.push(first);
      return;
    }
    const parts = [first];
    while (this.isSign(';')) {
      parts.push(this.takeSign(';'));
      if (this.kind !== 'line') parts.push(this.small());
    }
    this.endLine();
    into.push(this.made('StatementGroup', parts));
  }

  private endLine(): void {
    if (this.kind !== 'line') throw unusual;
    this.beginLine();
  }

  private small(): PythonNode {
    if (this.isA('keyword')) return this.begun() ?? this.assignment();
    const isSoft = this.isA('name') && (this.word === 'match' || this.word === 'type');
    // They are names unless they begin a statement of their own.
    if (isSoft && !/\s*[=.]/y.test(this.text.slice(this.to, this.to + 10))) throw unusual;
    return this.assignment();
  }

  /** A small statement that begins with a keyword. */
  private begun(): PythonNode | null {
    const { word } = this;
    const parts: PythonNode[] = [];
    switch (word) {
      case 'import':
      case 'from':
        return this.imports();
      case 'return':
        parts.push(this.take(word));
        if (!this.isDone()) this.list(parts, () => this.starred(parts, () => this.test()));
        return this.made('ReturnStatement', parts);
      case 'pass':
        return this.made('PassStatement', [this.take(word)]);
      case 'break':
        return this.made('BreakStatement', [this.take(word)]);
      case 'continue':
        return this.made('ContinueStatement', [this.take(word)]);
      case 'yield':
        return this.made('YieldStatement', this.yields());
      case 'raise':
        parts.push(this.take(word));
        if (!this.isDone()) parts.push(this.test());
        if (this.isWord('from')) parts.push(this.take('from'), this.test());
        return this.made('RaiseStatement', parts);
      case 'del':
        parts.push(this.take(word));
        this.list(parts, () => void parts.push(this.expression(0)));
        return this.made('DeleteStatement', parts);
      case 'assert':
        parts.push(this.take(word));
        this.list(parts, () => void parts.push(this.test()));
        return this.made('AssertStatement', parts);
      case 'global':
      case 'nonlocal':
        parts.push(this.take(word));
        this.list(parts, () => void parts.push(this.takeName()));
        return this.made('ScopeStatement', parts);
      default:
        return null;
    }
  }

  private isDone(): boolean {
    return this.kind === 'line' || this.isSign(';');
  }

  private assignment(): PythonNode {
    const parts: PythonNode[] = [];
    this.expressions(parts);
    if (this.kind === 'sign' && updating.test(this.word)) {
      parts.push(this.take('UpdateOp'));
      if (this.isWord('yield')) parts.push(this.made('YieldExpression', this.yields()));
      else this.list(parts, () => void parts.push(this.test()));
      return this.made('UpdateStatement', parts);
    }
    const isTyped = this.isSign(':');
    if (isTyped) parts.push(this.type());
    if (!this.isSign('=')) return this.made(isTyped ? 'AssignStatement' : 'ExpressionStatement', parts);
    while (this.isSign('=')) {
      parts.push(this.take('AssignOp'));
      if (this.isWord('yield')) parts.push(this.made('YieldExpression', this.yields()));
      else this.expressions(parts);
    }
    return this.made('AssignStatement', parts);
  }

  private expressions(parts: PythonNode[]): void {
    this.list(parts, () => this.starred(parts, () => this.test()));
  }

  private yields(): PythonNode[] {
    const parts = [this.takeWord('yield')];
    if (this.isWord('from')) parts.push(this.take('from'), this.test());
    else this.expressions(parts);
    return parts;
  }

  private imports(): PythonNode {
    const parts: PythonNode[] = [];
    if (this.isWord('from')) {
      parts.push(this.take('from'));
      while (this.isSign('.')) parts.push(this.takeSign('.'));
      if (parts.length > 3) throw unusual; // three of them are one sign
      if (parts.length === 1 || !this.isWord('import')) this.dotted(parts);
    }
    parts.push(this.takeWord('import'));
    const isList = this.isSign('(');
    if (isList) parts.push(this.takeSign('('));
    if (parts.length > 1 && this.isSign('*')) parts.push(this.takeSign('*'));
    else
      this.list(parts, () => {
        this.dotted(parts);
        if (this.isWord('as')) parts.push(this.take('as'), this.takeName());
      });
    if (isList) parts.push(this.takeSign(')'));
    return this.made('ImportStatement', parts);
  }

  private dotted(parts: PythonNode[]): void {
    parts.push(this.takeName());
    while (this.isSign('.')) parts.push(this.takeSign('.'), this.takeName());
  }

  /** Things with commas between them, and perhaps one more at the end. */
  private list(parts: PythonNode[], read: () => void): void {
    read();
    while (this.isSign(',')) {
      parts.push(this.takeSign(','));
      if (this.endsList()) return;
      read();
    }
  }

  private endsList(): boolean {
    if (this.kind === 'line') return true;
    if (this.kind === 'keyword') return this.word === 'in' || this.word === 'for';
    return this.kind === 'sign' && /^(?:[)\]}=;]|[-+*/%&|^@<>]+=)$/.test(this.word);
  }

  private starred(parts: PythonNode[], otherwise: () => PythonNode): void {
    if (this.isSign('*')) parts.push(this.takeSign('*'), this.expression(0));
    else parts.push(otherwise());
  }

  // Expressions.

  private named(): PythonNode {
    const test = this.test();
    if (!this.isSign(':=')) return test;
    return this.made('NamedExpression', [test, this.take('AssignOp'), this.test()]);
  }

  private test(): PythonNode {
    return this.deeper(() => {
      if (this.isWord('lambda')) return this.lambda();
      const then = this.condition(0);
      if (!this.isWord('if')) return then;
      const parts = [then, this.take('if'), this.condition(0), this.takeWord('else'), this.test()];
      return this.made('ConditionalExpression', parts);
    });
  }

  private lambda(): PythonNode {
    const word = this.take('lambda');
    const start = word.to;
    const parts: PythonNode[] = [];
    if (!this.isSign(':')) {
      this.parameter(parts, false);
      while (this.isSign(',')) {
        parts.push(this.takeSign(','));
        this.parameter(parts, false);
      }
    }
    const names =
      parts.length > 0 ? this.made('ParamList', parts) : { ...this.made('ParamList', parts), from: start, to: start };
    return this.made('LambdaExpression', [word, names, this.takeSign(':'), this.test()]);
  }

  /** Expressions with `or`, `and`, `not` and comparisons: 1 is the strength of `or`, 3 that of a comparison. */
  private condition(least: number): PythonNode {
    let left: PythonNode;
    if (this.isWord('not')) {
      const word = this.take('not');
      left = this.made('UnaryExpression', [word, this.deeper(() => this.condition(0))]);
    } else left = this.expression(0);
    for (;;) {
      const strength = this.linkStrength();
      if (strength <= least) return left;
      const parts = [left, ...this.links()];
      parts.push(this.condition(strength));
      left = this.made('BinaryExpression', parts);
    }
  }

  private linkStrength(): number {
    if (this.kind === 'keyword') {
      if (this.word === 'or') return 1;
      if (this.word === 'and') return 2;
      return this.word === 'in' || this.word === 'is' || this.word === 'not' ? 3 : 0;
    }
    return this.kind === 'sign' && comparing.has(this.word) ? 3 : 0;
  }

  private links(): PythonNode[] {
    if (this.kind === 'sign') return [this.take('CompareOp')];
    const first = this.take(this.word);
    if (first.name === 'not') return [first, this.takeWord('in')];
    return first.name === 'is' && this.isWord('not') ? [first, this.take('not')] : [first];
  }

  private expression(least: number): PythonNode {
    let left = this.unary();
    while (this.kind === 'sign') {
      const [strength, name] = binary.get(this.word) ?? [0, ''];
      if (strength <= least) return left;
      const sign = this.take(name);
      // To the right of a power, another one comes first.
      const right = this.deeper(() => this.expression(name === 'ArithOp' && strength === 8 ? 7 : strength));
      left = this.made('BinaryExpression', [left, sign, right]);
    }
    return left;
  }

  private unary(): PythonNode {
    if (this.kind === 'sign' && (this.word === '-' || this.word === '+' || this.word === '~')) {
      const sign = this.take(this.word === '~' ? 'BitOp' : 'ArithOp');
      return this.made('UnaryExpression', [sign, this.deeper(() => this.expression(prefixStrength))]);
    }
    if (this.isWord('await'))
      return this.made('AwaitExpression', [this.take('await'), this.deeper(() => this.expression(0))]);
    return this.trailed(this.atom());
  }

  private trailed(start: PythonNode): PythonNode {
    let node = start;
    while (this.kind === 'sign') {
      if (this.word === '(') node = this.made('CallExpression', [node, this.args()]);
      else if (this.word === '[') node = this.made('MemberExpression', [node, ...this.subscript()]);
      else if (this.word === '.') {
        const dot = this.takeSign('.');
        if (!this.isA('name') && !this.isA('keyword')) throw unusual;
        node = this.made('MemberExpression', [node, dot, this.take('PropertyName')]);
      } else break;
    }
    return node;
  }

  private subscript(): PythonNode[] {
    const parts = [this.takeSign('[')];
    this.list(parts, () => this.slice(parts));
    parts.push(this.takeSign(']'));
    return parts;
  }

  private slice(parts: PythonNode[]): void {
    const isEmpty = (): boolean => this.isSign(':') || this.isSign(',') || this.isSign(']');
    if (!isEmpty()) parts.push(this.named());
    else if (!this.isSign(':')) throw unusual;
    for (let colons = 0; this.isSign(':'); colons++) {
      if (colons === 2) throw unusual;
      parts.push(this.takeSign(':'));
      if (!isEmpty()) parts.push(this.named());
    }
  }

  private args(): PythonNode {
    const parts = [this.takeSign('(')];
    if (!this.isSign(')'))
      this.list(parts, () => {
        if (this.isSign('*')) parts.push(this.takeSign('*'), this.test());
        else if (this.isSign('**')) parts.push(this.takeSign('**'), this.test());
        else {
          const value = this.test();
          parts.push(value);
          if (value.name === 'VariableName' && (this.isSign('=') || this.isSign(':=')))
            parts.push(this.take('AssignOp'), this.test());
          this.comprehension(parts);
        }
      });
    parts.push(this.takeSign(')'));
    return this.made('ArgList', parts);
  }

  /** Whether there were clauses of a comprehension. */
  private comprehension(parts: PythonNode[]): boolean {
    if (!this.isWord('for') && !this.isWord('async')) return false;
    while (this.kind === 'keyword') {
      if (this.isWord('if')) {
        parts.push(this.take('if'));
        if (this.isWord('lambda')) throw unusual;
        parts.push(this.condition(0));
        continue;
      }
      if (this.isWord('async')) parts.push(this.take('async'));
      parts.push(this.takeWord('for'));
      this.list(parts, () => void parts.push(this.expression(0)));
      parts.push(this.takeWord('in'), this.condition(0));
    }
    return true;
  }

  private atom(): PythonNode {
    const { kind, word } = this;
    if (kind === 'name') return this.take('VariableName');
    if (kind === 'number') return this.take('Number');
    if (kind === 'string') return this.texts();
    if (kind === 'keyword' && word === 'None') return this.take('None');
    if (kind === 'keyword' && (word === 'True' || word === 'False')) return this.take('Boolean');
    if (this.isSign('(')) return this.deeper(() => this.parenthesized());
    if (this.isSign('[')) return this.deeper(() => this.array());
    if (this.isSign('{')) return this.deeper(() => this.braces());
    throw unusual;
  }

  private parenthesized(): PythonNode {
    const parts = [this.takeSign('(')];
    const ended = (name: string): PythonNode => {
      parts.push(this.takeSign(')'));
      return this.made(name, parts);
    };
    if (this.isSign(')')) return ended('TupleExpression');
    if (this.isWord('yield')) {
      parts.push(this.made('YieldExpression', this.yields()));
      return ended('ParenthesizedExpression');
    }
    this.starred(parts, () => this.named());
    if (this.comprehension(parts)) return ended('ComprehensionExpression');
    if (!this.isSign(',')) return ended('ParenthesizedExpression');
    parts.push(this.takeSign(','));
    if (!this.isSign(')')) this.list(parts, () => this.starred(parts, () => this.named()));
    return ended('TupleExpression');
  }

  private array(): PythonNode {
    const parts = [this.takeSign('[')];
    let isComprehension = false;
    if (!this.isSign(']'))
      this.list(parts, () => {
        this.starred(parts, () => this.named());
        isComprehension = (parts.length <= 3 && this.comprehension(parts)) || isComprehension;
      });
    parts.push(this.takeSign(']'));
    return this.made(isComprehension ? 'ArrayComprehensionExpression' : 'ArrayExpression', parts);
  }

  private braces(): PythonNode {
    const parts = [this.takeSign('{')];
    let kind = 'Dictionary';
    const element = (): void => {
      if (kind === 'Set') this.starred(parts, () => this.test());
      else if (this.isSign('**')) parts.push(this.takeSign('**'), this.expression(0));
      else parts.push(this.test(), this.takeSign(':'), this.test());
    };
    if (!this.isSign('}')) {
      if (this.isSign('*')) kind = 'Set';
      else if (!this.isSign('**')) {
        parts.push(this.test());
        if (this.isSign(':')) parts.push(this.takeSign(':'), this.test());
        else kind = 'Set';
      }
      if (parts.length === 1) element();
      if (this.comprehension(parts)) kind += 'Comprehension';
      else if (this.isSign(',')) {
        parts.push(this.takeSign(','));
        if (!this.isSign('}')) this.list(parts, element);
      }
    }
    parts.push(this.takeSign('}'));
    return this.made(`${kind}Expression`, parts);
  }

  // Texts.

  private texts(): PythonNode {
    const first = this.oneText();
    if (this.kind !== 'string') return first;
    const parts = [first];
    while (this.kind === 'string') parts.push(this.oneText());
    return this.made('ContinuedString', parts);
  }

  private oneText(): PythonNode {
    const { text, from } = this;
    this.match(opening);
    const start = text.slice(from, this.to);
    const quote = start.slice(start.search(/["']/));
    const children = /f/i.test(start) ? this.formatted(quote, /r/i.test(start)) : nothing;
    if (children === nothing) this.plain(quote);
    const node = { name: children === nothing ? 'String' : 'FormatString', from, to: this.to, children };
    this.next();
    return node;
  }

  /** Goes to the end of a text that holds nothing but itself. */
  private plain(quote: string): void {
    for (let at = this.to; ; at++) {
      const code = this.text.charCodeAt(at);
      if (this.isEnd(code, at, quote)) return;
      if (code === 92) at++;
    }
  }

  /** Whether a text ends here; then the token does too. */
  private isEnd(code: number, at: number, quote: string): boolean {
    if (code === quote.charCodeAt(0) && (quote.length === 1 || this.text.startsWith(quote, at))) {
      this.to = at + quote.length;
      return true;
    }
    if (at >= this.text.length || (code === 10 && quote.length === 1)) throw unusual;
    return false;
  }

  /** Goes to the end of a text with values in it. */
  private formatted(quote: string, isRaw: boolean): readonly PythonNode[] {
    const { text } = this;
    const parts: PythonNode[] = [];
    for (let at = this.to; ; at++) {
      const code = text.charCodeAt(at);
      if (this.isEnd(code, at, quote)) return parts;
      if (code === 92) {
        if (isRaw || text.charCodeAt(at + 1) === 78) throw unusual;
        at++;
      } else if (code === 123 && text.charCodeAt(at + 1) === 123) at++;
      else if (code === 123) {
        const part = this.replacement(at);
        parts.push(part);
        at = part.to - 1;
      }
    }
  }

  /** `{value!r:>10}` in a text. */
  private replacement(at: number): PythonNode {
    const { text } = this;
    const outer = this.brackets;
    this.brackets = outer + 1;
    const parts: PythonNode[] = [{ name: '{', from: at, to: at + 1, children: nothing }];
    this.to = at + 1;
    this.next();
    parts.push(this.test());
    if (this.isSign('!')) {
      if (!/[sra]/.test(text.charAt(this.to)) || this.to !== this.from + 1) throw unusual;
      const { from } = this;
      parts.push({ name: 'FormatConversion', from, to: from + 2, children: nothing });
      this.to = from + 2;
      this.next();
    }
    if (this.isSign(':')) {
      const { from } = this;
      const end = text.slice(this.to).search(/[{}"'\\\n]/) + this.to;
      if (text.charAt(end) !== '}') throw unusual;
      parts.push({
        name: 'FormatSpec',
        from,
        to: end,
        children: [{ name: ':', from, to: from + 1, children: nothing }],
      });
      [this.from, this.to] = [end, end + 1];
    } else if (!this.isSign('}')) throw unusual;
    parts.push({ name: '}', from: this.from, to: this.to, children: nothing });
    this.brackets = outer;
    return this.made('FormatReplacement', parts);
  }
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 0xa1;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

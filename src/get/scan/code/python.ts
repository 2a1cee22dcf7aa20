import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { python } from './calls.ts';
import { reversed, unescaped } from './decode.ts';
import { codeRun, variableNamed } from './effects.ts';
import { lineCounter } from './lines.ts';
import {
  added,
  computed,
  elementsOf,
  Functions,
  listOf,
  memberOf,
  nothing,
  numberOf,
  Program,
  Scope,
  type Thing,
} from './program.ts';
import type { Trace, Unit } from './unit.ts';
import { changed, has, isKnown, joined, known, madeOf, sourced, sourcesOf } from './value.ts';

/** Reads a program in Python: goes through all statements once, with what is known of the values. */
export function readPython(unit: Unit, trace: Trace): void {
  new Python(unit, trace).read();
}

class Python extends Functions<SyntaxNode> {
  private readonly text: string;
  private readonly program: Program;
  private readonly lineAt: (offset: number) => number;

  constructor(unit: Unit, trace: Trace) {
    super();
    this.text = unit.text;
    this.program = new Program(unit, trace, python);
    this.lineAt = lineCounter(unit.text, unit.line);
  }

  read(): void {
    this.statements(parser.parse(this.text).topNode);
    this.callOthers(this.program);
  }

  private source({ from, to }: SyntaxNode): string {
    return this.text.slice(from, to);
  }

  private statements(node: SyntaxNode): void {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) this.statement(child);
  }

  private statement(node: SyntaxNode): void {
    if (!this.program.goesOn) return;
    switch (node.name) {
      case 'ImportStatement':
        this.imports(node);
        this.brought(node);
        return;
      case 'AssignStatement':
      case 'UpdateStatement':
        this.assigns(node);
        return;
      case 'FunctionDefinition':
        this.defines(node);
        return;
      case 'ClassDefinition':
      case 'DecoratedStatement':
      case 'StatementGroup':
      case 'TryStatement':
      case 'IfStatement':
      case 'WhileStatement':
      case 'MatchStatement':
      case 'MatchBody':
      case 'MatchClause':
      case 'Body':
        this.statements(node);
        return;
      case 'WithStatement':
        this.with(node);
        return;
      case 'ForStatement':
        this.loop(node);
        return;
      case 'ReturnStatement':
      case 'YieldStatement': {
        const [, value] = childrenOf(node);
        if (value !== undefined) this.returned = this.expression(value);
        return;
      }
      case 'Decorator':
        return;
      default:
        if (isExpression(node)) this.expression(node);
        else if (node.name === 'ExpressionStatement') this.statements(node);
        else if (node.firstChild !== null) this.statements(node);
    }
  }

  /** `import a.b as c`, `from a import b as c`. */
  private imports(node: SyntaxNode): void {
    const words = this.source(node).replace(/[()\\\n]/g, ' ');
    const from = /^\s*from\s+([\w.]+)\s+import\s+(.*)$/s.exec(words);
    for (const one of (from?.[2] ?? words.replace(/^\s*import\s+/, '')).split(',')) {
      const [, name = '', alias] = /^\s*([\w.*]+)(?:\s+as\s+(\w+))?/.exec(one) ?? [];
      if (name === '') continue;
      const full = from === null ? name : `${from[1]}.${name}`;
      this.scope.set(alias ?? (from === null ? (name.split('.')[0] ?? name) : name), {
        text: known('').text,
        from: [],
        name: from === null && alias === undefined ? (name.split('.')[0] ?? name) : full,
      });
    }
  }

  /** Modules whose files were written before, from elsewhere: what such a file holds is run. */
  private brought(node: SyntaxNode): void {
    const { trace, unit } = this.program;
    for (const module of trace.written.size === 0 ? [] : (this.source(node).match(/\w+/g) ?? []).slice(0, 20)) {
      const file = trace.moduleAt(module);
      if (file !== undefined) codeRun(trace, unit, file, 'python', this.lineAt(node.from), 'import');
    }
  }

  private assigns(node: SyntaxNode): void {
    const parts = childrenOf(node).filter(({ name }) => name !== ',' && name !== 'TypeDef');
    const operators = parts.flatMap((part, index) =>
      part.name === 'AssignOp' || part.name === 'UpdateOp' ? [index] : [],
    );
    const last = operators.at(-1);
    if (last === undefined) return;
    const values = parts.slice(last + 1).map((part) => this.expression(part));
    const targets = parts.slice(0, last).filter(({ name }) => name !== 'AssignOp');
    targets.forEach((target, index) => {
      const whole =
        values.length === 1
          ? (values[0] ?? nothing)
          : values.length === targets.length
            ? (values[index] ?? nothing)
            : listOf(values);
      const value =
        targets.length > 1 && whole.items !== undefined && values.length === 1
          ? (whole.items[index] ?? nothing)
          : whole;
      this.put(target, parts[last]?.name === 'UpdateOp' ? added(this.expression(target), value) : value);
    });
  }

  private put(target: SyntaxNode, value: Thing): void {
    if (target.name === 'VariableName') this.scope.put(this.source(target), value);
    else if (target.name === 'TupleExpression' || target.name === 'ArrayExpression') {
      const parts = childrenOf(target).filter(isExpression);
      for (const [index, one] of parts.entries()) this.put(one, value.items?.[index] ?? madeOf(value));
    } else if (target.name === 'MemberExpression') {
      const owner = target.firstChild;
      if (owner?.name === 'VariableName') {
        const name = this.source(owner);
        const before = this.scope.get(name) ?? nothing;
        const key = this.source(target).slice(name.length + 1);
        this.scope.set(name, {
          ...before,
          from: sourcesOf([before, value]),
          fields: new Map([...(before.fields ?? []), [key.replace(/^['"]|['"]?\]$|['"]$/g, ''), value]]),
        });
        if (name === 'self') this.scope.put(`self.${key}`, value);
      }
    }
  }

  /** Gives each of several targets its part. */
  private putAll(targets: readonly SyntaxNode[], value: Thing): void {
    const isOne = targets.length === 1;
    for (const [index, target] of targets.entries())
      this.put(target, isOne ? value : (value.items?.[index] ?? madeOf(value)));
  }

  private defines(node: SyntaxNode): void {
    const name = node.getChild('VariableName');
    const [body, parameters] = [node.getChild('Body'), node.getChild('ParamList')];
    if (body === null) return;
    const names =
      parameters === null
        ? []
        : childrenOf(parameters)
            .filter((one) => one.name === 'VariableName' && one.prevSibling?.name !== 'AssignOp')
            .map((one) => this.source(one));
    const fn = this.made(node, (args) => {
      for (const [index, one] of names.entries()) this.scope.put(one, args[index] ?? sourced('input', one));
      this.statements(body);
      return this.returned;
    });
    if (name !== null) this.scope.put(this.source(name), fn);
  }

  private with(node: SyntaxNode): void {
    let value = nothing;
    for (const child of childrenOf(node)) {
      if (child.name === 'Body') this.statements(child);
      else if (child.name === 'VariableName' && child.prevSibling?.name === 'as')
        this.scope.put(this.source(child), value);
      else if (isExpression(child)) value = this.expression(child);
    }
  }

  private loop(node: SyntaxNode): void {
    const parts = childrenOf(node);
    const at = parts.findIndex(({ name }) => name === 'in');
    const list = parts[at + 1];
    const value = list === undefined ? nothing : this.expression(list);
    const targets = parts.slice(1, at).filter(isExpression);
    const items = value.items?.slice(0, 6) ?? [madeOf(value)];
    for (const item of items.length === 0 ? [nothing] : items) {
      this.putAll(targets, item);
      for (const body of node.getChildren('Body')) this.statements(body);
    }
  }

  private expression(node: SyntaxNode): Thing {
    if (!this.program.goesOn) return nothing;
    return this.program.deeper(() => this.thingOf(node));
  }

  private thingOf(node: SyntaxNode): Thing {
    switch (node.name) {
      case 'String':
        return textIn(this.source(node));
      case 'ContinuedString':
        return joined(childrenOf(node).map((one) => this.expression(one)));
      case 'FormatString':
        return this.format(node);
      case 'Number': {
        const number = Number(this.source(node).replaceAll('_', ''));
        return Number.isNaN(number) ? nothing : numberOf(number);
      }
      case 'VariableName': {
        const name = this.source(node);
        return this.scope.get(name) ?? { ...nothing, name };
      }
      case 'MemberExpression':
        return this.member(node, node.firstChild === null ? nothing : this.expression(node.firstChild));
      case 'CallExpression':
        return this.call(node);
      case 'BinaryExpression':
        return this.binary(node);
      case 'ArrayExpression':
      case 'TupleExpression':
      case 'SetExpression':
        return listOf(
          childrenOf(node)
            .filter(isExpression)
            .map((one) => this.expression(one)),
        );
      case 'ArrayComprehensionExpression':
      case 'ComprehensionExpression':
      case 'SetComprehensionExpression':
        return this.comprehension(node);
      case 'DictionaryExpression':
        return this.dictionary(node);
      case 'LambdaExpression':
        return this.lambda(node);
      case 'ParenthesizedExpression':
      case 'AwaitExpression':
      case 'UnaryExpression':
      case 'NamedExpression': {
        const inner = childrenOf(node)
          .filter(isExpression)
          .map((one) => this.expression(one));
        const [target] = childrenOf(node);
        const value = inner.at(-1) ?? nothing;
        if (node.name === 'NamedExpression' && target !== undefined) this.put(target, value);
        return value;
      }
      default:
        return madeOf(
          ...childrenOf(node)
            .filter(isExpression)
            .map((one) => this.expression(one)),
        );
    }
  }

  private format(node: SyntaxNode): Thing {
    const parts: Thing[] = [];
    let at = node.from + (/^\w*(?:"""|'''|"|')/.exec(this.source(node))?.[0].length ?? 0);
    for (const child of node.getChildren('FormatReplacement')) {
      parts.push(known(unescaped(this.text.slice(at, child.from))));
      const inner = childrenOf(child).find(isExpression);
      parts.push(inner === undefined ? nothing : this.expression(inner));
      at = child.to;
    }
    parts.push(known(unescaped(this.text.slice(at, node.to).replace(/(?:"""|'''|"|')$/, ''))));
    return joined(parts);
  }

  private member(node: SyntaxNode, owner: Thing): Thing {
    const [object, second, third] = childrenOf(node);
    if (object === undefined) return nothing;
    const property = node.getChild('PropertyName');
    if (property !== null) return this.property(this.source(object), owner, this.source(property));
    const inside = this.text.slice(second?.to ?? node.from, node.to - 1).trim();
    if (inside.includes(':')) return sliced(owner, inside);
    const key = third === undefined ? nothing : this.expression(third);
    if (owner.name === 'os.environ') return variableNamed(key.text);
    if (!isKnown(key)) return madeOf(owner);
    const isText = owner.items === undefined && owner.fields === undefined && isKnown(owner) && owner.text !== '';
    const { number } = key;
    return isText && number !== undefined ? changed(owner, (text) => text.at(number) ?? '') : memberOf(owner, key.text);
  }

  private property(object: string, owner: Thing, key: string): Thing {
    const field = owner.fields?.get(key) ?? (object === 'self' ? this.scope.get(`self.${key}`) : undefined);
    if (field !== undefined) return field;
    const member = memberOf(owner, key);
    if (member.name === 'sys.executable') return known('python3');
    return member.name === 'os.environ' ? { ...member, from: [] } : member;
  }

  private call(node: SyntaxNode): Thing {
    const [callee, list] = childrenOf(node);
    if (callee === undefined || list === undefined) return nothing;
    const owner = callee.name === 'MemberExpression' ? callee.firstChild : null;
    const self = owner === null ? nothing : this.expression(owner);
    const target = owner === null ? this.expression(callee) : this.member(callee, self);
    const { args, named } = this.given(list);
    if (target.name === 'os.environ.get') return variableNamed(args[0]?.text ?? '');
    // A method of the same class is given the object itself first.
    const own =
      owner !== null && this.source(owner) === 'self' ? this.scope.get(this.source(callee).slice(5)) : undefined;
    const result =
      own?.call === undefined
        ? this.program.call(target, args, named, this.lineAt(node.from), self)
        : this.program.call(own, [nothing, ...args], named, this.lineAt(node.from));
    if (owner?.name === 'VariableName') this.afterwards(this.source(owner), self, target.name ?? '', args, result);
    return result;
  }

  /** The arguments of a call, by place and by name. */
  private given(list: SyntaxNode): { args: readonly Thing[]; named: ReadonlyMap<string, Thing> } {
    // A comprehension without brackets stands alone in the list.
    if (list.getChild('for') !== null) return { args: [this.comprehension(list)], named: new Map() };
    const named = new Map<string, Thing>();
    const args: Thing[] = [];
    for (const part of childrenOf(list)) {
      if (part.prevSibling?.name === 'AssignOp') {
        const name = part.prevSibling.prevSibling;
        if (name !== null) named.set(this.source(name), this.expression(part));
      } else if (isExpression(part) && part.nextSibling?.name !== 'AssignOp') args.push(this.expression(part));
    }
    return { args, named };
  }

  /** Keeps what a call leaves behind in the variable that it was called on: a connection, or one more element. */
  private afterwards(name: string, self: Thing, method: string, args: readonly Thing[], result: Thing): void {
    if (method.endsWith('.connect') && result.url !== undefined) this.scope.set(name, { ...self, url: result.url });
    if (/\.(?:append|extend|add|update|insert)$/.test(method))
      this.scope.set(name, { ...self, items: [...(self.items ?? []), ...args], from: sourcesOf([self, ...args]) });
    // An object that was given keys has them from then on.
    else if (self.name !== undefined && has(result, 'credential') && !has(self, 'credential'))
      this.scope.set(name, { ...self, from: sourcesOf([self, result]) });
  }

  private binary(node: SyntaxNode): Thing {
    const [left, operator, right] = childrenOf(node);
    if (left === undefined || operator === undefined || right === undefined) return nothing;
    const [a, b] = [this.expression(left), this.expression(right)];
    const sign = this.source(operator);
    if (sign === '+') return added(a, b);
    const isPath = a.path !== undefined || a.name === 'Path';
    if (sign === '/' && isPath) {
      const path = joined([a, b], '/');
      return { ...path, path, name: 'Path' };
    }
    if (a.number === undefined && sign === '%') return formatted(a, b.items ?? [b]);
    if (a.number === undefined && sign === '*' && b.number !== undefined) return repeated(a, b.number);
    return computed(sign, a, b);
  }

  private comprehension(node: SyntaxNode): Thing {
    const parts = childrenOf(node);
    const [isFor, isIn] = [parts.findIndex(({ name }) => name === 'for'), parts.findIndex(({ name }) => name === 'in')];
    const element = parts.find(isExpression);
    const list = parts[isIn + 1];
    if (element === undefined || list === undefined || isFor === -1) return nothing;
    const value = this.expression(list);
    const targets = parts.slice(isFor + 1, isIn).filter(isExpression);
    const items = elementsOf(value)?.slice(0, 4000) ?? [madeOf(value)];
    const outer = this.scope;
    this.scope = new Scope(outer);
    const results = items.map((item) => {
      this.putAll(targets, item);
      return this.expression(element);
    });
    this.scope = outer;
    return listOf(results);
  }

  private dictionary(node: SyntaxNode): Thing {
    const fields = new Map<string, Thing>();
    const parts = childrenOf(node).filter(isExpression);
    const isSpread = childrenOf(node).some(({ name }) => name === '**');
    if (isSpread) return madeOf(...parts.map((one) => this.withEnvironment(this.expression(one))));
    for (let at = 0; at + 1 < parts.length; at += 2) {
      const [key, value] = [parts[at], parts[at + 1]];
      if (key !== undefined && value !== undefined)
        fields.set(this.expression(key).text, this.withEnvironment(this.expression(value)));
    }
    return { text: nothing.text, from: sourcesOf([...fields.values()]), fields };
  }

  private withEnvironment(value: Thing): Thing {
    return value.name === 'os.environ' ? sourced('environment', 'all variables') : value;
  }

  private lambda(node: SyntaxNode): Thing {
    const parts = childrenOf(node);
    const body = parts.at(-1);
    const parameters = node.getChild('ParamList');
    const names = parameters === null ? [] : parameters.getChildren('VariableName').map((one) => this.source(one));
    const outer = this.scope;
    return {
      ...nothing,
      call: (args) => {
        const before = this.scope;
        this.scope = new Scope(outer);
        for (const [index, name] of names.entries()) this.scope.put(name, args[index] ?? nothing);
        const result = body === undefined ? nothing : this.expression(body);
        this.scope = before;
        return result;
      },
    };
  }
}

/** `'%s' % values`. */
function formatted(format: Thing, values: readonly Thing[]): Thing {
  let at = 0;
  return {
    text: format.text.replace(/%[sdrxi]/g, () => values[at++]?.text ?? ''),
    from: sourcesOf([format, ...values]),
  };
}

function repeated(value: Thing, times: number): Thing {
  return changed(value, (text) => text.repeat(Math.max(0, Math.min(times, 1000))).slice(0, 20_000));
}

/** A part of a text, or all of it backwards. */
function sliced(owner: Thing, inside: string): Thing {
  if (/^:\s*:\s*-1$/.test(inside)) {
    if (owner.items !== undefined) return listOf([...owner.items].reverse());
    return { ...changed(owner, reversed), from: sourcesOf([owner, sourced('decoded', 'reversal')]) };
  }
  const [from, to, step = 1] = inside.split(':').map((one) => (one.trim() === '' ? undefined : Number(one)));
  if ([from, to, step].some((one) => Number.isNaN(one))) return madeOf(owner);
  if (step <= 1) return changed(owner, (text) => text.slice(from, to));
  const every = (text: string): string =>
    Array.from(text.slice(from, to))
      .filter((_, index) => index % step === 0)
      .join('');
  return { ...changed(owner, every), from: sourcesOf([owner, sourced('decoded', 'single letters')]) };
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (child.name !== 'Comment') children.push(child);
  return children;
}

/** The kinds of nodes that are expressions, by their numbers: there are few kinds, and nodes without end. */
const expressions = new Set(
  parser.nodeSet.types
    .filter(({ name }) =>
      /Expression$|^(?:String|ContinuedString|FormatString|Number|VariableName|Boolean|None)$/.test(name),
    )
    .map(({ id }) => id),
);

function isExpression({ type }: SyntaxNode): boolean {
  return expressions.has(type.id);
}

/** The text of a literal; one without escapes stands as it is. */
function textIn(literal: string): Thing {
  const [, prefix = '', quote = '"'] = /^(\w*)("""|'''|"|')/.exec(literal) ?? [];
  const inner = literal.slice(prefix.length + quote.length, literal.endsWith(quote) ? -quote.length : undefined);
  if (/r/i.test(prefix)) return known(inner);
  const text = known(unescaped(inner));
  const escapes = inner.match(/\\(?:x[\da-f]{2}|u[\da-f]{4}|[0-7]{3})/gi)?.length ?? 0;
  // A text in which most letters are written as numbers is hidden; one with a sign of its own is not.
  return escapes > 5 && escapes * 6 > inner.length ? { ...text, from: [{ kind: 'decoded', what: 'escapes' }] } : text;
}

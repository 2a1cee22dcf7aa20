import { python } from './calls.ts';
import { reversed, unescaped } from './decode.ts';
import { variableNamed } from './effects.ts';
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
import { type PythonNode, quickPython } from './python-syntax.ts';
import type { Trace, Unit } from './unit.ts';
import { changed, isKnown, joined, known, madeOf, sourced, sourcesOf } from './value.ts';

/** Reads a program in Python: goes through all statements once, with what is known of the values. */
export async function readPython(unit: Unit, trace: Trace): Promise<void> {
  const script = quickPython(unit.text) ?? (await import('./python-grammar.ts')).parsePython(unit.text);
  new Python(unit, trace).read(script);
}

class Python extends Functions<PythonNode> {
  private readonly text: string;
  private readonly program: Program;
  private readonly lineAt: (offset: number) => number;

  constructor(unit: Unit, trace: Trace) {
    super();
    this.text = unit.text;
    this.program = new Program(unit, trace, python);
    this.lineAt = lineCounter(unit.text, unit.line);
  }

  read(script: PythonNode): void {
    this.statements(script);
    this.callOthers(this.program);
  }

  private source({ from, to }: PythonNode): string {
    return this.text.slice(from, to);
  }

  private statements(node: PythonNode): void {
    for (const child of node.children) this.statement(child);
  }

  private statement(node: PythonNode): void {
    if (!this.program.goesOn) return;
    switch (node.name) {
      case 'ImportStatement':
        this.imports(node);
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
        const [, value] = node.children;
        if (value !== undefined) this.returned = this.expression(value);
        return;
      }
      case 'Decorator':
        return;
      default:
        if (isExpression(node)) this.expression(node);
        else if (node.name === 'ExpressionStatement') this.statements(node);
        else if (node.children.length > 0) this.statements(node);
    }
  }

  /** `import a.b as c`, `from a import b as c`. */
  private imports(node: PythonNode): void {
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

  private assigns(node: PythonNode): void {
    const parts = node.children.filter(({ name }) => name !== ',' && name !== 'TypeDef');
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

  private put(target: PythonNode, value: Thing): void {
    if (target.name === 'VariableName') this.scope.put(this.source(target), value);
    else if (target.name === 'TupleExpression' || target.name === 'ArrayExpression') {
      const parts = target.children.filter(isExpression);
      for (const [index, one] of parts.entries()) this.put(one, value.items?.[index] ?? madeOf(value));
    } else if (target.name === 'MemberExpression') {
      const [owner] = target.children;
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
  private putAll(targets: readonly PythonNode[], value: Thing): void {
    const isOne = targets.length === 1;
    for (const [index, target] of targets.entries())
      this.put(target, isOne ? value : (value.items?.[index] ?? madeOf(value)));
  }

  private defines(node: PythonNode): void {
    const name = childNamed(node, 'VariableName');
    const [body, parameters] = [childNamed(node, 'Body'), childNamed(node, 'ParamList')?.children ?? []];
    if (body === undefined) return;
    const names = parameters
      .filter((one, index) => one.name === 'VariableName' && parameters[index - 1]?.name !== 'AssignOp')
      .map((one) => this.source(one));
    const fn = this.made(node, (args) => {
      for (const [index, one] of names.entries()) this.scope.put(one, args[index] ?? sourced('input', one));
      this.statements(body);
      return this.returned;
    });
    if (name !== undefined) this.scope.put(this.source(name), fn);
  }

  private with(node: PythonNode): void {
    let value = nothing;
    for (const [index, child] of node.children.entries()) {
      if (child.name === 'Body') this.statements(child);
      else if (child.name === 'VariableName' && node.children[index - 1]?.name === 'as')
        this.scope.put(this.source(child), value);
      else if (isExpression(child)) value = this.expression(child);
    }
  }

  private loop(node: PythonNode): void {
    const parts = node.children;
    const at = parts.findIndex(({ name }) => name === 'in');
    const list = parts[at + 1];
    const value = list === undefined ? nothing : this.expression(list);
    const targets = parts.slice(1, at).filter(isExpression);
    const items = value.items?.slice(0, 6) ?? [madeOf(value)];
    for (const item of items.length === 0 ? [nothing] : items) {
      this.putAll(targets, item);
      for (const body of parts) if (body.name === 'Body') this.statements(body);
    }
  }

  private expression(node: PythonNode): Thing {
    if (!this.program.goesOn) return nothing;
    return this.program.deeper(() => this.thingOf(node));
  }

  private thingOf(node: PythonNode): Thing {
    switch (node.name) {
      case 'String':
        return textIn(this.source(node));
      case 'ContinuedString':
        return joined(node.children.map((one) => this.expression(one)));
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
        return this.member(node, node.children[0] === undefined ? nothing : this.expression(node.children[0]));
      case 'CallExpression':
        return this.call(node);
      case 'BinaryExpression':
        return this.binary(node);
      case 'ArrayExpression':
      case 'TupleExpression':
      case 'SetExpression':
        return listOf(node.children.filter(isExpression).map((one) => this.expression(one)));
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
        const inner = node.children.filter(isExpression).map((one) => this.expression(one));
        const [target] = node.children;
        const value = inner.at(-1) ?? nothing;
        if (node.name === 'NamedExpression' && target !== undefined) this.put(target, value);
        return value;
      }
      default:
        return madeOf(...node.children.filter(isExpression).map((one) => this.expression(one)));
    }
  }

  private format(node: PythonNode): Thing {
    const parts: Thing[] = [];
    let at = node.from + (/^\w*(?:"""|'''|"|')/.exec(this.source(node))?.[0].length ?? 0);
    for (const child of node.children) {
      if (child.name !== 'FormatReplacement') continue;
      parts.push(known(unescaped(this.text.slice(at, child.from))));
      const inner = child.children.find(isExpression);
      parts.push(inner === undefined ? nothing : this.expression(inner));
      at = child.to;
    }
    parts.push(known(unescaped(this.text.slice(at, node.to).replace(/(?:"""|'''|"|')$/, ''))));
    return joined(parts);
  }

  private member(node: PythonNode, owner: Thing): Thing {
    const [object, second, third] = node.children;
    if (object === undefined) return nothing;
    const property = childNamed(node, 'PropertyName');
    if (property !== undefined) return this.property(this.source(object), owner, this.source(property));
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
    return member.name === 'os.environ' ? { ...member, from: [] } : member;
  }

  private call(node: PythonNode): Thing {
    const [callee, list] = node.children;
    if (callee === undefined || list === undefined) return nothing;
    const owner = callee.name === 'MemberExpression' ? (callee.children[0] ?? null) : null;
    const self = owner === null ? nothing : this.expression(owner);
    const target = owner === null ? this.expression(callee) : this.member(callee, self);
    const { args, named } = this.given(list);
    if (target.name === 'os.environ.get') return variableNamed(args[0]?.text ?? '');
    const result = this.program.call(target, args, named, this.lineAt(node.from), self);
    if (owner?.name === 'VariableName') this.afterwards(this.source(owner), self, target.name ?? '', args, result);
    return result;
  }

  /** The arguments of a call, by place and by name. */
  private given(list: PythonNode): { args: readonly Thing[]; named: ReadonlyMap<string, Thing> } {
    // A comprehension without brackets stands alone in the list.
    if (childNamed(list, 'for') !== undefined) return { args: [this.comprehension(list)], named: new Map() };
    const named = new Map<string, Thing>();
    const args: Thing[] = [];
    const parts = list.children;
    for (const [index, part] of parts.entries()) {
      if (parts[index - 1]?.name === 'AssignOp') {
        const name = parts[index - 2];
        if (name !== undefined) named.set(this.source(name), this.expression(part));
      } else if (isExpression(part) && parts[index + 1]?.name !== 'AssignOp') args.push(this.expression(part));
    }
    return { args, named };
  }

  /** Keeps what a call leaves behind in the variable that it was called on: a connection, or one more element. */
  private afterwards(name: string, self: Thing, method: string, args: readonly Thing[], result: Thing): void {
    if (method.endsWith('.connect') && result.url !== undefined) this.scope.set(name, { ...self, url: result.url });
    if (!/\.(?:append|extend|add|update|insert)$/.test(method)) return;
    this.scope.set(name, { ...self, items: [...(self.items ?? []), ...args], from: sourcesOf([self, ...args]) });
  }

  private binary(node: PythonNode): Thing {
    const [left, operator, right] = node.children;
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

  private comprehension(node: PythonNode): Thing {
    const parts = node.children;
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

  private dictionary(node: PythonNode): Thing {
    const fields = new Map<string, Thing>();
    const parts = node.children.filter(isExpression);
    const isSpread = node.children.some(({ name }) => name === '**');
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

  private lambda(node: PythonNode): Thing {
    const parts = node.children;
    const body = parts.at(-1);
    const parameters = childNamed(node, 'ParamList')?.children ?? [];
    const names = parameters.filter(({ name }) => name === 'VariableName').map((one) => this.source(one));
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

function childNamed({ children }: PythonNode, name: string): PythonNode | undefined {
  return children.find((child) => child.name === name);
}

/** The kinds of nodes that are expressions. */
const expressions = new Set(
  [
    'String ContinuedString FormatString Number VariableName Boolean None',
    'BinaryExpression UnaryExpression AwaitExpression ParenthesizedExpression TupleExpression ComprehensionExpression',
    'ArrayExpression ArrayComprehensionExpression DictionaryExpression DictionaryComprehensionExpression SetExpression',
    'SetComprehensionExpression CallExpression MemberExpression ConditionalExpression LambdaExpression NamedExpression',
    'YieldExpression',
  ].flatMap((names) => names.split(' ')),
);

function isExpression({ name }: PythonNode): boolean {
  return expressions.has(name);
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

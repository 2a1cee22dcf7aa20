import {
  type AnyNode,
  type CallExpression,
  type Expression,
  type MemberExpression,
  type NewExpression,
  type Node,
  parse,
  type Program as Tree,
} from 'acorn';
import { addressKind } from './addresses.ts';
import { javascript } from './calls.ts';
import { fromBase64, fromPercent } from './decode.ts';
import { codeRun, variableNamed } from './effects.ts';
import { lineCounter } from './lines.ts';
import { added, computed, Functions, listOf, memberOf, nothing, numberOf, Program, type Thing } from './program.ts';
import { withoutTypes } from './types.ts';
import type { Trace, Unit } from './unit.ts';
import { decoded, has, hole, isKnown, joined, known, madeOf, sourced, sourcesOf, type Value } from './value.ts';

/** Reads a program in JavaScript, or in TypeScript of which no more than the types stand in the way; false where it is neither. */
export function readJavaScript(unit: Unit, trace: Trace): boolean {
  const tree = treeOf(unit.text) ?? treeOf(withoutTypes(unit.text));
  if (tree === null) return false;
  new JavaScript(unit, trace).read(tree);
  return true;
}

function treeOf(text: string): Tree | null {
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parse(text, {
        ecmaVersion: 'latest',
        sourceType,
        allowHashBang: true,
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
        allowImportExportEverywhere: sourceType === 'module',
      });
    } catch {
      // Not this one.
    }
  }
  return null;
}

const none: ReadonlyMap<string, Thing> = new Map();

type Kind<K> = Extract<AnyNode, { readonly type: K }>;
type Values = { readonly [K in AnyNode['type']]?: (node: Kind<K>) => Thing };
type Targets = { readonly [K in AnyNode['type']]?: (node: Kind<K>, value: Thing, isNew: boolean) => void };

class JavaScript extends Functions<Node> {
  private readonly program: Program;
  private readonly lineAt: (offset: number) => number;

  constructor(unit: Unit, trace: Trace) {
    super();
    this.program = new Program(unit, trace, javascript);
    this.lineAt = lineCounter(unit.text, unit.line);
  }

  read(tree: Tree): void {
    // Functions are known before the first statement runs.
    for (const one of tree.body) if (one.type === 'FunctionDeclaration') this.visit(one);
    for (const one of tree.body) if (one.type !== 'FunctionDeclaration') this.visit(one);
    this.callOthers(this.program);
  }

  private visit(node: Node | null | undefined): Thing {
    if (node === null || node === undefined || !this.program.goesOn) return nothing;
    return this.program.deeper(() => this.thingOf(node as AnyNode));
  }

  private thingOf(node: AnyNode): Thing {
    const value = this.values[node.type] as ((one: AnyNode) => Thing) | undefined;
    return value === undefined ? this.inside(node) : value(node);
  }

  /** The value of each kind of node, and what evaluating it does. */
  private readonly values: Values = {
    Literal: ({ value, raw }) => literalOf(value, raw ?? ''),
    TemplateLiteral: ({ quasis, expressions }) =>
      joined(
        quasis.flatMap(({ value }, index) => [
          known(value.cooked ?? value.raw),
          ...(expressions[index] === undefined ? [] : [this.visit(expressions[index])]),
        ]),
      ),
    TaggedTemplateExpression: ({ tag, quasi, start }) => {
      const target = this.visit(tag);
      const callee = /(?:^|\.)\$$/.test(target.name ?? '') ? { ...target, name: 'zx.$' } : target;
      return this.program.call(callee, [this.visit(quasi)], none, this.lineAt(start));
    },
    Identifier: ({ name }) => this.scope.get(name) ?? (name === '__dirname' ? known('.') : { ...nothing, name }),
    ThisExpression: () => this.scope.get('this') ?? { ...nothing, name: 'this' },
    MemberExpression: (node) => this.member(node, this.visit(node.object)),
    ChainExpression: ({ expression }) => this.visit(expression),
    ParenthesizedExpression: ({ expression }) => this.visit(expression),
    ExpressionStatement: ({ expression }) => this.visit(expression),
    AwaitExpression: ({ argument }) => this.argument(argument),
    UnaryExpression: ({ argument }) => this.argument(argument),
    SpreadElement: ({ argument }) => this.argument(argument),
    YieldExpression: ({ argument }) => this.argument(argument),
    ImportExpression: ({ source, start }) => this.imported(this.visit(source), this.lineAt(start)),
    CallExpression: (node) => this.call(node),
    NewExpression: (node) => this.call(node),
    BinaryExpression: ({ operator, left, right }) => {
      const [a, b] = [this.visit(left), this.visit(right)];
      return operator === '+' ? added(a, b) : computed(operator, a, b);
    },
    LogicalExpression: ({ left, right }) => either(this.visit(left), this.visit(right)),
    ConditionalExpression: ({ test, consequent, alternate }) => {
      this.visit(test);
      return either(this.visit(consequent), this.visit(alternate));
    },
    SequenceExpression: ({ expressions }) => expressions.map((one) => this.visit(one)).at(-1) ?? nothing,
    ArrayExpression: ({ elements }) => listOf(elements.map((one) => this.visit(one))),
    ObjectExpression: ({ properties }) => this.object(properties),
    ArrowFunctionExpression: (node) => this.fn(node, node.params, node.body),
    FunctionExpression: (node) => this.fn(node, node.params, node.body),
    FunctionDeclaration: (node) => {
      const fn = this.fn(node, node.params, node.body);
      if (node.id !== null) this.scope.put(node.id.name, fn);
      return fn;
    },
    AssignmentExpression: ({ operator, left, right }) => {
      const value = this.visit(right);
      const result = operator === '=' ? value : added(this.visit(left), value);
      this.put(left, result, false);
      return result;
    },
    VariableDeclaration: ({ declarations }) => {
      for (const { id, init } of declarations) if (init) this.put(id, this.visit(init), true);
      return nothing;
    },
    ReturnStatement: ({ argument }) => {
      this.returned = this.visit(argument);
      return this.returned;
    },
    ImportDeclaration: ({ source, specifiers }) => {
      this.imports(String(source.value), specifiers);
      return nothing;
    },
    ForOfStatement: ({ left, right, body }) => this.loop(left, right, body),
    ForInStatement: ({ left, right, body }) => this.loop(left, right, body),
  };

  private argument(node: Node | null | undefined): Thing {
    const value = this.visit(node);
    return value.name === 'process.env' ? sourced('environment', 'all variables') : value;
  }

  /** The body once for each of the first elements. */
  private loop(left: Node, right: Node, body: Node): Thing {
    const list = this.visit(right);
    const items = list.items?.slice(0, 6) ?? [madeOf(list)];
    const declared = left as AnyNode;
    const isNew = declared.type === 'VariableDeclaration';
    const target = isNew ? declared.declarations[0]?.id : left;
    for (const item of items.length === 0 ? [nothing] : items) {
      if (target !== undefined) this.put(target, item, isNew);
      this.visit(body);
    }
    return nothing;
  }

  /** Everything below a node of which nothing else is known. */
  private inside(node: AnyNode): Thing {
    for (const [key, value] of Object.entries(node)) {
      if (key === 'type') continue;
      for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) this.visit(one);
    }
    return nothing;
  }

  private member(node: MemberExpression, owner: Thing): Thing {
    const key: Thing = node.computed
      ? this.visit(node.property)
      : known(node.property.type === 'Identifier' ? node.property.name : '');
    if (owner.name === 'process.env')
      return /^(?:HOME|USERPROFILE)$/.test(key.text) ? known('~') : variableNamed(key.text);
    if (!isKnown(key)) return madeOf(owner);
    if (node.computed && key.number !== undefined && owner.items === undefined && isKnown(owner))
      return known(owner.text[key.number] ?? '');
    const member = memberOf(owner, key.text);
    return wellKnown(member, key.text, owner) ?? member;
  }

  /** A module by its name; one that was fetched or decoded is code that is run. */
  private imported(source: Thing, line: number): Thing {
    const { trace, unit } = this.program;
    const code = codeAt(source);
    if (code.from.some(({ kind }) => kind === 'network' || kind === 'decoded'))
      codeRun(trace, unit, code, 'javascript', line, 'import');
    return this.program.call({ ...nothing, name: 'import' }, [source], none, line);
  }

  private call(node: CallExpression | NewExpression): Thing {
    const { callee } = node;
    const self = callee.type === 'MemberExpression' ? this.visit(callee.object) : nothing;
    const target = callee.type === 'MemberExpression' ? this.member(callee, self) : this.visit(callee as Expression);
    const args = node.arguments.flatMap((one) => {
      const value = this.visit(one);
      return one.type === 'SpreadElement' && value.items !== undefined ? value.items : [value];
    });
    const wanted = /\.(?:call|apply)$/.test(target.name ?? '') ? args.slice(1) : args;
    const result = this.program.call(target, wanted, none, this.lineAt(node.start), self);
    if (callee.type === 'MemberExpression' && callee.object.type === 'Identifier') {
      const { name } = callee.object;
      if (/\.(?:push|unshift)$/.test(target.name ?? ''))
        this.scope.set(name, { ...self, items: [...(self.items ?? []), ...args], from: sourcesOf([self, ...args]) });
      // An object that was given keys has them from then on.
      else if (self.name !== undefined && has(result, 'credential') && !has(self, 'credential'))
        this.scope.set(name, { ...self, from: sourcesOf([self, result]) });
    }
    return result;
  }

  private object(properties: readonly Node[]): Thing {
    const fields = new Map<string, Thing>();
    const spread: Thing[] = [];
    for (const one of properties as readonly AnyNode[]) {
      if (one.type === 'SpreadElement') spread.push(this.visit(one));
      else if (one.type === 'Property') {
        const key = one.computed
          ? this.visit(one.key).text
          : one.key.type === 'Identifier'
            ? one.key.name
            : String((one.key as { value?: unknown }).value);
        const value = this.visit(one.value);
        fields.set(key, value.name === 'process.env' ? sourced('environment', 'all variables') : value);
      }
    }
    return { text: nothing.text, from: sourcesOf([...spread, ...fields.values()]), fields };
  }

  private fn(node: Node, parameters: readonly Node[], body: Node): Thing {
    return this.made(node, (args) => {
      for (const [index, one] of (parameters as readonly AnyNode[]).entries())
        if (one.type === 'RestElement') this.put(one.argument, listOf(args.slice(index)), true);
        else this.put(one, args[index] ?? nothing, true);
      const value = this.visit(body);
      return (body as AnyNode).type === 'BlockStatement' ? this.returned : value;
    });
  }

  private put(target: Node, value: Thing, isNew: boolean): void {
    const one = target as AnyNode;
    (this.targets[one.type] as ((node: AnyNode, value: Thing, isNew: boolean) => void) | undefined)?.(
      one,
      value,
      isNew,
    );
  }

  /** Assignments, by the kind of their target. */
  private readonly targets: Targets = {
    Identifier: ({ name }, value, isNew) => {
      if (isNew) this.scope.put(name, value);
      else this.scope.set(name, value);
    },
    ObjectPattern: ({ properties }, value, isNew) => {
      for (const property of properties) this.putProperty(property as AnyNode, value, isNew);
    },
    ArrayPattern: ({ elements }, value, isNew) => {
      for (const [index, element] of elements.entries()) {
        if (element !== null) this.put(element, value.items?.[index] ?? madeOf(value), isNew);
      }
    },
    AssignmentPattern: ({ left, right }, value, isNew) => {
      this.put(left, value === nothing ? this.visit(right) : value, isNew);
    },
    MemberExpression: ({ object, property, computed: isComputed }, value) => {
      if (object.type !== 'Identifier' || property.type !== 'Identifier' || isComputed) return;
      const before = this.scope.get(object.name) ?? { ...nothing, name: object.name };
      const fields = new Map([...(before.fields ?? []), [property.name, value] as const]);
      this.scope.set(object.name, { ...before, from: sourcesOf([before, value]), fields });
    },
  };

  private putProperty(property: AnyNode, value: Thing, isNew: boolean): void {
    if (property.type === 'RestElement') this.put(property.argument, madeOf(value), isNew);
    if (property.type !== 'Property' || property.key.type !== 'Identifier') return;
    const { name } = property.key;
    this.put(property.value, value.name === 'process.env' ? variableNamed(name) : memberOf(value, name), isNew);
  }

  private imports(source: string, specifiers: readonly Node[]): void {
    const module = source.replace(/^node:/, '');
    for (const one of specifiers as readonly AnyNode[]) {
      if (one.type === 'ImportSpecifier' && one.imported.type === 'Identifier')
        this.scope.put(one.local.name, { ...nothing, name: `${module}.${one.imported.name}` });
      else if (one.type === 'ImportDefaultSpecifier' || one.type === 'ImportNamespaceSpecifier')
        this.scope.put(one.local.name, { ...nothing, name: module });
    }
  }
}

/** The code of a module that is named by an address: the address holds it, or somebody else does. */
function codeAt(source: Value): Value {
  const [, coding, code] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(source.text) ?? [];
  if (code !== undefined)
    return coding === undefined
      ? decoded({ ...source, text: code }, 'percent', fromPercent)
      : decoded({ ...source, text: code }, 'base64', fromBase64);
  const isStrange = /^https?:/.test(source.text) && /^(?:unknown|suspicious|collector)$/.test(addressKind(source.text));
  return isStrange ? sourced('network', source.text) : source;
}

/** A text in which most letters are written as numbers is hidden; one with a sign of its own is not. */
function literalOf(value: unknown, raw: string): Thing {
  if (typeof value === 'number') return numberOf(value);
  if (typeof value !== 'string') return nothing;
  const escapes = raw.match(/\\(?:x[\da-f]{2}|u[\da-f]{4}|u\{)/gi)?.length ?? 0;
  const isHidden = escapes > 5 && escapes * 8 > raw.length;
  return isHidden ? { ...known(value), from: [{ kind: 'decoded', what: 'escapes' }] } : known(value);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** Members of which it is known what they are. */
function wellKnown(member: Thing, key: string, owner: Thing): Thing | undefined {
  const { name = '' } = member;
  if (name === 'process.execPath') return known('node');
  if (/^(?:window\.)?document\.cookie$/.test(name)) return sourced('credential', 'the cookies of a page');
  if (name.endsWith('.default')) return { ...member, name: name.slice(0, -'.default'.length) };
  // The address of a file is its path.
  return /^(?:href|pathname)$/.test(key) && owner.fields === undefined && owner.text !== hole ? owner : undefined;
}

/** One of two values: what is known of either counts. */
function either(one: Thing, other: Thing): Thing {
  if (one.call !== undefined || one.name !== undefined) return one;
  if (isKnown(one) && one.text !== '') return { ...one, from: sourcesOf([one, other]) };
  return { ...other, from: sourcesOf([one, other]) };
}

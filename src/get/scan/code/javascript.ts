import { type AnyNode, type CallExpression, type Expression, type MemberExpression, type NewExpression, type Node, parse, type Program as Tree } from 'acorn';
import { javascript } from './calls.ts';
import { variableNamed } from './effects.ts';
import { lineCounter } from './lines.ts';
import { added, computed, listOf, memberOf, nothing, numberOf, Program, Scope, type Thing } from './program.ts';
import type { Trace, Unit } from './unit.ts';
import { isKnown, joined, known, madeOf, sourced, sourcesOf } from './value.ts';

/** Reads a program in JavaScript; false where it is none, such as TypeScript with its types. */
export function readJavaScript(unit: Unit, trace: Trace): boolean {
  const tree = treeOf(unit.text);
  if (tree === null) return false;
  new JavaScript(unit, trace).read(tree);
  return true;
}

function treeOf(text: string): Tree | null {
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parse(text, { ecmaVersion: 'latest', sourceType, allowHashBang: true, allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true, allowImportExportEverywhere: sourceType === 'module' });
    } catch {
      // Not this one.
    }
  }
  return null;
}

const none: ReadonlyMap<string, Thing> = new Map();

class JavaScript {
  private readonly program: Program;
  private readonly lineAt: (offset: number) => number;
  private scope = new Scope();
  private returned: Thing = nothing;
  private readonly uncalled = new Map<Node, Thing>();

  constructor(unit: Unit, trace: Trace) {
    this.program = new Program(unit, trace, javascript);
    this.lineAt = lineCounter(unit.text, unit.line);
  }

  read(tree: Tree): void {
    // Functions are known before the first statement runs.
    for (const one of tree.body) if (one.type === 'FunctionDeclaration') this.visit(one);
    for (const one of tree.body) if (one.type !== 'FunctionDeclaration') this.visit(one);
    for (const fn of [...this.uncalled.values()]) this.program.deeper(() => fn.call?.([]) ?? nothing);
  }

  private visit(node: Node | null | undefined): Thing {
    if (node === null || node === undefined || !this.program.goesOn) return nothing;
    return this.program.deeper(() => this.valueOf(node as AnyNode));
  }

  private valueOf(node: AnyNode): Thing {
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'number' ? numberOf(node.value) : typeof node.value === 'string' ? this.literal(node.value, node.raw ?? '') : nothing;
      case 'TemplateLiteral':
        return joined(node.quasis.flatMap((quasi, index) => [known(quasi.value.cooked ?? quasi.value.raw), ...(node.expressions[index] === undefined ? [] : [this.visit(node.expressions[index])])]));
      case 'TaggedTemplateExpression': {
        const tag = this.visit(node.tag);
        return this.program.call(/(?:^|\.)\$$/.test(tag.name ?? '') ? { ...tag, name: 'zx.$' } : tag, [this.visit(node.quasi)], none, this.lineAt(node.start));
      }
      case 'Identifier':
        return this.scope.get(node.name) ?? (node.name === '__dirname' ? known('.') : { ...nothing, name: node.name });
      case 'ThisExpression':
        return this.scope.get('this') ?? { ...nothing, name: 'this' };
      case 'MemberExpression':
        return this.member(node, this.visit(node.object));
      case 'ChainExpression':
      case 'ParenthesizedExpression':
      case 'ExpressionStatement':
        return this.visit(node.expression);
      case 'AwaitExpression':
      case 'UnaryExpression':
      case 'SpreadElement':
      case 'YieldExpression':
      case 'UpdateExpression': {
        const value = this.visit(node.argument);
        return value.name === 'process.env' ? sourced('environment', 'all variables') : value;
      }
      case 'ImportExpression':
        return this.program.call({ ...nothing, name: 'import' }, [this.visit(node.source)], none, this.lineAt(node.start));
      case 'CallExpression':
      case 'NewExpression':
        return this.call(node);
      case 'BinaryExpression':
        return node.operator === '+' ? added(this.visit(node.left), this.visit(node.right)) : computed(node.operator, this.visit(node.left), this.visit(node.right));
      case 'LogicalExpression':
        return either(this.visit(node.left), this.visit(node.right));
      case 'ConditionalExpression':
        this.visit(node.test);
        return either(this.visit(node.consequent), this.visit(node.alternate));
      case 'SequenceExpression':
        return node.expressions.map((one) => this.visit(one)).at(-1) ?? nothing;
      case 'ArrayExpression':
        return listOf(node.elements.map((one) => this.visit(one)));
      case 'ObjectExpression':
        return this.object(node.properties);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return this.fn(node, node.params, node.body);
      case 'FunctionDeclaration': {
        const fn = this.fn(node, node.params, node.body);
        if (node.id !== null) this.scope.put(node.id.name, fn);
        return fn;
      }
      case 'AssignmentExpression': {
        const value = this.visit(node.right);
        const result = node.operator === '=' ? value : added(this.visit(node.left), value);
        this.put(node.left, result, false);
        return result;
      }
      case 'VariableDeclaration':
        for (const one of node.declarations) if (one.init !== null && one.init !== undefined) this.put(one.id, this.visit(one.init), true);
        return nothing;
      case 'ReturnStatement':
        this.returned = this.visit(node.argument);
        return this.returned;
      case 'ImportDeclaration':
        this.imports(String(node.source.value), node.specifiers);
        return nothing;
      case 'ForOfStatement':
      case 'ForInStatement': {
        const list = this.visit(node.right);
        const items = list.items?.slice(0, 6) ?? [madeOf(list)];
        for (const item of items.length === 0 ? [nothing] : items) {
          const target = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left;
          if (target !== undefined) this.put(target, item, node.left.type === 'VariableDeclaration');
          this.visit(node.body);
        }
        return nothing;
      }
      default:
        return this.inside(node);
    }
  }

  /** Everything below a node of which nothing else is known. */
  private inside(node: AnyNode): Thing {
    for (const [key, value] of Object.entries(node)) {
      if (key === 'type') continue;
      for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) this.visit(one);
    }
    return nothing;
  }

  private literal(text: string, raw: string): Thing {
    const escapes = raw.match(/\\(?:x[\da-f]{2}|u[\da-f]{4}|u\{)/gi)?.length ?? 0;
    return escapes > 5 && escapes * 8 > raw.length ? { ...known(text), from: [{ kind: 'decoded', what: 'escapes' }] } : known(text);
  }

  private member(node: MemberExpression, owner: Thing): Thing {
    const key: Thing = node.computed ? this.visit(node.property) : known(node.property.type === 'Identifier' ? node.property.name : '');
    if (owner.name === 'process.env') return /^(?:HOME|USERPROFILE)$/.test(key.text) ? known('~') : variableNamed(key.text);
    if (!isKnown(key)) return madeOf(owner);
    if (node.computed && key.number !== undefined && owner.items === undefined && isKnown(owner)) return known(owner.text[key.number] ?? '');
    const member = memberOf(owner, key.text);
    return member.name?.endsWith('.default') ? { ...member, name: member.name.slice(0, -'.default'.length) } : member;
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
    if (callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && /\.(?:push|unshift)$/.test(target.name ?? '')) {
      this.scope.set(callee.object.name, { ...self, items: [...(self.items ?? []), ...args], from: sourcesOf([self, ...args]) });
    }
    return result;
  }

  private object(properties: readonly Node[]): Thing {
    const fields = new Map<string, Thing>();
    const spread: Thing[] = [];
    for (const one of properties as readonly AnyNode[]) {
      if (one.type === 'SpreadElement') spread.push(this.visit(one));
      else if (one.type === 'Property') {
        const key = one.computed ? this.visit(one.key).text : one.key.type === 'Identifier' ? one.key.name : String((one.key as { value?: unknown }).value);
        const value = this.visit(one.value);
        fields.set(key, value.name === 'process.env' ? sourced('environment', 'all variables') : value);
      }
    }
    return { text: nothing.text, from: sourcesOf([...spread, ...fields.values()]), fields };
  }

  private fn(node: Node, parameters: readonly Node[], body: Node): Thing {
    const outer = this.scope;
    let isBusy = false;
    const fn: Thing = {
      ...nothing,
      call: (args) => {
        this.uncalled.delete(node);
        if (isBusy) return nothing;
        isBusy = true;
        const [scope, returned] = [this.scope, this.returned];
        this.scope = new Scope(outer);
        this.returned = nothing;
        parameters.forEach((one, index) => this.put(one, args[index] ?? nothing, true));
        const value = this.visit(body);
        const result = (body as AnyNode).type === 'BlockStatement' ? this.returned : value;
        [this.scope, this.returned] = [scope, returned];
        isBusy = false;
        return result;
      },
    };
    this.uncalled.set(node, fn);
    return fn;
  }

  private put(target: Node, value: Thing, isNew: boolean): void {
    const one = target as AnyNode;
    switch (one.type) {
      case 'Identifier':
        if (isNew) this.scope.put(one.name, value);
        else this.scope.set(one.name, value);
        return;
      case 'ObjectPattern':
        for (const property of one.properties) {
          if (property.type === 'RestElement') this.put(property.argument, madeOf(value), isNew);
          else if (property.key.type === 'Identifier') this.put(property.value, value.name === 'process.env' ? variableNamed(property.key.name) : memberOf(value, property.key.name), isNew);
        }
        return;
      case 'ArrayPattern':
        one.elements.forEach((element, index) => {
          if (element !== null) this.put(element, value.items?.[index] ?? madeOf(value), isNew);
        });
        return;
      case 'AssignmentPattern':
        this.put(one.left, value === nothing ? this.visit(one.right) : value, isNew);
        return;
      case 'MemberExpression':
        if (one.object.type === 'Identifier' && one.property.type === 'Identifier' && !one.computed) {
          const before = this.scope.get(one.object.name) ?? { ...nothing, name: one.object.name };
          this.scope.set(one.object.name, { ...before, from: sourcesOf([before, value]), fields: new Map([...(before.fields ?? []), [one.property.name, value]]) });
        }
        return;
      default:
    }
  }

  private imports(source: string, specifiers: readonly Node[]): void {
    const module = source.replace(/^node:/, '');
    for (const one of specifiers as readonly AnyNode[]) {
      if (one.type === 'ImportSpecifier' && one.imported.type === 'Identifier') this.scope.put(one.local.name, { ...nothing, name: `${module}.${one.imported.name}` });
      else if (one.type === 'ImportDefaultSpecifier' || one.type === 'ImportNamespaceSpecifier') this.scope.put(one.local.name, { ...nothing, name: module });
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** One of two values: what is known of either counts. */
function either(one: Thing, other: Thing): Thing {
  if (one.call !== undefined || one.name !== undefined) return one;
  if (isKnown(one) && one.text !== '') return { ...one, from: sourcesOf([one, other]) };
  return { ...other, from: sourcesOf([one, other]) };
}

import { credentialAt, looksLikePath } from './places.ts';
import type { Trace, Unit } from './unit.ts';
import { hole, joined, known, madeOf, sourced, sourcesOf, unknown, type Value } from './value.ts';

/** A value of a program in Python or JavaScript, with what else is known of it. */
export interface Thing extends Value {
  readonly items?: readonly Thing[];
  /** The full name of a module, function or class that it is, such as `os.system`. */
  readonly name?: string;
  readonly number?: number;
  /** The file that it is a handle of. */
  readonly path?: Value;
  /** The address of a request that is not sent yet. */
  readonly url?: Value;
  readonly fields?: ReadonlyMap<string, Thing>;
  /** Calls it, where it is a function of the program itself. */
  readonly call?: (args: readonly Thing[]) => Thing;
}

export const nothing: Thing = unknown;

/** A call of a function that the program did not write. */
export interface Called {
  readonly program: Program;
  readonly name: string;
  /** The object that a method is called on. */
  readonly self: Thing;
  readonly args: readonly Thing[];
  readonly named: ReadonlyMap<string, Thing>;
  readonly line: number;
}

export type CallEffect = (call: Called) => Thing;

/** Variables by name, inner ones before outer ones. */
export class Scope {
  private readonly values = new Map<string, Thing>();
  private readonly outer: Scope | undefined;

  constructor(outer?: Scope) {
    this.outer = outer;
  }

  get(name: string): Thing | undefined {
    return this.values.get(name) ?? this.outer?.get(name);
  }

  /** Makes a variable here. */
  put(name: string, value: Thing): void {
    this.values.set(name, value);
  }

  /** Gives a variable another value where it lives, or makes it here. */
  set(name: string, value: Thing): void {
    const holder = this.holding(name) ?? this;
    holder.values.set(name, value);
  }

  private holding(name: string): Scope | undefined {
    return this.values.has(name) ? this : this.outer?.holding(name);
  }
}

/** The functions that a program writes itself: where its variables are, what the one that is called gives back, and who was called. */
export class Functions<N> {
  protected scope = new Scope();
  protected returned: Thing = nothing;
  private readonly uncalled = new Map<N, Thing>();

  /** A function that sees the variables around it. One that calls itself is followed once. */
  protected made(node: N, run: (args: readonly Thing[]) => Thing): Thing {
    const outer = this.scope;
    let isBusy = false;
    const fn: Thing = {
      ...nothing,
      call: (args) => {
        this.uncalled.delete(node);
        if (isBusy) return nothing;
        isBusy = true;
        const [scope, returned] = [this.scope, this.returned];
        [this.scope, this.returned] = [new Scope(outer), nothing];
        const result = run(args);
        [this.scope, this.returned] = [scope, returned];
        isBusy = false;
        return result;
      },
    };
    this.uncalled.set(node, fn);
    return fn;
  }

  /** Calls those that nobody has called, and those that come to light by it: others may. */
  protected callOthers(program: Program): void {
    for (const fn of this.uncalled.values()) program.deeper(() => fn.call?.([]) ?? nothing);
  }
}

/** The part that both readers of programs share: the trace, the budget, and how things are called and put together. */
export class Program {
  readonly unit: Unit;
  readonly trace: Trace;
  private readonly table: Readonly<Record<string, CallEffect>>;
  private readonly methods: Readonly<Record<string, CallEffect>>;
  private steps = 0;
  private depth = 0;

  constructor(
    unit: Unit,
    trace: Trace,
    tables: { calls: Readonly<Record<string, CallEffect>>; methods: Readonly<Record<string, CallEffect>> },
  ) {
    this.unit = unit;
    this.trace = trace;
    this.table = tables.calls;
    this.methods = tables.methods;
  }

  /** Whether there is still time: a program can be made so that reading it never ends. */
  get goesOn(): boolean {
    return ++this.steps < 60_000;
  }

  /** Runs something one level deeper; too deep, it is not known what it gives. */
  deeper(run: () => Thing): Thing {
    if (this.depth > 60) return nothing;
    this.depth++;
    try {
      return run();
    } finally {
      this.depth--;
    }
  }

  call(
    callee: Thing,
    args: readonly Thing[],
    named: ReadonlyMap<string, Thing>,
    line: number,
    self: Thing = nothing,
  ): Thing {
    if (!this.goesOn) return nothing;
    if (callee.call !== undefined) return this.deeper(() => callee.call?.(args) ?? nothing);
    const name = plainName(callee.name ?? '');
    const effect = own(this.table, name) ?? own(this.methods, name.slice(name.lastIndexOf('.') + 1));
    const called: Called = { program: this, name, self, args, named, line };
    const result = effect?.(called) ?? asUnknown(called);
    if (effect === undefined) this.unknownDoes(called, result);
    // What is handed over to be called is called with what came of it.
    for (const one of args)
      if (one.call !== undefined && effect === undefined) this.deeper(() => one.call?.([result, result]) ?? nothing);
    return result;
  }

  /** Does what can be told of a function of which nothing is known: it fills the file that it is given, or passes keys on. */
  private unknownDoes({ name, args, named, line }: Called, result: Thing): void {
    const { unit, trace } = this;
    const given = [...args, ...named.values()];
    const file = given.find((one) => one.name === 'output');
    if (file?.path !== undefined) {
      const what = { text: hole, from: sourcesOf(given.filter((one) => one !== file).map(allOf)) };
      trace.add(unit, 'write', line, { target: file.path, payload: what.from, content: hole, by: name });
      trace.wrote(file.path.text, what);
    }
    const [taken] = sourcesOf(given.map(allOf)).filter(({ kind }) => kind === 'file' || kind === 'credential');
    if (taken !== undefined && /(?:^|\.)encrypt\w*$/.test(name))
      trace.add(unit, 'command', line, { target: known(`encrypt:${taken.what}`), by: name });
    const payload = sourcesOf([result, ...given.map(allOf)]).filter(({ kind }) => kind === 'credential');
    if (sendsBy.test(name) && payload.length > 0)
      trace.add(unit, 'send', line, { target: result.url ?? nothing, payload, by: name });
  }
}

/** Names of methods that give something to somebody else, whatever they belong to. */
const sendsBy = /(?:^|\.)(?:upload|send|publish|transmit|submit|post)\w*$/i;
/** Names of functions that look at a path, and not at what lies there. */
const looksAt =
  /(?:^|\.)(?:exists\w*|is_?file|is_?dir|lstat|stat\w*|access\w*|chmod\w*|mkdir\w*|makedirs|ensure\w*|startswith|endswith|startsWith|endsWith|includes|indexOf|has|add_argument|option|log|info|warn|warning|error|debug|print|write|test|match|search|compile|push|append|add|equal\w*|\w*Equal\w*|toBe|relative|basename|dirname|normpath|ignore)$/;

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The name without the detours that lead to it. */
function plainName(name: string): string {
  return name
    .replace(/^(?:globalThis|window|global|self|__builtins__|builtins|process\.mainModule|module|globals)\./, '')
    .replace(/\.(?:call|apply|bind)$/, '')
    .replace(/^node:/, '')
    .replace(/^fs\.promises\.|^fs\/promises\./, 'fs.');
}

/** A function of which nothing is known gives something made of all that it was given; of a path, what lies there. */
function asUnknown({ self, args, named, name }: Called): Thing {
  const paths = [...args, ...named.values()].filter(
    ({ text, call }) => call === undefined && !looksAt.test(name) && isKeys(text),
  );
  const given: Thing[] = [self, ...args, ...named.values(), ...paths.map(({ text }) => sourced('credential', text))];
  return {
    ...madeOf(...given, ...given.flatMap(({ items, fields }) => [...(items ?? []), ...(fields?.values() ?? [])])),
    ...(name !== '' && { name: `${name}()` }),
    ...(self.path && { path: self.path }),
    ...(self.url && { url: self.url }),
  };
}

/** Whether keys, wallets or the like lie at a path. */
export function isKeys(text: string): boolean {
  return looksLikePath(text) && /^(?:keys|treasure)$/.test(credentialAt(text)?.worth ?? '');
}

/** A member of a thing. */
export function memberOf(object: Thing, key: string): Thing {
  const field = object.fields?.get(key);
  if (field !== undefined) return field;
  const index = Number(key);
  if (object.items !== undefined && key !== '' && Number.isInteger(index)) return object.items.at(index) ?? nothing;
  return {
    text: hole,
    from: object.from,
    name: object.name === undefined ? `?.${key}` : `${object.name}.${key}`,
    ...(object.path && { path: object.path }),
    ...(object.url && { url: object.url }),
  };
}

/** The content of a thing: of a list or an object, what its parts hold. */
export function allOf(thing: Thing): Value {
  const parts = [...(thing.items ?? []), ...(thing.fields?.values() ?? [])];
  return parts.length === 0 ? thing : { text: thing.text, from: sourcesOf([thing, ...parts.map(allOf)]) };
}

export function listOf(items: readonly Thing[]): Thing {
  return { text: hole, from: sourcesOf(items), items };
}

export function added(left: Thing, right: Thing): Thing {
  if (left.number !== undefined && right.number !== undefined) return numberOf(left.number + right.number);
  if (left.items !== undefined && right.items !== undefined) return listOf([...left.items, ...right.items]);
  return joined([left, right]);
}

export function numberOf(number: number): Thing {
  return { text: String(number), from: [], number };
}

const arithmetic: Readonly<Record<string, (a: number, b: number) => number>> = {
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '^': (a, b) => a ^ b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '%': (a, b) => a % b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '//': (a, b) => Math.floor(a / b),
  '/': (a, b) => a / b,
};

/** The result of an operator other than addition. */
export function computed(operator: string, left: Thing, right: Thing): Thing {
  const compute = own(arithmetic, operator);
  if (compute === undefined || left.number === undefined || right.number === undefined) return madeOf(left, right);
  return { ...numberOf(compute(left.number, right.number)), from: sourcesOf([left, right]) };
}

/** The elements of a thing that is gone through one by one. */
export function elementsOf(thing: Thing): readonly Thing[] | undefined {
  if (thing.items !== undefined) return thing.items;
  if (thing.text.includes(hole) || thing.text.length > 20_000) return undefined;
  return Array.from(thing.text).map((text) => ({ text, from: thing.from, number: text.codePointAt(0) ?? 0 }));
}

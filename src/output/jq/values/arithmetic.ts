import type { BinaryOperator } from '../parse/syntax.ts';
import type { Budget } from './budget.ts';
import { compare, isEqual } from './compare.ts';
import { JqFailure, named } from './failure.ts';
import { isList, isMap, isNumber, type ObjectValue, type Value } from './value.ts';

type Operation = (left: Value, right: Value, budget: Budget) => Value;

export const operations: Readonly<Record<BinaryOperator, Operation>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '%': remainder,
  '==': (left, right, budget) => isEqual(left, right, budget),
  '!=': (left, right, budget) => !isEqual(left, right, budget),
  '<': (left, right, budget) => compare(left, right, budget) < 0,
  '<=': (left, right, budget) => compare(left, right, budget) <= 0,
  '>': (left, right, budget) => compare(left, right, budget) > 0,
  '>=': (left, right, budget) => compare(left, right, budget) >= 0,
};

function add(left: Value, right: Value, budget: Budget): Value {
  if (left === null) return right;
  if (right === null) return left;
  if (isNumber(left) && isNumber(right)) return Number(left) + Number(right);
  if (typeof left === 'string' && typeof right === 'string') return joined(left, right, budget);
  if (isList(left) && isList(right)) {
    budget.spend((left.length + right.length) / 8);
    return [...left, ...right];
  }
  if (isMap(left) && isMap(right)) {
    budget.spend(left.size + right.size);
    return new Map([...left, ...right]);
  }
  throw cannot(left, right, 'added');
}

function joined(left: string, right: string, budget: Budget): string {
  budget.spendText(left.length + right.length);
  return left + right;
}

function subtract(left: Value, right: Value, budget: Budget): Value {
  if (isNumber(left) && isNumber(right)) return Number(left) - Number(right);
  if (isList(left) && isList(right)) {
    return left.filter((item) => !right.some((other) => isEqual(item, other, budget)));
  }
  throw cannot(left, right, 'subtracted');
}

function multiply(left: Value, right: Value, budget: Budget): Value {
  if (isNumber(left) && isNumber(right)) return Number(left) * Number(right);
  if (typeof left === 'string' && isNumber(right)) return repeat(left, Number(right), budget);
  if (isNumber(left) && typeof right === 'string') return repeat(right, Number(left), budget);
  if (isMap(left) && isMap(right)) return merge(left, right, budget);
  throw cannot(left, right, 'multiplied');
}

function repeat(text: string, times: number, budget: Budget): Value {
  if (!(times > 0)) return null;
  const whole = times < 1 ? 1 : Math.floor(times);
  budget.spendText(text.length * whole);
  return text.repeat(whole);
}

/** Objects within objects are merged, all else is replaced. */
function merge(left: ObjectValue, right: ObjectValue, budget: Budget): ObjectValue {
  budget.spend(left.size + right.size);
  const merged = new Map(left);
  for (const [key, value] of right) {
    const held = merged.get(key) ?? null;
    merged.set(key, isMap(held) && isMap(value) ? merge(held, value, budget) : value);
  }
  return merged;
}

function divide(left: Value, right: Value, budget: Budget): Value {
  if (isNumber(left) && isNumber(right)) {
    if (Number(right) === 0) throw cannot(left, right, 'divided because the divisor is zero');
    return Number(left) / Number(right);
  }
  if (typeof left === 'string' && typeof right === 'string') return splitText(left, right, budget);
  throw cannot(left, right, 'divided');
}

export function splitText(text: string, by: string, budget: Budget): string[] {
  budget.spendText(text.length);
  if (text === '') return [];
  return by === '' ? Array.from(text) : text.split(by);
}

/** Of whole numbers: the parts after the point are left out first, and the sign is that of the left. */
function remainder(left: Value, right: Value): Value {
  if (!isNumber(left) || !isNumber(right)) throw cannot(left, right, 'divided');
  const [over, under] = [Number(left), Number(right)];
  if (Number.isNaN(over) || Number.isNaN(under)) return Number.NaN;
  const divisor = Math.abs(Math.trunc(under));
  if (divisor === 0) throw cannot(left, right, 'divided because the divisor is zero');
  return Math.trunc(over) % divisor;
}

function cannot(left: Value, right: Value, what: string): JqFailure {
  return new JqFailure(`${named(left)} and ${named(right)} cannot be ${what}`);
}

export function negate(value: Value): Value {
  if (!isNumber(value)) throw new JqFailure(`${named(value)} cannot be negated`);
  return typeof value === 'bigint' ? -value : -value;
}

/** All items added up: in one go where they are all lists, for adding one by one copies the sum each time. */
export function addAll(items: Iterable<Value>, budget: Budget): Value {
  const all = [...items];
  budget.spend(all.length);
  if (all.length > 2 && all.every(isList)) {
    const flat = all.flat() as Value[];
    budget.spend(flat.length);
    return flat;
  }
  if (all.length > 2 && all.every((item) => typeof item === 'string')) {
    const text = all.join('');
    budget.spendText(text.length);
    return text;
  }
  if (all.length > 2 && all.every(isMap)) return new Map(all.flatMap((item) => [...item]));
  return all.reduce<Value>((sum, item) => add(sum, item, budget), null);
}

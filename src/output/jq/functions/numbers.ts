import type { ValueFunction } from '../values/at.ts';
import { JqFailure, named } from '../values/failure.ts';
import { isNumber, type Value } from '../values/value.ts';

const ofOne: Readonly<Record<string, (number: number) => number>> = {
  floor: Math.floor,
  ceil: Math.ceil,
  // Away from zero where it is half way, unlike the function of the language.
  round: (number) => Math.sign(number) * Math.round(Math.abs(number)),
  trunc: Math.trunc,
  sqrt: Math.sqrt,
  fabs: Math.abs,
  exp: Math.exp,
  exp2: (number) => 2 ** number,
  exp10: (number) => 10 ** number,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  sin: Math.sin,
  cos: Math.cos,
};

const ofTwo: Readonly<Record<string, (first: number, second: number) => number>> = {
  pow: (first, second) => first ** second,
  fmin: Math.min,
  fmax: Math.max,
};

/** Functions of numbers. */
export const numberFunctions: Readonly<Record<string, ValueFunction>> = {
  ...Object.fromEntries(
    Object.entries(ofOne).map(([name, work]): [string, ValueFunction] => [
      `${name}/0`,
      (input) => work(numberOf(input)),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(ofTwo).map(([name, work]): [string, ValueFunction] => [
      `${name}/2`,
      (_, [first, second]) => work(numberOf(first ?? null), numberOf(second ?? null)),
    ]),
  ),
  'abs/0': (input) => {
    if (!isNumber(input)) throw new JqFailure(`${named(input)} has no absolute value`);
    return input < 0 ? -input : input;
  },
  'infinite/0': () => Number.POSITIVE_INFINITY,
  'nan/0': () => Number.NaN,
  'isnan/0': (input) => Number.isNaN(numberOf(input)),
  'isinfinite/0': (input) => Math.abs(numberOf(input)) === Number.POSITIVE_INFINITY,
  'isnormal/0': (input) => {
    const size = Math.abs(numberOf(input));
    return size >= 2 ** -1022 && size < Number.POSITIVE_INFINITY;
  },
};

function numberOf(value: Value): number {
  if (!isNumber(value)) throw new JqFailure(`${named(value)} number required`);
  return Number(value);
}

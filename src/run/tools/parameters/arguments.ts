import { join } from 'node:path';
import { SkillError } from '../../../core/errors.ts';
import type { Slot } from '../types.ts';
import { splitWords } from '../words.ts';

/** Parameters that were checked. */
type Values = Readonly<Record<string, unknown>>;

/** Limits of arguments: Linux takes none of 128 KiB or more, and some 2 MiB in all, the environment included. */
export const argumentLimits = { bytes: 128 * 1024 - 1, allBytes: 1024 * 1024 } as const;

/**
 * The arguments of a call, the program first where the command has one. A value is one argument, and an item of a list
 * is: never read by a shell, and refused where a program could take it for an option. Throws where a value cannot be passed.
 * Files of the skill are given below the folder in which the run sees it, and times as seen from now, in milliseconds.
 */
export function argumentsFor(
  slots: readonly Slot[],
  values: Values,
  skillFolder = '',
  now: number = Date.now(),
): string[] {
  const list = slots.flatMap((slot) => {
    if (slot.parameter === null) return [slot.isFile ? join(skillFolder, slot.before) : slot.before];
    const value = Object.hasOwn(values, slot.parameter) ? values[slot.parameter] : undefined;
    if (slot.isSwitch) return value === true ? [slot.before] : [];
    const around = slot.more === undefined ? slot : { ...slot, after: slot.after + behind(slot.more, values) };
    const items = itemsOf(partsOf(slot, value)).map((item) => (slot.isTime ? secondsOf(item, now) : item));
    return items.flatMap((item) => argumentOf(around, slot.parameter ?? '', item));
  });
  const bytes = list.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 1, 0);
  if (bytes > argumentLimits.allBytes) {
    const hint = 'Give less, or give it on standard input where the tool takes that.';
    throw new SkillError('usage', `the arguments are longer than ${argumentLimits.allBytes} bytes together`, { hint });
  }
  return list;
}

/** The list that a text stands for, where the tool takes one either way. A list is taken as it is. */
function partsOf({ parts, parameter }: Slot, value: unknown): unknown {
  if (parts === undefined || typeof value !== 'string') return value;
  if (parts === 'commas') return value.split(',').map((part) => part.trim());
  const words = splitWords(value, 'caller');
  if (words.ok) return words.value;
  throw new SkillError('usage', `${parameter}: ${words.message}`, { hint: `${words.remedy} Or give a list of words.` });
}

const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** The seconds since 1970 that `now` or a time before it, such as `-1h`, means; any other value is left alone. */
function secondsOf(value: unknown, now: number): unknown {
  const match = /^(?:now|-(\d+)([smhdw]))$/.exec(textOf(value));
  if (match === null) return value;
  const [, number = '0', unit = 's'] = match;
  return Math.floor(now / 1000) - Number(number) * (secondsIn[unit] ?? 1);
}

function behind(more: NonNullable<Slot['more']>, values: Values): string {
  const texts = more.map(({ before, parameter }) => {
    const value = Object.hasOwn(values, parameter) ? values[parameter] : undefined;
    return value === undefined || value === null ? '' : before + textOf(value);
  });
  return texts.join('');
}

function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** The words for a value that is not passed on as it is: a switch, or one that the program has another spelling for. */
function spellingOf({ spellings, orSwitch, flag }: Slot, text: string): string[] | undefined {
  if (orSwitch && flag !== null && (text === 'true' || text === 'false')) return text === 'true' ? [flag] : [];
  if (spellings === undefined || !Object.hasOwn(spellings, text)) return undefined;
  return (spellings[text] ?? '').split(' ').filter((word) => word !== '');
}

function argumentOf(slot: Slot, name: string, value: unknown): string[] {
  const text = textOf(value);
  const spelled = spellingOf(slot, text);
  if (spelled !== undefined) return spelled;
  if (text.includes('\0')) {
    throw new SkillError('usage', `${name}: a value must not contain a NUL character`, { hint: 'Remove it.' });
  }
  if (!text.isWellFormed()) {
    throw new SkillError('usage', `${name}: half of a surrogate pair, which is not valid text`, {
      hint: 'Give whole characters.',
    });
  }
  // Behind its own option and an equals sign, a value is one whatever it begins with.
  const isJoined = slot.orSwitch === true && slot.flag?.startsWith('--') === true && text.startsWith('-');
  if (!isJoined && slot.positional && text.startsWith('-') && !(slot.flag !== null && typeof value === 'number')) {
    throw new SkillError('usage', `${name}: a value that begins with "-" could be taken for an option`, {
      hint: `Give it another beginning, such as "./". The skill's author can allow it with "--" or --${name}={${name}} in the command.`,
    });
  }
  const argument = slot.before + text + slot.after;
  if (Buffer.byteLength(argument) > argumentLimits.bytes) {
    throw new SkillError('usage', `${name}: longer than the ${argumentLimits.bytes} bytes that an argument may have`, {
      hint: 'Give less, or give it on standard input where the tool takes that.',
    });
  }
  if (isJoined) return [`${slot.flag}=${argument}`];
  return slot.flag === null ? [argument] : [slot.flag, argument];
}

/** The text of a value: texts as they are, whole numbers with all their digits, everything else as JSON has it. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : JSON.stringify(value);
}

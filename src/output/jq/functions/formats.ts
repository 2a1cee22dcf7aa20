import type { Budget } from '../values/budget.ts';
import { JqFailure, named } from '../values/failure.ts';
import { isList, type Value } from '../values/value.ts';
import { writeJson } from '../values/write.ts';

type Format = (value: Value, budget: Budget) => string;

const table = new Map<string, Format>([
  ['text', toText],
  ['json', (value, budget) => writeJson(value, 'compact', budget)],
  ['csv', (value, budget) => row(value, 'csv', ',', csvText, budget)],
  ['tsv', (value, budget) => row(value, 'tsv', '\t', tsvText, budget)],
  ['html', (value, budget) => toText(value, budget).replace(/[<>&'"]/g, (letter) => entities[letter] ?? letter)],
  ['uri', (value, budget) => encodeURIComponent(toText(value, budget).toWellFormed()).replace(/[!'()*]/g, percent)],
  ['sh', shellWords],
  ['base64', (value, budget) => Buffer.from(toText(value, budget)).toString('base64')],
  ['base64d', (value, budget) => decode(toText(value, budget))],
]);

/** The names that stand after an `@`. */
export const formatNames: readonly string[] = [...table.keys()];

/** What `@name` makes of a value. */
export function formats(name: string, value: Value, budget: Budget): string {
  const text = (table.get(name) ?? toText)(value, budget);
  budget.spendText(text.length);
  return text;
}

/** A text as it is, anything else as JSON. */
export function toText(value: Value, budget: Budget): string {
  return typeof value === 'string' ? value : writeJson(value, 'compact', budget);
}

const entities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  "'": '&#39;',
  '"': '&quot;',
};

function percent(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}

function row(value: Value, name: string, by: string, quote: (text: string) => string, budget: Budget): string {
  if (!isList(value)) throw new JqFailure(`${named(value)} cannot be ${name}-formatted, only an array can be`);
  const cells = value.map((cell) => {
    if (cell === null) return '';
    if (typeof cell === 'string') return quote(cell);
    if (typeof cell === 'object') throw new JqFailure(`${named(cell)} is not valid in a ${name} row`);
    return toText(cell, budget);
  });
  return cells.join(by);
}

function csvText(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

const tsvEscapes: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r', '\n': '\\n', '\\': '\\\\' };

function tsvText(text: string): string {
  return text.replace(/[\t\r\n\\]/g, (letter) => tsvEscapes[letter] ?? letter);
}

function shellWords(value: Value, budget: Budget): string {
  const words = (isList(value) ? value : [value]).map((word) => {
    if (word !== null && typeof word === 'object') throw new JqFailure(`${named(word)} can not be escaped for shell`);
    return typeof word === 'string' ? `'${word.replaceAll("'", "'\\''")}'` : toText(word, budget);
  });
  return words.join(' ');
}

function decode(text: string): string {
  const bare = text.replace(/=+$/, '');
  if (!/^[\w+/-]*$/.test(bare) || (bare.length % 4 === 1 && bare !== '')) {
    throw new JqFailure(`${named(text)} is not valid base64 data`);
  }
  return Buffer.from(bare, 'base64').toString();
}

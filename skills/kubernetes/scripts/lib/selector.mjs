import { UserError } from './snapshot.mjs';
import { line, own } from './values.mjs';

const equal = /^\s*([\w./-]+)\s*(==|=|!=)\s*([\w.-]*)\s*$/;
const among = /^\s*([\w./-]+)\s+(in|notin)\s+\(([^()]*)\)\s*$/;
const there = /^\s*(!?)\s*([\w./-]+)\s*$/;

/** A label selector as kubectl has it: `app=web,tier!=db,env in (a, b),!canary`. */
export function selectorOf(written) {
  if (written.trim() === '') return () => true;
  // Commas inside of brackets belong to the list.
  const parts = written.split(/,(?![^()]*\))/).map(requirementOf);
  return (labels) => parts.every((isMet) => isMet(labels));
}

function requirementOf(part) {
  const [, key, sign, value] = equal.exec(part) ?? [];
  if (key !== undefined) return (labels) => (own(labels, key) === value) === (sign !== '!=');
  const [, listed, word, values] = among.exec(part) ?? [];
  if (listed !== undefined) {
    const wanted = new Set(values.split(',').map((one) => one.trim()));
    return (labels) => wanted.has(own(labels, listed)) === (word === 'in');
  }
  const [, not, present] = there.exec(part) ?? [];
  if (present !== undefined) return (labels) => (own(labels, present) !== undefined) === (not === '');
  throw new UserError(`"${line(part, 80)}" is no label selector. Write app=web, tier!=db, env in (a,b), key or !key`);
}

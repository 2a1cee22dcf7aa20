import type { Target } from './tree.ts';

const scheme = /^[a-z][a-z0-9+.-]*:/i;
const allowed = /^(?:https?|mailto):/i;
// A browser drops some of these before it looks for a scheme, so that a text with one may mean another address.
const controls = /[\u0000-\u001f\u007f-\u009f]/;
const longest = 4000;

/** Decides where a link in a file of a skill leads. One that is not known to be harmless leads nowhere. */
export function targetOf(written: string, from: string): Target {
  const address = written.trim();
  const nowhere: Target = { kind: 'nowhere', address: address.slice(0, longest) };
  if (address === '' || address.length > longest || controls.test(address)) return nowhere;
  if (scheme.test(address)) return outsideOf(address) ?? nowhere;
  if (address.startsWith('#')) return { kind: 'anchor', anchor: decoded(address.slice(1)) ?? address.slice(1) };
  return fileOf(address, from) ?? nowhere;
}

function outsideOf(address: string): Target | null {
  if (!allowed.test(address) || !URL.canParse(address)) return null;
  const { href, protocol } = new URL(address);
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? { kind: 'outside', href } : null;
}

function fileOf(address: string, from: string): Target | null {
  const [, written = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(address) ?? [];
  if (written === '' || written.startsWith('/') || written.endsWith('/')) return null;
  const path = pathFrom(from, written.split('/').map(decoded));
  return path === null ? null : { kind: 'file', path, anchor: decoded(fragment) ?? fragment };
}

/** A path below the skill's folder, or null where it leads out of it. */
function pathFrom(from: string, steps: readonly (string | null)[]): string | null {
  const parts = from.split('/').slice(0, -1);
  for (const step of steps) {
    if (step === null || /[/\\]/.test(step) || controls.test(step)) return null;
    if (step === '..' && parts.pop() === undefined) return null;
    if (step !== '..' && step !== '.' && step !== '') parts.push(step);
  }
  return parts.length === 0 ? null : parts.join('/');
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The id of a heading in links, as most Markdown renderers make it. */
export function slugOf(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

import { oneLine } from '../../kernel/text.ts';
import type { Finding } from './finding.ts';
import type { Field } from './strict.ts';

/** The fields that the format defines. A strict reader refuses every other. */
export const specFields: readonly string[] = [
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
];

const claude = ['Claude Code'];

/** Fields that clients have added, and which clients. */
const clientFields: Readonly<Record<string, readonly string[]>> = {
  when_to_use: claude,
  'argument-hint': claude,
  arguments: claude,
  'disable-model-invocation': ['Claude Code', 'Cursor', 'OpenClaw', 'pi'],
  'user-invocable': ['Claude Code', 'OpenClaw'],
  'disallowed-tools': claude,
  model: claude,
  effort: claude,
  context: claude,
  agent: claude,
  background: claude,
  hooks: claude,
  paths: claude,
  shell: claude,
  'command-dispatch': ['OpenClaw'],
  'command-tool': ['OpenClaw'],
};

/** A field outside of the six: a misspelt one, a client's own, or data that has its place in `metadata`. */
export function unknownField({ key, at }: Field): Finding {
  const code = 'rule-unknown-field';
  const shown = oneLine(key);
  const meant = specFields.find((field) => bare(field) === bare(key));
  if (meant !== undefined) {
    return { code, message: `"${shown}" is not a field of the format`, remedy: `Write ${meant} instead.`, at };
  }
  const clients = Object.hasOwn(clientFields, key) ? clientFields[key] : undefined;
  if (clients !== undefined) {
    const message = `"${shown}" is not a field of the format; it is one of ${clients.join(', ')}`;
    const remedy = 'Keep it if the skill is for that client alone; strict readers refuse the skill because of it.';
    return { code, message, remedy, at };
  }
  const message = `"${shown}" is not a field of the format`;
  return { code, message, remedy: 'Move it below metadata:, where any name with a text value is allowed.', at };
}

function bare(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, '');
}

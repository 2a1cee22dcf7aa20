import { isObject, readToml } from '../kernel/documents.ts';
import type { Environment } from '../kernel/environment.ts';
import { SkillError } from '../kernel/errors.ts';
import { statOf } from '../kernel/files.ts';
import { shown } from '../kernel/parsed.ts';
import { type KeyPath, lineOfKey } from '../kernel/toml-lines.ts';
import { type PolicyKey, policyTables } from './operator-keys.ts';
import type { OperatorPolicy } from './types.ts';

/** What one policy file says. What it does not speak of is not there. */
export interface PolicyFile extends Partial<Omit<OperatorPolicy, 'file' | 'defaults' | 'ceilings'>> {
  readonly file: string;
  readonly defaults: Partial<OperatorPolicy['defaults']>;
  readonly ceilings: Partial<OperatorPolicy['ceilings']>;
}

/** Into which part of the policy the keys of a table go; the others go to the top. */
const parts: Readonly<Record<string, 'defaults' | 'ceilings'>> = { limits: 'defaults', ceilings: 'ceilings' };

/** Reads a policy file; null where there is none. Whatever is wrong with it is an error: nothing is then allowed. */
export async function readPolicyFile(file: string, environment: Environment): Promise<PolicyFile | null> {
  const document = await readToml(file);
  if (document.kind === 'absent') return null;
  if (document.kind === 'invalid') {
    const line = document.at === undefined ? '' : `:${document.at.line}:${document.at.column}`;
    throw new SkillError('config', `${file}${line}: ${document.message}`, { hint: 'Correct the policy file.' });
  }
  refuseForeign(file, environment);
  const fail: Fail = (path, message, hint) => {
    const line = lineOfKey(document.text, path);
    throw new SkillError('config', `${file}${line === null ? '' : `:${line}`}: ${message}`, { hint });
  };
  const policy: Record<string, unknown> = {};
  const limits: Record<string, Record<string, unknown>> = { defaults: {}, ceilings: {} };
  for (const { path, key, value } of entriesOf(document.value, fail)) {
    const read = key.read(value, environment);
    if (!read.ok) {
      const at = read.item === undefined ? path : [...path, read.item];
      return fail(at, `${path.join('.')}: ${read.message}`, read.remedy);
    }
    const part = limits[parts[String(path[0])] ?? ''];
    (part ?? policy)[key.field] = read.value;
  }
  return { ...policy, ...limits, file } as PolicyFile;
}

interface Entry {
  readonly path: KeyPath;
  readonly key: PolicyKey;
  readonly value: unknown;
}

type Fail = (path: KeyPath, message: string, hint: string) => never;

/** All keys of the file, with the meaning of each; the first that has none is an error. */
function entriesOf(document: unknown, fail: Fail): Entry[] {
  return Object.entries(isObject(document) ? document : {}).flatMap(([table, content]) => {
    const keys = Object.hasOwn(policyTables, table) ? policyTables[table] : undefined;
    if (keys === undefined) {
      return fail([table], `unknown key ${shown(table)}`, `Known tables: [${Object.keys(policyTables).join('], [')}].`);
    }
    if (!isObject(content)) return fail([table], `${table} must be a table`, `Write [${table}] on a line of its own.`);
    return Object.entries(content).map(([name, value]) => {
      const path = [table, name];
      const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
      const known = `Known keys of [${table}]: ${Object.keys(keys).join(', ')}.`;
      return key === undefined ? fail(path, `unknown key ${shown(path.join('.'))}`, known) : { path, key, value };
    });
  });
}

/** Who can write the policy decides what is allowed; that cannot be everybody. */
function refuseForeign(file: string, { platform }: Environment): void {
  const stats = statOf(file);
  if (platform === 'win32' || !stats.ok || (stats.value.mode & 0o002) === 0) return;
  throw new SkillError('config', `${file}: everyone can write to it`, { hint: `Run: chmod o-w ${file}` });
}

import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { configFolder } from '../../../core/disk/own-folders.ts';
import { packageBeside } from '../../../core/disk/package-file.ts';
import type { Environment } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import { isObject, type JsonObject, readToml, textOf } from '../../../core/formats/documents.ts';

/** The skill that a secret is for, and the person or program on whose behalf it runs, where a token has named one. */
export interface Owner {
  readonly skill: string;
  readonly subject?: string | undefined;
}

/** Sources of secrets, in the order they are asked: those of a person are for nobody else. */
const sources = [fromOwnFile, fromFile, fromKeyring, fromEnvironment] as const;

/** Minimum length of a secret: a shorter one would occur in any text by chance, and could not be redacted. */
const shortest = 4;

/** Reads the secrets that a run may have, and no others. */
export async function secretsFor(
  environment: Environment,
  owner: Owner,
  names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const name of names) found[name] = await secretNamed(environment, owner, name);
  return found;
}

/** Reads the secrets that can be found, to keep them out of the record of a refused call. */
export async function secretsToHide(
  environment: Environment,
  owner: Owner,
  names: readonly string[],
): Promise<readonly string[]> {
  const found = names.map((name) => secretNamed(environment, owner, name).catch(() => undefined));
  return (await Promise.all(found)).filter((value) => value !== undefined);
}

async function secretNamed(environment: Environment, owner: Owner, name: string): Promise<string> {
  for (const source of sources) {
    const value = await source(environment, owner, name);
    if (value === undefined) continue;
    if (value.length >= shortest) return value;
    throw new SkillError('denied', `the secret ${name} is shorter than ${shortest} characters`, {
      hint: 'Such a short secret cannot be redacted from output; use a longer one.',
    });
  }
  throw new SkillError('denied', `the secret ${name} of skill '${owner.skill}' is not set`, {
    hint: `Write ${name} = "…" into ${secretsFile(environment)} (mode 600), or set it in the environment.`,
  });
}

function secretsFile(environment: Environment): string {
  return join(configFolder(environment), 'secrets.toml');
}

/** Reads a secret of the person on whose behalf a skill runs. */
async function fromOwnFile(environment: Environment, { skill, subject }: Owner, name: string) {
  if (subject === undefined) return undefined;
  const all = await tableIn(join(configFolder(environment), 'user-secrets.toml'));
  const own = Object.hasOwn(all, subject) ? all[subject] : undefined;
  return isObject(own) ? secretIn(own, skill, name) : undefined;
}

/** Reads a secret of the machine. */
async function fromFile(environment: Environment, { skill }: Owner, name: string): Promise<string | undefined> {
  return secretIn(await tableIn(secretsFile(environment)), skill, name);
}

/** The tables of a file that others cannot read; none where there is no file. */
async function tableIn(file: string): Promise<JsonObject> {
  const read = await readToml(file);
  if (read.kind === 'absent') return {};
  if (read.kind === 'invalid') throw new SkillError('config', `${file}: ${read.message}`);
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new SkillError('denied', `${file} can be read by others`, { hint: `Make it private: chmod 600 ${file}` });
  }
  return isObject(read.value) ? read.value : {};
}

/** The secret in a table; a skill's own section comes before what is for all. */
function secretIn(table: JsonObject, skill: string, name: string): string | undefined {
  const own = Object.hasOwn(table, skill) ? table[skill] : undefined;
  const inOwn = isObject(own) && Object.hasOwn(own, name) ? textOf(own[name]) : undefined;
  return inOwn ?? (Object.hasOwn(table, name) ? textOf(table[name]) : undefined);
}

interface Keyring {
  readonly Entry: new (service: string, account: string) => { getPassword(): string | null };
}

/** Reads a secret from the system keyring, where the package that speaks to it is installed beside us. */
function fromKeyring(_: Environment, { skill }: Owner, name: string): string | undefined {
  const keyring = loadKeyring();
  if (keyring === undefined) return undefined;
  for (const account of [`${skill}/${name}`, name]) {
    try {
      const value = new keyring.Entry('repertoire', account).getPassword();
      if (value !== null && value !== '') return value;
    } catch {
      return undefined; // no keyring answers here, as on most servers
    }
  }
  return undefined;
}

let known: Keyring | null | undefined;

function loadKeyring(): Keyring | undefined {
  if (known === undefined) {
    try {
      const entry = packageBeside('@napi-rs/keyring');
      known = entry === undefined ? null : (createRequire(entry)(entry) as Keyring);
    } catch {
      known = null;
    }
  }
  return known ?? undefined;
}

function fromEnvironment(environment: Environment, _owner: Owner, name: string): string | undefined {
  return environment.env[name] || undefined;
}

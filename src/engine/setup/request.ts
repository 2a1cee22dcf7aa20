import { resolve } from 'node:path';
import type { Remote, Scope } from '../../agents/setup/agents/types.ts';
import type { Configuration } from '../../core/config/layers.ts';
import { commonSettings, noteSettings, searchSettings, settings } from '../../core/config/settings.ts';
import { isThere } from '../../core/disk/files.ts';
import { type Environment, variable } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { projectPaths } from '../../discovery/roots.ts';

const tokenVariable = 'REPERTOIRE_TOKEN';

/** Default name of our entry. */
export const usualName = 'repertoire';

export function checkScope({ global, project }: { readonly global: boolean; readonly project: boolean }): Scope {
  if (global && project) throw new SkillError('usage', 'choose one of --global and --project');
  return project ? 'project' : 'global';
}

/** Checks the name of our entry: some agents put it before each tool's name, and count both together. */
export function checkedName(name: string): string {
  if (/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(name)) return name;
  throw new SkillError('usage', `--name must be a letter and up to 31 letters, digits, - or _, not '${name}'`);
}

/** The server at an address. If only a host is named, it answers at `/mcp`. */
export function remoteFor(address: string | undefined, environment: Environment): Remote | null {
  if (address === undefined) return null;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    // The part before an @ may be a password.
    const given = address.replace(/^.*@/s, '…@');
    throw new SkillError('usage', `--http needs an address such as http://127.0.0.1:3000/mcp, not '${given}'`);
  }
  if (url.username !== '' || url.password !== '') {
    const hint = `Leave it out and set ${tokenVariable}: the files then name the variable.`;
    throw new SkillError('usage', '--http takes no password in the address, since it would be written to files', {
      hint,
    });
  }
  if (url.pathname === '/') url.pathname = '/mcp';
  url.hash = '';
  return { url: url.href, tokenVariable: variable(environment, tokenVariable) === undefined ? null : tokenVariable };
}

/** Options given to us that are meant for the server: which skills it sees, how it searches, what it records. */
export function writtenOptions(configuration: Configuration, environment: Environment): readonly string[] {
  return [...commonSettings, ...searchSettings, ...noteSettings].flatMap((name) => {
    const { option, isPath, schema } = settings[name];
    if (option === null || configuration.origins[name].from !== 'option') return [];
    if (schema.kind === 'flag') return [`--${option}`];
    const values = [configuration.values[name]].flat().map(String);
    if (name === 'root') return values.flatMap((value) => [`--${option}`, rootPath(value, environment)]);
    return values.flatMap((value) => [`--${option}`, isPath ? resolve(environment.cwd, value) : value]);
  });
}

/** The folder that a path relative to the project's root means here. */
function rootPath(value: string, environment: Environment): string {
  const paths = projectPaths(value, environment);
  return paths.find(isThere) ?? paths.at(-1) ?? value;
}

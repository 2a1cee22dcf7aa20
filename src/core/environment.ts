import { isAbsolute, resolve } from 'node:path';
import { reasonOf, SkillError } from './errors.ts';

/** The outside world as the program sees it. Passed in everywhere, so that a test is a value and not a mock. */
export interface Environment {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Machine-wide configuration; a field so that tests need not write to the real one. */
  readonly systemDir: string;
  /** Folders in which a project's files are read, no matter who owns them. */
  readonly trustedProjects?: readonly string[];
  /** The folder with the catalogue of a cluster whose workers run the tools in it. */
  readonly handedOver?: string | undefined;
}

export function hostEnvironment(overrides: Partial<Environment> = {}): Environment {
  return {
    cwd: overrides.cwd === undefined ? workingFolder() : resolve(overrides.cwd),
    home: overrides.home === undefined ? homeFolder() : resolve(overrides.home),
    env: overrides.env ?? process.env,
    platform: overrides.platform ?? process.platform,
    systemDir: overrides.systemDir ?? '/etc',
  };
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    const hint = 'It may have been deleted; change to another directory.';
    throw new SkillError('unreadable', `the working directory does not exist (${reasonOf(error)})`, { hint });
  }
}

/**
 * Returns the home folder. A relative HOME would mean another folder in each working folder, so the system's own record
 * is used instead, as when HOME is not set. A user without a home, as in some containers, has no skills in it either.
 */
function homeFolder(): string {
  const given = process.env['HOME'];
  if (given !== undefined && isAbsolute(given)) return given.replace(/(.)\/+$/, '$1');
  try {
    const { homedir, userInfo } = process.getBuiltinModule('node:os');
    return process.platform === 'win32' ? homedir() : userInfo().homedir;
  } catch {
    return '/nonexistent';
  }
}

/** Returns an environment variable, with the empty string meaning "not set", as the XDG specification has it. */
export function variable(environment: Environment, name: string): string | undefined {
  const value = environment.env[name];
  return value === undefined || value === '' ? undefined : value;
}

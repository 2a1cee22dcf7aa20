import { homedir } from 'node:os';

/** What the outside world looks like. Passed in everywhere, so that a test is a value and not a mock. */
export interface Environment {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Machine-wide configuration; a field so that tests need not write to the real one. */
  readonly systemDir: string;
}

export function hostEnvironment(overrides: Partial<Environment> = {}): Environment {
  return {
    cwd: overrides.cwd ?? process.cwd(),
    home: overrides.home ?? homedir(),
    env: overrides.env ?? process.env,
    platform: overrides.platform ?? process.platform,
    systemDir: overrides.systemDir ?? '/etc',
  };
}

/** An environment variable, with the empty string meaning "not set", as the XDG specification has it. */
export function variable(environment: Environment, name: string): string | undefined {
  const value = environment.env[name];
  return value === undefined || value === '' ? undefined : value;
}

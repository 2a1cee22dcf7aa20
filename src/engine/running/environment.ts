import type { Environment } from '../../kernel/environment.ts';
import { scratchTarget } from '../../sandbox/types.ts';

/** What every run has in its environment, whatever it is granted. */
const base = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  HOME: scratchTarget,
  TMPDIR: scratchTarget,
} as const;

export interface EnvironmentParts {
  readonly host: Environment;
  /** Plain values that the manifest sets, weakest first. */
  readonly set: readonly Readonly<Record<string, string>>[];
  /** Variables of the host that were granted. */
  readonly granted: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
  readonly skill: string;
  /** Where the run sees the folder of its skill. */
  readonly seenAt: string;
  readonly tool: string;
  readonly id: string;
}

/** The whole environment of a run: nothing of the host's gets in that is not named. */
export function environmentFor({ host, set, granted, secrets, ...run }: EnvironmentParts): Record<string, string> {
  const inherited = granted.flatMap((name) => {
    const value = host.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.assign({}, ...set),
    ...Object.fromEntries(inherited),
    ...secrets,
    ...base,
    SKILL_NAME: run.skill,
    SKILL_DIR: run.seenAt,
    SKILL_TOOL: run.tool,
    REPERTOIRE_EXECUTION_ID: run.id,
  };
}

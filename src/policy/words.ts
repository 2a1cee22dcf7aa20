import { reduced } from './capabilities.ts';
import { limitForms } from './limits.ts';
import { isPrivatePath } from './paths.ts';
import type { Capabilities, HostRule, LimitRule, PathRule } from './types.ts';

/** What follows some of the sentences. */
export interface Remarks {
  readonly path?: (rule: PathRule) => string;
  readonly limit?: (rule: LimitRule) => string;
}

const none = (): string => '';

/** What capabilities allow, one sentence for each, to go after "may". */
export function inWords(capabilities: Capabilities, { path = none, limit = none }: Remarks = {}): string[] {
  const { network, filesystem, env, secrets, commands, images, limits } = reduced(capabilities);
  return [
    ...network.map(hostInWords),
    ...filesystem.map((rule) => pathInWords(rule) + path(rule)),
    ...env.map((name) => `see the environment variable ${name}`),
    ...secrets.map((name) => `be given the secret ${name}`),
    ...commands.map((name) => `run the program ${name}`),
    ...images.map((name) => `use the container image ${name}`),
    ...limits.map((rule) => limitInWords(rule) + limit(rule)),
  ];
}

function hostInWords({ host, below, port }: HostRule): string {
  return `talk to ${below ? `every host below ${host}` : host} on ${port === null ? 'any port' : `port ${port}`}`;
}

function limitInWords({ limit, amount }: LimitRule): string {
  const { allows, inWords: words } = limitForms[limit];
  return allows(words(amount));
}

function pathInWords(rule: PathRule): string {
  if (isPrivatePath(rule)) return `use its own ${rule.path}, which nobody else sees and which is deleted after the run`;
  return rule.access === 'read' ? `read files below ${rule.path}` : `read and change files below ${rule.path}`;
}

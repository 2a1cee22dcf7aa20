import { reduced } from './capabilities.ts';
import { isPrivatePath } from './paths.ts';
import type { Capabilities, HostRule, PathRule } from './types.ts';

/** What capabilities allow, one sentence for each, to go after "may"; a path may be followed by a remark. */
export function inWords(capabilities: Capabilities, remarkOn: (rule: PathRule) => string = () => ''): string[] {
  const { network, filesystem, env, secrets, commands, images } = reduced(capabilities);
  return [
    ...network.map(hostInWords),
    ...filesystem.map((rule) => pathInWords(rule) + remarkOn(rule)),
    ...env.map((name) => `see the environment variable ${name}`),
    ...secrets.map((name) => `be given the secret ${name}`),
    ...commands.map((name) => `run the program ${name}`),
    ...images.map((name) => `use the container image ${name}`),
  ];
}

function hostInWords({ host, below, port }: HostRule): string {
  return `talk to ${below ? `every host below ${host}` : host} on ${port === null ? 'any port' : `port ${port}`}`;
}

function pathInWords(rule: PathRule): string {
  if (isPrivatePath(rule)) return `use its own ${rule.path}, which nobody else sees and which is deleted after the run`;
  return rule.access === 'read' ? `read files below ${rule.path}` : `read and change files below ${rule.path}`;
}

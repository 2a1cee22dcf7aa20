import { attempt } from '../../core/attempt.ts';
import { shellWord } from '../../core/text/text.ts';

/** A call of a tool. */
export interface Call {
  readonly skill: string;
  readonly tool: string;
  /** The parameters as JSON. */
  readonly params: string;
  readonly instance: string;
}

/** The call in each form. The token stays out: whoever pastes it puts in their own. */
export function formsOf({ skill, tool, params, instance }: Call, origin: string) {
  const target = `${skill}:${tool}`;
  const where = instance === '' ? '' : ` --instance ${shellWord(instance)}`;
  const parameters: unknown = attempt(() => JSON.parse(params), {});
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'skill-engine/execute',
      arguments: { skill_name: skill, tool_name: tool, parameters, ...(instance !== '' && { instance }) },
    },
  };
  const body = JSON.stringify({ target, params: JSON.stringify(parameters), ...(instance !== '' && { instance }) });
  return [
    {
      name: 'Command',
      text: `repertoire run ${shellWord(target)}${where} --params ${shellWord(JSON.stringify(parameters))}`,
    },
    { name: 'MCP call', text: JSON.stringify(call, null, 2) },
    {
      name: 'curl',
      text: [
        `curl ${shellWord(`${origin}/api/run`)}`,
        '-H "Authorization: Bearer $REPERTOIRE_TOKEN"',
        `-H 'Content-Type: application/json'`,
        `-d ${shellWord(body)}`,
      ].join(' \\\n  '),
    },
  ];
}

/**
 * Whether parameters in the log are those that were sent: secrets are taken out there, long texts cut, and both leave
 * a mark.
 */
export function isWhole(parameters: unknown): boolean {
  const text = JSON.stringify(parameters) ?? '';
  return !text.includes('[redacted]') && !text.includes('…');
}

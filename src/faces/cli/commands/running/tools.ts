import { positionOf } from '../../../../core/diagnostics.ts';
import { count, cut, oneLine } from '../../../../core/text/text.ts';
import { tools as operation, type SkillTools, type ToolRecord } from '../../../../engine/operations/running/tools.ts';
import { defineCommand } from '../../command.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const tools = defineCommand({
  operation,
  spelling: { skill: { positional: true, value: 'SKILL', completes: 'skill', orPath: true } },
  about:
    'Lists the tools inside skills: those that a manifest skill.toml declares, those under a heading "Tools" in ' +
    'SKILL.md, and the scripts of a skill that has no manifest. Shows what each takes and what it asks for beyond the ' +
    'default sandbox, which is no network, its own folder read-only, and a scratch folder. Exit code 1: some manifest ' +
    'cannot be used.',
  examples: [
    { run: 'repertoire tools', what: 'every tool of every skill' },
    { run: 'repertoire tools kubernetes', what: 'those of one skill, with their parameters' },
    { run: 'repertoire tools --json | jq -r \'.skills[] | "\\(.skill): \\(.tools | length)"\'', what: 'for scripts' },
  ],
  print({ skills }, { terminal, input }) {
    if (skills.length === 0) return ['No skill has tools.'];
    const isOne = input.skill !== undefined;
    const lines = skills.flatMap((skill) => [...skillLines(skill, terminal, isOne ? 'whole' : 'short'), '']);
    const total = skills.reduce((sum, { tools: all }) => sum + all.length, 0);
    const closing = isOne ? [] : [`${count(total, 'tool')} in ${count(skills.length, 'skill')}.`];
    return [...lines, ...closing];
  },
  succeeded: ({ skills }) => !skills.some(isBroken),
});

function isBroken({ problems }: SkillTools): boolean {
  return problems.some(({ severity }) => severity === 'error');
}

function skillLines(skill: SkillTools, terminal: Terminal, length: 'whole' | 'short'): string[] {
  const facts = [skill.runtime, ...(skill.source === 'none' ? [] : [`from ${skill.source}`]), ...versionOf(skill)];
  return [
    `${terminal.style('bold', oneLine(skill.skill))} ${terminal.style('dim', facts.join(', '))}`,
    ...skill.tools.flatMap((tool) => toolLines(skill, tool, terminal, length)),
    ...(skill.instances.length > 0 ? [`  instances: ${skill.instances.map(oneLine).join(', ')}`] : []),
    ...skill.problems.map(
      (one) =>
        `  ${terminal.style(one.severity === 'error' ? 'red' : 'yellow', one.severity)} ${oneLine(one.file)}` +
        `${positionOf(one)}: ${oneLine(one.message)}\n    ${terminal.style('dim', `→ ${oneLine(one.remedy)}`)}`,
    ),
    ...(skill.tools.length === 0 && skill.problems.length === 0 ? ['  no tools'] : []),
  ];
}

function versionOf({ version }: SkillTools): string[] {
  return version === null ? [] : [`version ${oneLine(version)}`];
}

function toolLines(skill: SkillTools, tool: ToolRecord, terminal: Terminal, length: 'whole' | 'short'): string[] {
  const name = terminal.style('cyan', `${oneLine(skill.skill)}:${oneLine(tool.name)}`);
  const description = oneLine(tool.description);
  if (length === 'short') {
    return [
      `  ${name}  ${cut(description, Math.max(20, terminal.columns - skill.skill.length - tool.name.length - 6))}`,
    ];
  }
  return [
    `  ${name}`,
    ...(description === '' ? [] : [`    ${description}`]),
    ...parameterLines(tool),
    ...(tool.asksTo.length === 0 ? [] : [`    asks to ${tool.asksTo.map(oneLine).join('; ')}`]),
  ];
}

function parameterLines({ parameters }: ToolRecord): string[] {
  const properties = Object.entries((parameters['properties'] ?? {}) as Record<string, Record<string, unknown>>);
  const required = (parameters['required'] ?? []) as readonly string[];
  return properties.map(([name, schema]) => {
    const type = typeText(schema);
    const fallback = schema['default'] === undefined ? '' : `, default ${JSON.stringify(schema['default'])}`;
    const need = required.includes(name) ? ', required' : fallback;
    const text = typeof schema['description'] === 'string' ? `: ${oneLine(schema['description'])}` : '';
    return `    --param ${oneLine(name)}= (${oneLine(type)}${oneLine(need)})${text}`;
  });
}

function typeText({ type, enum: choices }: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(choices))
    return choices.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('|');
  return typeof type === 'string' ? type : 'any';
}

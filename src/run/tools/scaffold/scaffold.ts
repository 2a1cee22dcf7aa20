import { SkillError } from '../../../core/errors.ts';
import { isKebabName, oneLine } from '../../../core/text/text.ts';
import type { RuntimeName } from '../../policy/types.ts';
import { kinds } from './scaffold-kinds.ts';

export interface ScaffoldFile {
  /** The path from the skill's folder. */
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly executable: boolean;
}

/**
 * The files of a new skill: its text, its manifest with one tool, what the tool runs, and a test of it; the text alone where
 * it is to have no tool.
 */
export function scaffold(name: string, runtime: RuntimeName | 'none', purpose?: string): readonly ScaffoldFile[] {
  if (!isKebabName(name)) {
    throw new SkillError('invalid-name', `'${name}' cannot be the name of a skill`, {
      hint: 'Use up to 64 lower-case letters and digits, with single hyphens between words.',
    });
  }
  const plain = (path: string, content: string | Uint8Array): ScaffoldFile => ({ path, content, executable: false });
  const steps = runtime === 'none' ? ownSteps : toolSteps(name);
  const description = purpose === undefined ? example[runtime === 'none' ? 'text' : 'tool'] : quoted(purpose);
  const text = plain('SKILL.md', skillText(name, description, steps));
  if (runtime === 'none') return [text];
  const { manifest, files, cases, needs } = kinds[runtime];
  return [
    text,
    plain('skill.toml', manifest),
    ...files,
    { path: 'tests/count.sh', content: testText(name, cases, needs), executable: true },
  ];
}

/** Descriptions that show what one is. */
const example = {
  tool: 'Counts the lines and words of a text. Use when asked how long a text is. (Say here what your skill does, and when an agent should use it.)',
  text: 'Say here what your skill does, and when an agent should use it.',
} as const;

/** A description as YAML has it, whatever is in it. */
function quoted(purpose: string): string {
  return JSON.stringify(oneLine(purpose).trim());
}

function skillText(name: string, description: string, steps: string): string {
  const title = name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
  return `---
name: ${name}
description: ${description}
---

# ${title}

Say here what an agent has to know to do the work, step by step. This text is loaded when the skill is used, so keep
it short, and put long material into files beside it.

## Steps

${steps}`;
}

const ownSteps = `1. Say here what to do first.
2. Then what comes next, and how to see that it worked.
`;

function toolSteps(name: string): string {
  return `1. Take the text as it is; do not tidy it first.
2. Call the tool \`count\` of this skill with the text.
3. Answer with the figures that were asked for.

## Running the tool

An agent calls \`count\` with the parameter \`text\`. So does a person:

\`\`\`sh
repertoire run ${name}:count --param text="one two three"
repertoire run ${name}:count --stdin < README.md
\`\`\`

What the tool may do is written in \`skill.toml\`. \`tests/count.sh\` tries it.
`;
}

/** One call and its expected outcome. */
export interface Case {
  readonly options: readonly string[];
  readonly expected: string;
}

function testText(name: string, cases: readonly Case[], needs: string): string {
  const checks = cases.map(({ options, expected }) => `check '${expected}' ${options.join(' ')}`);
  return `#!/bin/sh
# Runs the tool as an agent would, and compares what comes of it. To use it: sh tests/count.sh${needs}
set -eu
cd "$(dirname "$0")/.."

# check EXPECTED OPTION...
check() {
  expected=$1
  shift
  got=$("\${REPERTOIRE:-repertoire}" run ${name}:count --skill-dir . "$@" | tr -s ' ' | sed 's/^ //')
  [ "$got" = "$expected" ] && return
  printf 'options:  %s\\nexpected: %s\\ngot:      %s\\n' "$*" "$expected" "$got" >&2
  exit 1
}

${checks.join('\n')}
echo 'all right'
`;
}

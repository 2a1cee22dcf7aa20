import { basename } from 'node:path';
import { type Diagnostic, diagnostic } from '../kernel/diagnostics.ts';
import type { Skill } from '../skill/types.ts';

/** A limit that some client puts on skills, and which of ours it hits. */
interface ClientLimit {
  readonly exceeds: (skill: Skill) => boolean;
  readonly message: (skill: Skill) => string;
  readonly remedy: string;
}

const limits: readonly ClientLimit[] = [
  {
    exceeds: ({ file }) => basename(file) !== 'SKILL.md',
    message: ({ file }) => `no agent that was tried sees a file called ${basename(file)}`,
    remedy: 'Rename it to SKILL.md.',
  },
  {
    exceeds: ({ name }) => lengthOf(name) > 64,
    message: () => 'Codex and Copilot CLI do not show skills with names of more than 64 characters',
    remedy: 'Shorten the name.',
  },
  {
    exceeds: ({ description }) => lengthOf(description) > 1024 && lengthOf(description) <= 1536,
    message: ({ description }) =>
      `Copilot CLI does not show it, and Codex shows only 1,024 of the description's ${lengthOf(description)} characters`,
    remedy: 'Shorten the description; put the rest into the text.',
  },
  {
    exceeds: ({ description }) => lengthOf(description) > 1536,
    message: ({ description }) =>
      `Copilot CLI does not show it, Codex shows only 1,024, and Claude Code only 1,536, of the description's ${lengthOf(description)} characters`,
    remedy: 'Shorten the description; put the rest into the text.',
  },
  {
    exceeds: ({ repaired }) => repaired,
    message: () => 'agents with a strict parser, such as Copilot CLI, Kimi Code, Cline and pi, do not see this skill',
    remedy: 'Run repertoire validate --fix on it.',
  },
  {
    exceeds: ({ name }) => name.includes(':'),
    message: () => 'a colon in a name separates plugin and skill in most agents; Gemini CLI changes it',
    remedy: 'Use a hyphen.',
  },
];

/** In characters, as the limits are meant, and not in units of UTF-16. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** What clients other than us will cut off, change or not see at all. */
export function clientLimitsOf(skill: Skill): Diagnostic[] {
  return limits
    .filter((limit) => limit.exceeds(skill))
    .map((limit) => diagnostic('client-limit', skill.file, limit.message(skill), limit.remedy));
}

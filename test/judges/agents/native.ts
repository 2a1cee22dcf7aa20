import type { World } from '../../support/world.ts';

/** The folders that one or the other agent reads by itself. */
const places = {
  'claude-project': 'project/.claude/skills',
  'claude-user': 'home/.claude/skills',
  'agents-project': 'project/.agents/skills',
  'agents-user': 'home/.agents/skills',
  'codex-project': 'project/.codex/skills',
  'codex-user': 'home/.codex/skills',
  'gemini-project': 'project/.gemini/skills',
  'gemini-user': 'home/.gemini/skills',
  'opencode-project': 'project/.opencode/skills',
  'opencode-user': 'home/.config/opencode/skills',
};

/** Skills that agents read differently: the file below the folder, and its text. */
const kinds: Readonly<Record<string, (name: string, description: string) => readonly [file: string, text: string]>> = {
  plain: (name, description) => [`${name}/SKILL.md`, textOf(name, description)],
  colon: (name, description) => [`${name}/SKILL.md`, textOf(name, description)],
  nested: (name, description) => [`group/${name}/SKILL.md`, textOf(name, description)],
  hidden: (name, description) => [`.group/${name}/SKILL.md`, textOf(name, description)],
  renamed: (name, description) => [`${name}/SKILL.md`, textOf(`other-${name}`, description)],
  twin: (_name, description) => ['twin/SKILL.md', textOf('twin', description)],
  bom: (name, description) => [`${name}/SKILL.md`, `\uFEFF${textOf(name, description)}`],
  'lower-case': (name, description) => [`${name}/skill.md`, textOf(name, description)],
  'no-front-matter': (name, description) => [`${name}/SKILL.md`, `${description}\n`],
  long: (name, description) => [`${name}/SKILL.md`, textOf(name, description)],
};

function textOf(name: string, description: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n# Text\n`;
}

/** How a description begins; no two begin alike. */
function beginning(name: string): string {
  return `Does what ${name} is for.`;
}

const endings: Readonly<Record<string, string>> = {
  colon: ' Use when: asked to',
  long: ` ${'It goes on and on. '.repeat(60).trim()}`,
};

/** A skill that was written, by what it says. */
interface Written {
  readonly beginning: string;
  readonly description: string;
}

/** Writes skills of all kinds into all places; returns them by their files. */
export function writeNatives(world: World): ReadonlyMap<string, Written> {
  const written = new Map<string, Written>();
  for (const [tag, place] of Object.entries(places)) {
    for (const [kind, make] of Object.entries(kinds)) {
      const name = `${kind}-${tag}`;
      const description = beginning(name) + (endings[kind] ?? '');
      const [file, text] = make(name, description);
      written.set(world.write(`${place}/${file}`, text), { beginning: beginning(name), description });
    }
  }
  return written;
}

interface Row {
  readonly fullName: string;
  readonly file: string;
  readonly state: string;
  readonly server: string;
}

/** What `doctor --agent --json` says, as far as it is compared. */
export interface Report {
  readonly agent: {
    readonly skills: readonly Row[];
    readonly skipped: readonly { readonly file: string; readonly sees: string }[];
  };
}

/** Every claim that the model was shown a skill, where it was not. */
export function wrongClaims(
  { agent }: Report,
  written: ReadonlyMap<string, Written>,
  shown: string,
): readonly string[] {
  const isShown = (file: string, part: keyof Written): boolean =>
    written.has(file) && shown.includes(written.get(file)?.[part] ?? '');
  const claims = agent.skills.flatMap(({ fullName, file, state, server }) => [
    ...(state === 'listed' ? [{ claim: state, file, holds: isShown(file, 'description') }] : []),
    ...(state === 'shortened' ? [{ claim: state, file, holds: isShown(file, 'beginning') }] : []),
    // The server leaves a skill out where the agent has it, or another of the same name.
    ...(server === 'left-out'
      ? [
          {
            claim: server,
            file,
            holds: agent.skills.some((one) => one.fullName === fullName && isShown(one.file, 'beginning')),
          },
        ]
      : []),
  ]);
  const seen = agent.skipped.filter(({ sees }) => sees === 'yes');
  claims.push(...seen.map(({ file }) => ({ claim: 'seen', file, holds: isShown(file, 'beginning') })));
  return claims.filter(({ holds }) => !holds).map(({ claim, file }) => `${claim}: ${file}`);
}

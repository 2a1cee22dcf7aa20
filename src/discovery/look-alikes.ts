import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import { addTo } from '../core/maps.ts';
import { shellWord } from '../core/text/text.ts';
import { looksOf, spelledOut } from '../skill/confusables.ts';
import type { Skill } from '../skill/types.ts';
import { isPlainName } from './same-name.ts';

/**
 * Marks skills whose names look like that of another one, and spells out the characters that mislead: everything that
 * lists skills shows the two apart. A skill that a person installed is the original, before one that a project or a
 * plugin brings.
 */
export function markLookAlikes(skills: readonly Skill[], diagnostics: Diagnostic[]): readonly Skill[] {
  const byName = new Map<string, Skill[]>();
  for (const skill of skills) addTo(byName, skill.fullName, skill);
  const originals = originalsOf(byName);
  return skills.map((skill) => {
    const original = originals.get(skill.fullName);
    return original === undefined ? skill : marked(skill, original, diagnostics);
  });
}

/** The skill that each misleading name could be taken for. */
function originalsOf(byName: ReadonlyMap<string, readonly Skill[]>): ReadonlyMap<string, Skill> {
  const byLooks = new Map<string, string[]>();
  for (const name of [...byName.keys()].filter((one) => !isPlainName(one))) {
    for (const looks of allLooks(name)) addTo(byLooks, looks, name);
  }
  const originals = new Map<string, Skill>();
  for (const [looks, others] of byLooks) {
    const names = isPlainName(looks) && byName.has(looks) ? [looks, ...others] : others;
    const original = strongest(names.flatMap((name) => byName.get(name) ?? []));
    for (const name of names) if (name !== original.fullName) originals.set(name, original);
  }
  return originals;
}

/** All skeletons of a name: a capital I is both the capital of i and the image of l. */
function allLooks(name: string): readonly string[] {
  const looks = looksOf(name);
  return name.includes('I') ? [looks, looksOf(name.replaceAll('I', 'l'))] : [looks];
}

const trust = { global: 0, project: 1, plugin: 2, remote: 3 } as const;

function strongest(skills: readonly Skill[]): Skill {
  const sorted = [...skills].sort(
    (a, b) => oddity(a) - oddity(b) || standing(a) - standing(b) || plainness(a) - plainness(b) || a.rank - b.rank,
  );
  return sorted[0] as Skill;
}

/** Names wholly of one script, with nothing hidden in them, which are as good as any in Latin letters. */
const ofOneScript = ['Cyrillic', 'Greek', 'Armenian'].map((script) => {
  return new RegExp(String.raw`^(?:\p{Script=${script}}|(?!\p{Default_Ignorable_Code_Point})\P{L})+$`, 'u');
});

function oddity({ fullName }: Skill): number {
  if (fullName.includes('[U+')) return 1;
  return spelledOut(fullName) === fullName || ofOneScript.some((pattern) => pattern.test(fullName)) ? 0 : 1;
}

function standing({ named, location }: Skill): number {
  return named ? trust.global : trust[location];
}

function plainness({ fullName }: Skill): number {
  return isPlainName(fullName) ? 0 : 1;
}

function marked(skill: Skill, original: Skill, diagnostics: Diagnostic[]): Skill {
  // Names that differ in case alone mislead nobody, and are asked for in the same way in any script.
  const isSame = skill.fullName.toLowerCase() === original.fullName.toLowerCase();
  const fullName = isSame ? skill.fullName : spelledOut(skill.fullName);
  const message = `"${fullName}" looks like "${original.fullName}", which is ${original.file}`;
  const word = shellWord(fullName);
  const remedy = `Rename it, or remove it if you did not install it; to grant it anything: repertoire grant ${word} --confirm-name ${word}`;
  diagnostics.push(diagnostic('looks-like', skill.file, message, remedy));
  const pluginName = skill.pluginName === null || isSame ? skill.pluginName : spelledOut(skill.pluginName);
  return { ...skill, fullName, pluginName, looksLike: original.fullName };
}

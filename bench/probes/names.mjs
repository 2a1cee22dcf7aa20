/**
 * Ways to ask for skills, all different, none of them wrong: as written, in other letter case, with the provider, and
 * as a URI.
 *
 * @param {readonly { name: string, provider: string }[]} skills
 * @returns {string[]}
 */
export function namesOf(skills) {
  const spellings = skills.map(({ name, provider }, index) => {
    const ways = [name, name.toUpperCase(), `${provider}:${name}`, `${provider}:${name}`.toUpperCase()];
    return index % 10 === 9 ? `skill://${provider}/${name}/SKILL.md` : (ways[index % 4] ?? name);
  });
  return [...new Set(spellings)];
}

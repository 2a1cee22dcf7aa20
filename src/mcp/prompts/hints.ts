/** The alternatives that an argument's hint offers, place by place: `[add|remove] <file>` offers two in the first. */
export function alternativesIn(hint: string): string[][] {
  const places = hint.match(/(?:\[[^\]]*\]|<[^>]*>|\([^)]*\))\.*|\S+/g) ?? [];
  return places.map((place) => {
    const inside = place.replace(/^[[<(]+|[\]>)]+\.*$/g, '');
    const choices = inside.split('|').map((one) => one.trim().replace(/^["'`]|["'`]$/g, ''));
    return choices.length > 1 ? choices.filter((one) => /^[\w.:@/+-]+$/.test(one)) : [];
  });
}

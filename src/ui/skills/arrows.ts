/** Elements at which the arrows stop: the box of the search, and the name of each skill. */
const stops = '.skills-search input, .skills-name a';

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Makes the arrows go from the search through the skills below it, and back. */
export function goByArrows(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = steps[event.key];
  const { target } = event;
  if (step === undefined || !(target instanceof HTMLElement) || !target.matches(stops)) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(stops)].filter((one) => one.checkVisibility());
  const next = all[all.indexOf(target) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

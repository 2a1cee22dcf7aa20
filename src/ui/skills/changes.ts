import { counted } from '../../kernel/text.ts';

interface Version {
  readonly all: number;
  readonly revision: string;
}

/** What happened between two versions of the list, in a few words; null for nothing. */
export function changeInWords(before: Version, now: Version): string | null {
  if (before.revision === now.revision) return null;
  if (now.all > before.all) return `${counted(now.all - before.all, 'skill')} added`;
  if (now.all < before.all) return `${counted(before.all - now.all, 'skill')} gone`;
  return 'the skills have changed';
}

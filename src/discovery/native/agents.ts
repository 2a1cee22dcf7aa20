import { moreSeenAgents } from './more-seen-agents.ts';
import { seenAgents } from './seen-agents.ts';
import type { NativeAgent } from './types.ts';
import { unseenAgents } from './unseen-agents.ts';

/** What is known of how agents find and read skills by themselves, how it is known, and since when. */
export const nativeAgents: readonly NativeAgent[] = [...seenAgents, ...moreSeenAgents, ...unseenAgents];

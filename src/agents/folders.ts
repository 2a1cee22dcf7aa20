import { agents } from './agents.ts';
import type { Folders } from './types.ts';

/**
 * The folders where all agents keep skills, in order of rank. The build computes this, so that a start loads no more of
 * the agents.
 */
export const agentFolders: readonly Folders[] = agents.flatMap(({ folders }) => folders ?? []);

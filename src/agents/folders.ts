import { agents } from './agents.ts';
import type { Folders } from './types.ts';

/** Where all agents keep skills, in the order of their rank. The build works this out, so that a start loads no more of the agents. */
export const agentFolders: readonly Folders[] = agents.flatMap(({ folders }) => folders ?? []);

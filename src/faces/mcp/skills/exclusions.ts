import { SkillError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/log.ts';
import {
  addressTaken,
  type Inspection,
  inspect,
  type Obstacle,
  type SkillContent,
} from '../../../engine/loading/extension.ts';
import { type Address, addressesOf } from '../../../registry/addresses.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import type { Skill } from '../../../skill/types.ts';

/** Tracks the skills that the extension cannot carry, and reports each of them once. */
export interface Exclusions {
  /** Inspects a skill anew. Throws where it cannot be read. */
  inspect(address: Address): Promise<Inspection>;
  /** Inspects a skill for a list, from which one that cannot be read is simply missing. */
  carried(address: Address): Promise<SkillContent | null>;
  /** The obstacle that keeps a skill out, as of the first inspection for this snapshot. */
  obstacle(snapshot: Snapshot, address: Address): Promise<Obstacle | null>;
  /** Reports a skill that has no address, or that turned out to be unreadable. */
  note(skill: Skill, message: string): void;
  /** Reports the skills whose address another skill has. */
  noteHomeless(snapshot: Snapshot): void;
}

/** Number of lines logged; more would drown the log, and `repertoire doctor` has them all. */
const mostLines = 20;

export function createExclusions(log: Logger): Exclusions {
  const logged = new Set<string>();
  const verdicts = new WeakMap<Snapshot, Map<Skill, Obstacle | null>>();

  function note(skill: Skill, message: string): void {
    const key = `${skill.id}\n${message}`;
    if (logged.has(key) || logged.size > mostLines) return;
    logged.add(key);
    if (logged.size > mostLines)
      log.info('More skills are left out of the skills extension; repertoire doctor lists them');
    else log.info(`Left out of the skills extension: ${message}`, { skill: skill.fullName, file: skill.file });
  }

  async function look({ skill }: Address): Promise<Inspection> {
    let inspection = await inspect(skill);
    for (let tries = 0; tries < mostTries && isPassing(inspection); tries++) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      inspection = await inspect(skill);
    }
    if (!inspection.ok && !isPassing(inspection)) note(skill, inspection.obstacle.message);
    return inspection;
  }

  return {
    inspect: look,
    async carried(address) {
      try {
        const inspection = await look(address);
        return inspection.ok ? inspection : null;
      } catch (error) {
        if (!(error instanceof SkillError)) throw error;
        note(address.skill, error.message);
        return null;
      }
    },
    async obstacle(snapshot, address) {
      const known = verdicts.get(snapshot) ?? new Map<Skill, Obstacle | null>();
      verdicts.set(snapshot, known);
      const before = known.get(address.skill);
      if (before !== undefined) return before;
      const inspection = await look(address);
      const obstacle = inspection.ok ? null : inspection.obstacle;
      if (!isPassing(inspection)) known.set(address.skill, obstacle);
      return obstacle;
    },
    note,
    noteHomeless(snapshot) {
      for (const skill of addressesOf(snapshot).homeless) note(skill, addressTaken.message);
    },
  };
}

const mostTries = 5;
const pauseMs = 15;

function isPassing(inspection: Inspection): boolean {
  return !inspection.ok && inspection.obstacle.isPassing === true;
}

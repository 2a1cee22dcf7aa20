import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Environment } from '../../src/core/environment.ts';
import { SkillError } from '../../src/core/errors.ts';
import { type CapabilityTexts, capabilitiesFrom } from '../../src/run/policy/capabilities.ts';
import { digestFiles } from '../../src/run/policy/digest.ts';
import { grantOf, permissionsFor } from '../../src/run/policy/effective.ts';
import { readGrant, writeGrant } from '../../src/run/policy/grants.ts';
import { limitsFor } from '../../src/run/policy/limits.ts';
import { readPolicy } from '../../src/run/policy/operator.ts';
import type { Capabilities, Permissions } from '../../src/run/policy/types.ts';
import { environmentIn, temporaryPlace } from './place.ts';

/** A machine with one skill on it, and what an operator does there. */
export class Machine {
  readonly place = temporaryPlace();
  readonly environment: Environment = environmentIn(this.place);
  readonly skill = join(this.place, 'skill');
  readonly data = join(this.place, 'data');

  constructor() {
    for (const folder of [join(this.skill, 'scripts'), this.data]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(this.skill, 'SKILL.md'), '# Skill');
    writeFileSync(join(this.skill, 'scripts/run.sh'), 'echo 1');
  }

  asking(texts: Partial<CapabilityTexts>): Capabilities {
    const asked = capabilitiesFrom(texts, this.environment);
    if (!asked.ok) throw new Error(asked.message);
    return asked.value;
  }

  setPolicy(text: string): void {
    mkdirSync(join(this.environment.systemDir, 'repertoire'), { recursive: true });
    writeFileSync(join(this.environment.systemDir, 'repertoire/policy.toml'), text);
  }

  async grant(asked: Capabilities): Promise<void> {
    const { environment, skill } = this;
    const policy = await readPolicy(environment);
    const digested = await digestFiles(skill);
    const now = new Date('2026-01-02T03:04:05Z');
    writeGrant(environment, grantOf({ ...digested, skill, name: 'helper', asked, policy, environment, now }));
  }

  async permissions(asked: Capabilities): Promise<Permissions> {
    const { environment } = this;
    const policy = await readPolicy(environment);
    const { digest: digestNow, files: filesNow } = await digestFiles(this.skill);
    const { grant, problem: grantProblem } = readGrant(environment, this.skill);
    const limits = limitsFor(policy);
    return permissionsFor({
      name: 'helper',
      policy,
      asked,
      grant,
      grantProblem,
      digestNow,
      filesNow,
      environment,
      limits,
    });
  }

  async refusal(asked: Capabilities): Promise<SkillError> {
    return refused(this.permissions(asked));
  }
}

/** The error that something is refused with, which always says what to do. */
export async function refused(action: Promise<unknown>): Promise<SkillError> {
  const error: unknown = await action.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SkillError)) throw new Error('it was not refused');
  expect(error.code).toBe('denied');
  expect(error.hint).toBeTruthy();
  return error;
}

import { randomUUID } from 'node:crypto';
import type { Environment } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import { type Infer, object, text } from '../../../core/schema/schema.ts';
import { shellWord } from '../../../core/text/text.ts';
import { keepAllowed, keepVerdict, quarantinedAs } from '../../../get/scan/store.ts';
import { findingSchema, scanReportSchema } from '../../../get/scan/types.ts';
import { requireKnown } from '../../../registry/resolve.ts';
import { defineOperation } from '../../operation.ts';
import { runnerOf } from '../../running/runner.ts';
import { whoAsks } from '../../running/who.ts';
import { openScanner } from '../../scanning/scanning.ts';

export { findingSchema, scanReportSchema };

const output = object({ skill: text(), folder: text(), digest: text(), reason: text(), report: scanReportSchema });
export type AllowOutput = Infer<typeof output>;

/** Lets one version of a skill out of quarantine. Any other version of it is judged anew. */
export const allow = defineOperation({
  name: 'allow',
  effect: 'acts',
  input: {
    skill: text('The skill to let out.'),
    digest: text('The version that was reviewed, as repertoire scan shows it.', { blank: false }),
    reason: text('Why it is allowed. It is recorded in the audit log.', { blank: false }),
  },
  output,
  async run(engine, { skill: name, digest, reason }, request): Promise<AllowOutput> {
    const { environment } = engine;
    const kept = keptOut(environment, name, digest);
    const { fullName: skill, id: folder } = kept ?? requireKnown(await engine.registry.snapshot(), name);
    const scanner = await openScanner(engine);
    const report = await scanner.scan(folder).finally(() => scanner.close());
    if (report.digest !== digest) throw hasChanged(skill, report.digest);
    // The record comes first: what is allowed is in the log, whatever happens in between.
    const { audit } = await runnerOf(engine);
    const items = report.findings.map(({ rule, file }) => `${rule}:${file}`).slice(0, 50);
    audit.grant({
      id: randomUUID(),
      skill,
      folder,
      digest,
      parameters: { items, reason },
      ...whoAsks(engine, request),
      result: 'allowed',
    });
    keepAllowed(environment, { digest, name: skill, reason, at: new Date().toISOString() }, folder);
    keepVerdict(environment, { folder, name: skill }, report);
    await engine.registry.refresh();
    return { skill, folder, digest, reason, report };
  },
});

/** A version that was kept out before it was installed: no folder of skills has it. */
function keptOut(environment: Environment, name: string, digest: string) {
  const found = quarantinedAs(environment, name).find(({ report }) => report.digest === digest);
  return found === undefined ? null : { fullName: found.name, id: found.folder };
}

function hasChanged(skill: string, digest: string): SkillError {
  const word = shellWord(skill);
  return new SkillError(
    'denied',
    `the files of skill '${skill}' are not the version that you name; theirs is ${digest}`,
    {
      hint: `Review it: repertoire scan ${word}. Then run: repertoire allow ${word} --digest ${digest} --reason TEXT`,
    },
  );
}

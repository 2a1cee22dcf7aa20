import { choice, type Infer, list, named, nullable, number, object, text } from '../../core/schema/schema.ts';

/** The severities of findings, from the mildest. */
export const severities = ['low', 'medium', 'high', 'critical'] as const;
export type ScanSeverity = (typeof severities)[number];

/** The verdicts on a skill, from the mildest: findings that block keep it from being loaded and run. */
export const verdicts = ['clean', 'warned', 'blocked'] as const;
export type Verdict = (typeof verdicts)[number];

export const findingSchema = named(
  'Finding',
  object({
    rule: text(),
    severity: choice(severities),
    file: text('From the folder of the skill, with `/`.'),
    line: nullable(number(), 'Null where the file as a whole is meant.'),
    found: text('What was found, cut short; with the layers it was hidden under.'),
    why: text('Why it matters.'),
    allow: text('What to do, and how to allow it.'),
  }),
);
export type Finding = Infer<typeof findingSchema>;

export const scanReportSchema = named(
  'ScanReport',
  object({
    digest: text('Of all files of the skill, as grants have it.'),
    verdict: choice(verdicts),
    findings: list(findingSchema),
    scanner: text('The version of the rules.'),
  }),
);
export type ScanReport = Infer<typeof scanReportSchema>;

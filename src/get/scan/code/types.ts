// Nothing repeats without end: an expression is tried at every place, and a stranger's file may be one long blank.

/** A type as it is usually written: names, their arguments, unions, and objects without others in them. */
const one = String.raw`(?:readonly\s{1,40})?(?:[\w.$'"]+(?:<[^()=;]{0,200}>)?|\{[^{}]{0,500}\}|\([^()]{0,500}\)\s{0,40}=>\s{0,40}[\w.]+)(?:\[\])*`;
const type = String.raw`${one}(?:\s{0,40}[|&]\s{0,40}${one})*`;
const annotation = new RegExp(String.raw`[?!]?\s{0,40}:\s{0,40}${type}`, 'g');

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** The forms in which types stand in a program. */
const forms: readonly (readonly [RegExp, (found: string) => string])[] = [
  [
    /^[ \t]{0,80}(?:export\s{1,40})?(?:declare\s{1,40})?interface\s{1,40}\w+[^{]{0,200}\{(?:[^{}]|\{[^{}]{0,500}\})*\}/gm,
    blank,
  ],
  [
    new RegExp(
      String.raw`^[ \t]{0,80}(?:export\s{1,40})?(?:declare\s{1,40})?type\s{1,40}\w+(?:<[^=]{0,200}>)?\s{0,40}=\s{0,40}\|?\s{0,40}${type};?`,
      'gm',
    ),
    blank,
  ],
  [/^[ \t]{0,80}(?:import|export)\s{1,40}type\b[^;\n]*;?/gm, blank],
  [/(?<=[{,]\s{0,40})type\s{1,40}(?=\w+\s{0,40}[,}])/g, blank],
  [/\b(?:private|public|protected|readonly|abstract|override|declare)\s{1,40}(?=[\w#*[{(])/g, blank],
  [
    new RegExp(
      String.raw`(?<=[\w)\]}'"\`])\s{1,40}(?:as|satisfies)\s{1,40}(?:const\b|(?!\w+\s{0,40}(?:,|\}|from\b))${type})`,
      'g',
    ),
    blank,
  ],
  [/(?<=\w)<[\w.,\s[\]|'"]{1,200}>(?=\()/g, blank],
  [
    new RegExp(
      String.raw`(?<=\b(?:const|let|var)\s{1,40}(?:\w{1,80}|\{[^{}]{0,500}\}|\[[^[\]]{0,200}\]))[!]?\s{0,40}:\s{0,40}${type}(?=\s{0,40}[=;\n])`,
      'g',
    ),
    blank,
  ],
  [
    new RegExp(
      String.raw`(?<=\))\s{0,40}:\s{0,40}(?:asserts\s{1,40})?(?:\w+\s{1,40}is\s{1,40})?${type}(?=\s{0,40}(?:=>|\{))`,
      'g',
    ),
    blank,
  ],
  // Parameters, which have types, and calls, which have objects.
  [/\([^()]{0,500}\)(?=\s{0,40}(?:=>|\{))/g, (found) => found.replace(annotation, blank)],
  [
    new RegExp(
      String.raw`(?<=^[ \t]{0,80}(?:static\s{1,40})?[#\w]{1,80})[?!]?\s{0,40}:\s{0,40}${type}(?=\s{0,40}(?:=[^>]|;))`,
      'gm',
    ),
    blank,
  ],
  [/(?<=[\w)\]])!(?=[.)\],;[])/g, blank],
];

/** A program without its types, as far as they are written as usual: what is left may be JavaScript, line by line. */
export function withoutTypes(text: string): string {
  return text.length > 200_000 ? text : forms.reduce((left, [form, change]) => left.replace(form, change), text);
}

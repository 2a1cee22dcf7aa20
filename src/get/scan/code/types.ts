/** A type as it is usually written: names, their arguments, unions, and objects without others in them. */
const one = String.raw`(?:readonly\s+)?(?:[\w.$'"]+(?:<[^()=;]{0,200}>)?|\{[^{}]{0,500}\}|\([^()]{0,500}\)\s*=>\s*[\w.]+)(?:\[\])*`;
const type = String.raw`${one}(?:\s*[|&]\s*${one})*`;
const annotation = new RegExp(String.raw`[?!]?\s*:\s*${type}`, 'g');

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** The forms in which types stand in a program. */
const forms: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/^[ \t]*(?:export\s+)?(?:declare\s+)?interface\s+\w+[^{]{0,200}\{(?:[^{}]|\{[^{}]{0,500}\})*\}/gm, blank],
  [
    new RegExp(
      String.raw`^[ \t]*(?:export\s+)?(?:declare\s+)?type\s+\w+(?:<[^=]{0,200}>)?\s*=\s*\|?\s*${type};?`,
      'gm',
    ),
    blank,
  ],
  [/^[ \t]*(?:import|export)\s+type\b[^;\n]*;?/gm, blank],
  [/(?<=[{,]\s*)type\s+(?=\w+\s*[,}])/g, blank],
  [/\b(?:private|public|protected|readonly|abstract|override|declare)\s+(?=[\w#*[{(])/g, blank],
  [
    new RegExp(String.raw`(?<=[\w)\]}'"\`])\s+(?:as|satisfies)\s+(?:const\b|(?!\w+\s*(?:,|\}|from\b))${type})`, 'g'),
    blank,
  ],
  [/(?<=\b\w+)<[\w.,\s[\]|'"]{1,200}>(?=\()/g, blank],
  [
    new RegExp(
      String.raw`(?<=\b(?:const|let|var)\s+(?:\w+|\{[^{}]{0,500}\}|\[[^[\]]{0,200}\]))[!]?\s*:\s*${type}(?=\s*[=;\n])`,
      'g',
    ),
    blank,
  ],
  [new RegExp(String.raw`(?<=\))\s*:\s*(?:asserts\s+)?(?:\w+\s+is\s+)?${type}(?=\s*(?:=>|\{))`, 'g'), blank],
  // Parameters, which have types, and calls, which have objects.
  [/\([^()]{0,500}\)(?=\s*(?:=>|\{))/g, (found) => found.replace(annotation, blank)],
  [new RegExp(String.raw`(?<=^[ \t]*(?:static\s+)?[#\w]+)[?!]?\s*:\s*${type}(?=\s*(?:=[^>]|;))`, 'gm'), blank],
  [/(?<=[\w)\]])!(?=[.)\],;[])/g, blank],
];

/** A program without its types, as far as they are written as usual: what is left may be JavaScript, line by line. */
export function withoutTypes(text: string): string {
  return text.length > 200_000 ? text : forms.reduce((left, [form, change]) => left.replace(form, change), text);
}

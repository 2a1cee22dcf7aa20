import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What an attacker would have a page do. Whether it was done can be seen in the window. */
export const attack = 'globalThis.__pwned=1';

/** Pieces of Markdown that are, or hold, something to be run. Each is to be seen as it is written, or at least in part. */
export const markdownAttacks: readonly (readonly [written: string, seen: string])[] = [
  [`<script>${attack}</script>`, `<script>${attack}</script>`],
  [`<img src=x onerror="${attack}">`, `<img src=x onerror="${attack}">`],
  [`<svg onload="${attack}"><circle r=1/></svg>`, `<svg onload="${attack}">`],
  [`<svg><script href="data:text/javascript,${attack}"/></svg>`, '<svg><script href='],
  ['<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>', '<iframe srcdoc='],
  ['<iframe src="javascript:parent.__pwned=1"></iframe>', '<iframe src="javascript:'],
  ['<object data="https://evil.example/x"></object>', '<object data='],
  ['<style>body { display: none }</style>', '<style>body { display: none }'],
  ['<link rel="stylesheet" href="https://evil.example/x.css">', '<link rel="stylesheet"'],
  ['<meta http-equiv="refresh" content="0;url=https://evil.example/">', '<meta http-equiv="refresh"'],
  ['<base href="https://evil.example/">', '<base href="https://evil.example/">'],
  ['<form action="https://evil.example/"><button autofocus>Sign in</button></form>', '<form action='],
  [`<details open ontoggle="${attack}">`, `<details open ontoggle="${attack}">`],
  [`<input autofocus onfocus="${attack}">`, `<input autofocus onfocus="${attack}">`],
  [`<a href="javascript:${attack}">press me</a>`, `<a href="javascript:${attack}">press me</a>`],
  [`<!-- --!><img src=x onerror="${attack}"> -->`, '<!-- --!>'],
  [`<![CDATA[<script>${attack}</script>]]>`, '<![CDATA['],
  [`[plain link](javascript:${attack})`, 'plain link'],
  [`[capital link](JaVaScRiPt:${attack})`, 'capital link'],
  [`[tab link](java&#9;script:${attack})`, 'tab link'],
  [`[entity link](&#106;avascript:${attack})`, 'entity link'],
  [`[colon link](javascript&colon;${attack})`, 'colon link'],
  [`[control link](<\u0001javascript:${attack}>)`, 'control link'],
  [`[data link](data:text/html,<script>${attack}</script>)`, 'data link'],
  [`[vb link](vbscript:${attack})`, 'vb link'],
  ['[blob link](blob:https://evil.example/1)', 'blob link'],
  ['[file link](file:///etc/passwd)', 'file link'],
  ['[scheme-less link](//evil.example/x)', 'scheme-less link'],
  ['[backslash link](\\\\evil.example\\x)', 'backslash link'],
  ['[upward link](../../../../etc/passwd)', 'upward link'],
  ['[encoded link](..%2f..%2fetc%2fpasswd)', 'encoded link'],
  ['[api link](/api/session)', 'api link'],
  [`[titled link](https://ok.example/ '" onmouseover="${attack}')`, 'titled link'],
  [`[reference link][bad]\n\n[bad]: javascript:${attack}`, 'reference link'],
  [`<javascript:${attack}>`, `javascript:${attack}`],
  [`![picture](javascript:${attack})`, 'picture'],
  ['![far picture](https://evil.example/pixel.png)', 'far picture'],
  ['![drawn picture](evil.svg)', 'drawn picture'],
  [`![alt "><img src=x onerror=${attack}>](https://evil.example/2.png)`, 'alt "><img'],
  [`\`\`\`html "><script>${attack}</script>\n<b>code</b>\n\`\`\``, '<b>code</b>'],
  [
    `| <script>${attack}</script> | b |\n| --- | --- |\n| <img src=x onerror=${attack}> | d |`,
    `<img src=x onerror=${attack}>`,
  ],
  [`# Heading <img src=x onerror=${attack}>`, 'Heading'],
  [`note[^"><script>${attack}</script>]`, 'note'],
  ['\u202Eevil\u202C and \u2066turned', 'evil'],
];

export const hostileMarkdown = markdownAttacks.map(([written]) => written).join('\n\n');

/** Elements that no text of a skill may ever bring to the page. */
const never =
  'script:not([src^="assets/"]), iframe, object, embed, base, style, meta[http-equiv], body link, svg script';

/** Attributes that may not be there, or only with such values. */
const rules: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^(?:on.*|style|srcdoc|action|formaction|ping|srcset|background)$/, /^(?!)/],
  [/^src$/, /^(?:assets\/|api\/file\?|api\/download\?id=[\da-f-]{36}&picture=true$)/],
  [/href$/, /^(?:#|assets\/|https?:\/\/|mailto:|api\/download\?id=[\da-f-]{36}(?:&stream=stdout)?$)/],
];

/** These would reach beyond the text they are in: controls, and what turns the direction. */
const disturbing = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

interface Seen {
  readonly hasRun: boolean;
  readonly elements: readonly string[];
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  readonly text: string;
}

const look = `({
  hasRun: '__pwned' in globalThis,
  elements: [...document.querySelectorAll(${JSON.stringify(never)})].map((element) => element.outerHTML),
  attributes: [...document.querySelectorAll('body *')].flatMap((element) =>
    [...element.attributes].map(({ name, value }) => ({ name, value })),
  ),
  text: document.body.textContent,
})`;

async function offences(page: Page): Promise<string[]> {
  const seen = await page.evaluate<Seen>(look);
  const isWrong = (name: string, value: string): boolean =>
    rules.some(([names, values]) => names.test(name) && !values.test(value));
  const wrong = seen.attributes.filter(({ name, value }) => isWrong(name, value) || disturbing.test(value));
  return [
    ...(seen.hasRun ? ['a script has run'] : []),
    ...seen.elements,
    ...wrong.map(({ name, value }) => `${name}=${value}`),
    ...(disturbing.exec(seen.text)?.map((found) => `the character ${found.codePointAt(0)}`) ?? []),
  ];
}

/** Nothing has run, and nothing on the page came from a text. */
export async function expectHarmless(page: Page): Promise<void> {
  expect(await offences(page)).toEqual([]);
}

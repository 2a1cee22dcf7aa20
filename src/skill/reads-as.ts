/**
 * What a repair has quoted may have been meant as something else than text: a list that was never closed, an alias, a
 * tag. Such a value is not what the author would call the name or the description.
 */
const notText: readonly RegExp[] = [
  /^[^\p{L}\p{N}]*$/u, // nothing but signs
  /^[|>%\]}]/, // the beginning of a block of text, a directive, the end of a list or map
  /^[&!]\S/, // an anchor or a tag
  /^\*[^*]*$/, // an alias; text in *emphasis* has a second star
];

const structure = /^[[{*&!|>%]/;

const readsAs: { readonly [key: string]: (text: string) => boolean } = {
  name: (text) => isText(text) && !structure.test(text),
  description: isText,
};

/** Whether the text that a repair made of a field can be that field. */
export function canBe(key: string, text: string): boolean {
  return readsAs[key]?.(text) ?? true;
}

function isText(text: string): boolean {
  return !notText.some((pattern) => pattern.test(text)) && closesWhatItOpens(text);
}

/** `[Beta] reads text` is text; `[a, b` and `{` are the beginning of something else. */
function closesWhatItOpens(text: string): boolean {
  const closing = { '[': ']', '{': '}' }[text[0] ?? ''];
  return closing === undefined || text.includes(closing);
}

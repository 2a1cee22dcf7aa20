import { cut } from '../kernel/text.ts';

const most = 300;

/** How languages write a text at the top of a file, after the lines that machines read. */
const blocks: readonly RegExp[] = [
  /^[rRuU]?"""([\s\S]*?)(?:"""|$)/,
  /^[rRuU]?'''([\s\S]*?)(?:'''|$)/,
  /^\/\*+([\s\S]*?)(?:\*\/|$)/,
  /^<#([\s\S]*?)(?:#>|$)/,
  /^--\[\[([\s\S]*?)(?:\]\]|$)/,
  /^=begin([\s\S]*?)(?:=end|$)/,
  /^((?:[ \t]*#(?!!|region).*\n?)+)/,
  /^((?:[ \t]*\/\/.*\n?)+)/,
  /^((?:[ \t]*--.*\n?)+)/,
];

/** Lines before the text, or in it, that are not for readers. */
const skipped = /^(?:#!.*|<\?php|'use strict';|"use strict";|set -\S+.*|)$/;
const noise =
  /^(?:-\*-.*|vim?:.*|coding[:=].*|eslint.*|prettier.*|shellcheck .*|pylint.*|type: .*|ts-.*|@ts-.*|copyright.*|\(c\).*|spdx.*|licen[cs]ed? .*|all rights.*|\/\/\/.*|[=\-*#~_\s]*|\.synopsis|\.description|@file.*)$/i;

/** What a script says of itself at its top: the first sentence; null where it says nothing. */
export function leadingComment(head: string, fileName: string): string | null {
  const text = head.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const lines = text.split('\n');
  const start = lines.findIndex((line) => !skipped.test(line.trim()) && !isNoise(line));
  const rest = start === -1 ? '' : lines.slice(start).join('\n').trimStart();
  for (const block of blocks) {
    const found = block.exec(rest)?.[1];
    if (found !== undefined) return firstSentence(found, fileName);
  }
  return null;
}

/** A comment that is only for machines. */
function isNoise(line: string): boolean {
  const [, comment] = /^\s*(?:#|\/\/|--)\s?(.*)$/.exec(line) ?? [];
  return comment !== undefined && noise.test(comment.trim());
}

function firstSentence(block: string, fileName: string): string | null {
  const lines = block.split('\n').map((line) => line.replace(/^\s*(?:#+|\/\/+|--+|\*+)?\s?/, '').trim());
  const said = lines.map((line) => withoutName(line, fileName));
  const start = said.findIndex((line) => !noise.test(line));
  if (start === -1) return null;
  const length = said.slice(start).findIndex((line) => noise.test(line));
  const paragraph = said.slice(start, length === -1 ? undefined : start + length).join(' ');
  const sentence = /^[\s\S]*?[.!?。](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph;
  return sentence.length < 3 ? null : cut(sentence, most);
}

/** `extract.py - Takes the text out of a file.` */
function withoutName(line: string, fileName: string): string {
  if (!line.toLowerCase().startsWith(fileName.toLowerCase())) return line;
  return line.slice(fileName.length).replace(/^\s*(?:[-–—:]+\s*)?/, '');
}

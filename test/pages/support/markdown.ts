import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

export const readPage = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Returns the path of every page of the repository. */
export const pages = (): readonly string[] =>
  globSync('**/*.md', { cwd: ROOT, exclude: ['node_modules', 'cdk.out', 'dist'] }).toSorted();

const CODE_BLOCK = /^( *)```(\w*)\n([\s\S]*?)^ *```$/gm;

/** Returns the contents of the fenced code blocks in a language, in order. */
export function listBlocks(language: string, markdown: string): readonly string[] {
  return [...markdown.matchAll(CODE_BLOCK)].flatMap(([, indent = '', name, content = '']) =>
    name === language ? [content.replaceAll(new RegExp(`^${indent}`, 'gm'), '')] : [],
  );
}

export const withoutBlocks = (markdown: string): string => markdown.replace(CODE_BLOCK, '');

/** Returns the inline code of a page. */
export const listInlineCode = (markdown: string): readonly string[] =>
  [...withoutBlocks(markdown).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** Returns the link targets of a page. */
export const listLinks = (markdown: string): readonly string[] =>
  [...withoutBlocks(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

/** Returns the content below a heading of the second level. */
export function section(markdown: string, heading: string): string {
  const [, ...sections] = markdown.split(/^## /m);
  const found = sections.find((text) => text.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`there is no section "${heading}"`);
  return found.slice(heading.length);
}

/** Returns the anchors that GitHub assigns to headings. */
export function listAnchors(markdown: string): readonly string[] {
  const seen = new Map<string, number>();
  return [...withoutBlocks(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

const splitCells = (line: string): readonly string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Returns the cells of every table row, without header and delimiter rows. */
export function tableRows(markdown: string): readonly (readonly string[])[] {
  const lines = markdown.split('\n');
  const isRow = (line: string | undefined) => line?.startsWith('|') === true;
  const isRuler = (line: string | undefined) => /^\|[-| :]+\|$/.test(line ?? '');
  return lines
    .filter((line, index) => isRow(line) && !isRuler(line) && !isRuler(lines[index + 1]))
    .map(splitCells);
}

/** Returns the sentences of paragraphs, list items and table cells. Code counts as one word, a link as its text. */
export function listSentences(markdown: string): readonly string[] {
  const plain = withoutBlocks(markdown)
    .replaceAll(/`[^`]+`/g, 'code')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const texts = plain
    .split(/\n\s*\n|\n(?=\s*(?:[-*] |\d+\. |\||#))/)
    .flatMap((text) => (text.startsWith('|') ? splitCells(text) : [text]));
  return texts.flatMap((text) =>
    text
      .replaceAll(/\s+/g, ' ')
      .trim()
      .split(/(?<=[.!?]\)?) /),
  );
}

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

export const readPage = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Every page of the repository, by its path. */
export const pages = (): readonly string[] =>
  globSync('**/*.md', { cwd: ROOT, exclude: ['node_modules', 'cdk.out', 'dist'] }).toSorted();

const CODE_BLOCK = /^( *)```(\w*)\n([\s\S]*?)^ *```$/gm;

/** The contents of the fenced blocks of a language, in their order. */
export function blocksOf(language: string, markdown: string): readonly string[] {
  return [...markdown.matchAll(CODE_BLOCK)].flatMap(([, indent = '', name, content = '']) =>
    name === language ? [content.replaceAll(new RegExp(`^${indent}`, 'gm'), '')] : [],
  );
}

export const withoutBlocks = (markdown: string): string => markdown.replace(CODE_BLOCK, '');

/** What stands between backticks in the text. */
export const inlineCodeOf = (markdown: string): readonly string[] =>
  [...withoutBlocks(markdown).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** Where the links of a page lead. */
export const linksOf = (markdown: string): readonly string[] =>
  [...withoutBlocks(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

/** What stands below a heading of the second level. */
export function section(markdown: string, heading: string): string {
  const [, ...sections] = markdown.split(/^## /m);
  const found = sections.find((text) => text.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`there is no section "${heading}"`);
  return found.slice(heading.length);
}

/** The anchors that GitHub gives to headings. */
export function anchorsOf(markdown: string): readonly string[] {
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

const cellsOf = (line: string): readonly string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The cells of every row of the tables, headings and rulers left out. */
export function tableRows(markdown: string): readonly (readonly string[])[] {
  const lines = markdown.split('\n');
  const isRow = (line: string | undefined) => line?.startsWith('|') === true;
  const isRuler = (line: string | undefined) => /^\|[-| :]+\|$/.test(line ?? '');
  return lines
    .filter((line, index) => isRow(line) && !isRuler(line) && !isRuler(lines[index + 1]))
    .map(cellsOf);
}

/** The sentences of paragraphs, entries of lists and cells of tables. Code counts as one word, a link as its text. */
export function sentencesOf(markdown: string): readonly string[] {
  const plain = withoutBlocks(markdown)
    .replaceAll(/`[^`]+`/g, 'code')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const texts = plain
    .split(/\n\s*\n|\n(?=\s*(?:[-*] |\d+\. |\||#))/)
    .flatMap((text) => (text.startsWith('|') ? cellsOf(text) : [text]));
  return texts.flatMap((text) =>
    text
      .replaceAll(/\s+/g, ' ')
      .trim()
      .split(/(?<=[.!?]\)?) /),
  );
}

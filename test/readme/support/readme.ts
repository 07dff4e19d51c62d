import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');
export const README_FILE = join(ROOT, 'README.md');

export const readReadme = (): string => readFileSync(README_FILE, 'utf8');

const CODE_BLOCK = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** The contents of the fenced blocks of a language, in their order. */
export function blocksOf(language: string, markdown: string): readonly string[] {
  return [...markdown.matchAll(CODE_BLOCK)].flatMap(([, name, content = '']) =>
    name === language ? [content] : [],
  );
}

export const withoutBlocks = (markdown: string): string => markdown.replace(CODE_BLOCK, '');

/** What stands below a heading of the second level. */
export function section(markdown: string, heading: string): string {
  const [, ...sections] = markdown.split(/^## /m);
  const found = sections.find((text) => text.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`README.md has no section "${heading}"`);
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

/** The cells of every row of the tables, headings and rulers left out. */
export function tableRows(markdown: string): readonly (readonly string[])[] {
  const lines = markdown.split('\n');
  const isRow = (line: string | undefined) => line?.startsWith('|') === true;
  const isRuler = (line: string | undefined) => /^\|[-| :]+\|$/.test(line ?? '');
  return lines
    .filter((line, index) => isRow(line) && !isRuler(line) && !isRuler(lines[index + 1]))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const markers = (name: string) => [`<!-- ${name} -->`, `<!-- /${name} -->`] as const;

/** What stands between the markers of a generated part. */
export function generatedPart(markdown: string, name: string): string {
  const [begin, end] = markers(name);
  const from = markdown.indexOf(begin);
  const to = markdown.indexOf(end);
  if (from < 0 || to < from) throw new Error(`README.md has no markers ${begin} … ${end}`);
  return markdown.slice(from + begin.length, to).trim();
}

export function withGeneratedPart(markdown: string, name: string, content: string): string {
  const [begin, end] = markers(name);
  const before = markdown.slice(0, markdown.indexOf(begin));
  const after = markdown.slice(markdown.indexOf(end) + end.length);
  return `${before}${begin}\n${content}\n${end}${after}`;
}

/** A table in Markdown; its cells are Markdown already. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n');
}

// Screen with help for people in support, by symptom. Renders the small part of Markdown that its text uses.

import { HELP_TEXT } from '../../../shared/domain/support/help-text.ts';
import type { View } from '../engine/render.ts';
import { renderDescription } from '../engine/values.ts';

/**
 * Renders Markdown for code, bold, italics and links. Links to pages of the repository become text, because the console does
 * not serve these pages.
 */
const inlineHtml = (text: string): string =>
  renderDescription(text.replaceAll('\n', ' '))
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\*([^*]+)\*/g, '<em>$1</em>')
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_, label: string, href: string) =>
      href.startsWith('#') ? `<a href="${href}">${label}</a>` : label,
    );

/** Returns the anchor that GitHub generates for a heading. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

const splitCells = (row: string): readonly string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => inlineHtml(cell.trim()));

/** Renders a Markdown table as a list, which fits narrow screens: each row becomes an item with its first cell as the title. */
function tableHtml(rows: readonly string[]): string {
  const [head = '', , ...entries] = rows;
  const labels = splitCells(head);
  const items = entries.map((row) => {
    const [title, ...cells] = splitCells(row);
    const facts = cells.map((cell, index) => `<div><dt>${labels[index + 1]}</dt><dd>${cell}</dd></div>`);
    return `<li><strong>${title}</strong><dl>${facts.join('')}</dl></li>`;
  });
  return `<ul class="items">${items.join('')}</ul>`;
}

/** Renders a Markdown heading, table, numbered list or paragraph. */
function blockHtml(block: string): string {
  if (block.startsWith('## ')) {
    const heading = block.slice(3);
    return `<h2 id="${toAnchor(heading)}">${inlineHtml(heading)}</h2>`;
  }
  if (block.startsWith('|')) return tableHtml(block.split('\n'));
  if (block.startsWith('1. '))
    return `<ol>${block
      .split(/\n(?=\d+\. )/)
      .map((item) => `<li>${inlineHtml(item.replace(/^\d+\. /, ''))}</li>`)
      .join('')}</ol>`;
  return `<p>${inlineHtml(block)}</p>`;
}

export const helpView = (): View => ({ html: HELP_TEXT.trim().split('\n\n').map(blockHtml).join('\n') });

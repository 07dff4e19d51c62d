import { escapeHtml } from '../../shared/templates/html.ts';
import type { PreviewDocument } from './preview.ts';

/** Style sheet of the gallery. A framed page takes the colour scheme of its frame, so both modes can appear side by side. */
const STYLE = `:root{color-scheme:light dark}
body{margin:0;padding:1.5rem;font:1rem/1.5 system-ui,sans-serif}
nav{display:flex;flex-wrap:wrap;gap:.5rem 1rem;margin:0 0 1rem}
[aria-current]{font-weight:700;text-decoration:none}
h2{margin:2rem 0 1rem;text-transform:capitalize}
ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,49rem),1fr));gap:1.5rem;margin:0;padding:0;list-style:none}
.pair{display:flex;gap:.5rem;margin:.25rem 0 0}
iframe{flex:1;min-width:0;height:42rem;border:1px solid #8888;border-radius:.5rem}
.light{color-scheme:light}.dark{color-scheme:dark}`;

interface Choice {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

interface Gallery {
  readonly title: string;
  readonly documents: readonly PreviewDocument[];
  readonly toHref: (document: PreviewDocument) => string;
  /** Links to the galleries of other applications and languages. Each entry becomes one labelled row. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
}

/** Renders the HTML page that shows all documents in frames, each in light mode next to dark mode. */
export function galleryPage({ title, documents, toHref, choices }: Gallery): string {
  const groups = Object.entries(Object.groupBy(documents, ({ group }) => group));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<h1 dir="auto">${escapeHtml(title)}</h1>
${Object.entries(choices)
  .map(([label, list]) => `<nav aria-label="${label}">${list.map(renderLink).join('\n')}</nav>`)
  .join('\n')}
<main>
${groups.map(([group, list = []]) => `<h2>${group}</h2>\n<ul>\n${list.map((each) => renderItem(each.name, toHref(each))).join('\n')}\n</ul>`).join('\n')}
</main>
</body>
</html>
`;
}

const renderLink = ({ label, href, isCurrent }: Choice) =>
  `<a href="${escapeHtml(href)}"${isCurrent ? ' aria-current="true"' : ''} dir="auto">${escapeHtml(label)}</a>`;

function renderItem(name: string, href: string): string {
  const source = escapeHtml(href);
  const frame = (scheme: 'light' | 'dark') =>
    `<iframe class="${scheme}" src="${source}" title="${escapeHtml(name)}, ${scheme}" loading="lazy" sandbox="allow-same-origin"></iframe>`;
  return `<li><a href="${source}">${escapeHtml(name)}</a><div class="pair">${frame('light')}${frame('dark')}</div></li>`;
}

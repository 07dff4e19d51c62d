import { createHash } from 'node:crypto';
import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';

const STYLE = `:root{color-scheme:light dark;--page:#f1f3f6;--card:#fff;--line:#e1e5ea;--ink:#14171c;--soft:#5c6470;--accent:#2557d6;--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--page:#0f1115;--card:#1a1d23;--line:#2d323b;--ink:#f2f4f7;--soft:#a4acb9;--accent:#86a8ff;--on-accent:#0f1115}}
*{box-sizing:border-box}
html{font:100%/1.5 -apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,'Hiragino Sans','Noto Sans CJK JP',sans-serif;color:var(--ink);background:var(--page);-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:1rem}
main{width:100%;max-width:26rem;padding:2.25rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;overflow-wrap:anywhere}
.app{display:flex;align-items:center;gap:.75rem;margin:0 0 1.75rem;font-weight:600}
.app svg{flex:none;width:2.25rem;height:2.25rem}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.01em;text-wrap:balance}
p{margin:0 0 1rem}
p:last-child{margin-bottom:0}
.soft{color:var(--soft);font-size:.875rem}
.button{display:block;margin:1.5rem 0 1rem;padding:.8125rem 1.5rem;border-radius:.625rem;background:var(--accent);color:var(--on-accent);font-weight:600;text-align:center;text-decoration:none}
.button:hover{filter:brightness(1.08)}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
@media (max-width:30rem){main{padding:1.75rem 1.25rem}}
@media (forced-colors:active){.button{border:2px solid}}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Answer headers of every hosted page. No script, no frame, nothing from elsewhere; addresses of these pages hold
 * secrets, so they are told to nobody (RFC 9700 §4.2.4, §4.16).
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    'img-src data:',
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

interface PageFrame {
  readonly language: Language;
  readonly title: string;
  readonly applicationName?: string | undefined;
  /** HTML, already escaped. */
  readonly content: string;
}

/** The document around every hosted page: light and dark, no script, the application's name and initial on top. */
export function page({ language, title, applicationName, content }: PageFrame): string {
  const name = oneLine(applicationName ?? '');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(oneLine(title))}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${name && `<p class="app">${monogram(name)}<span dir="auto">${escapeHtml(name)}</span></p>\n`}${content}
</main>
</body>
</html>
`;
}

/** The first letter on a colour of its own, the same for one name always. Its white stays readable on every hue. */
function monogram(name: string): string {
  const [letter] = new Intl.Segmenter().segment(name);
  const initial = escapeHtml((letter?.segment ?? '').toUpperCase());
  const hue = (createHash('sha256').update(name).digest()[0] ?? 0) * (360 / 256);
  return `<svg viewBox="0 0 36 36" aria-hidden="true"><rect width="36" height="36" rx="10" fill="hsl(${Math.round(hue)} 55% 30%)"/><text x="18" y="24" text-anchor="middle" font-size="17" font-weight="700" fill="#fff">${initial}</text></svg>`;
}

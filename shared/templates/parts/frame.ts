import { escapeHtml, oneLine } from '../html.ts';
import { type Language, languageAttributes } from '../language.ts';
import { type Brand, renderBrandMark, renderTheme } from './brand.ts';
import { renderFooter } from './footer.ts';
import { FORM_SCRIPT, LEAVE_SCRIPT, POST_SCRIPT } from './scripts.ts';
import { CODE_STYLE, policyHash, STYLE } from './style.ts';

interface Policy {
  readonly brand?: Brand | undefined;
  readonly script?: string;
  /** Inline style sheets of this page, in addition to the common style sheet and that of the brand. */
  readonly styles?: readonly string[];
  /**
   * Value of the CSP directive `form-action`. `any` omits the directive for a form that is posted to another host, because this
   * host may redirect anywhere.
   */
  readonly formAction?: 'self' | 'none' | 'any';
}

/**
 * Returns the security headers of a hosted page: no framing, no content from other origins, scripts and styles only by hash. No
 * referrer is sent, because the URLs contain secrets (RFC 9700 §4.2.4, §4.16). No opener policy is set, because applications
 * may open the login in a popup window and wait for its result.
 */
export function pageHeaders({
  brand,
  script,
  styles = [],
  formAction = 'self',
}: Policy): Readonly<Record<string, string>> {
  const theme = renderTheme(brand);
  return {
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${[STYLE, theme, ...styles].filter(Boolean).map(policyHash).join(' ')}`,
      // The script fetches the options of a passkey ceremony from this origin.
      ...(script ? [`script-src ${policyHash(script)}`, "connect-src 'self'"] : []),
      brand ? "img-src 'self' data:" : 'img-src data:',
      ...(formAction === 'any' ? [] : [`form-action '${formAction}'`]),
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}

/** Returns the headers of a page without a form. */
export function textPageHeaders(brand?: Brand): Readonly<Record<string, string>> {
  return pageHeaders({ brand, formAction: 'none' });
}

/**
 * Returns the headers of a page with forms whose responses stay on this origin. To leave the origin, a login shows a page that
 * navigates (`replaceForeignRedirect`), because a redirect would be blocked. All these pages may use the style sheet of the code
 * page, so that one policy fits them all.
 */
export function formPageHeaders(brand?: Brand): Readonly<Record<string, string>> {
  return pageHeaders({ brand, script: FORM_SCRIPT, styles: [CODE_STYLE] });
}

/** Returns the headers of the page that navigates to another host. */
export function leavingPageHeaders(brand?: Brand): Readonly<Record<string, string>> {
  return pageHeaders({ brand, script: LEAVE_SCRIPT });
}

/** Returns the headers of the page that posts an authorization response to the application (response mode `form_post`). */
export function formPostPageHeaders(brand?: Brand): Readonly<Record<string, string>> {
  return pageHeaders({ brand, script: POST_SCRIPT, formAction: 'any' });
}

interface PageFrame {
  readonly language: Language;
  readonly title: string;
  readonly brand?: Brand | undefined;
  readonly script?: string | undefined;
  /** Additional elements for the document's head, as escaped HTML. */
  readonly head?: string;
  /** Inline style sheets of this page, in addition to the common style sheet and that of the brand. */
  readonly styles?: readonly string[] | undefined;
  /** Content of the page, as escaped HTML. */
  readonly content: string;
}

/** Renders the document of a hosted page in light and dark mode, with the application's logo or name on top. */
export const renderPage = ({
  language,
  title,
  brand,
  script,
  head = '',
  styles = [],
  content,
}: PageFrame): string =>
  renderDocument({
    language,
    title,
    styles: [renderTheme(brand), ...styles].filter(Boolean),
    script,
    head,
    body: `<main>
${renderBrandMark(brand)}${content}${renderFooter(brand, language)}
</main>`,
  });

/** Renders an HTML document with the common style sheet, followed by `styles`. `head` and `body` are HTML. */
export const renderDocument = (parts: {
  readonly language: Language;
  readonly title: string;
  readonly styles: readonly string[];
  readonly script?: string | undefined;
  readonly head?: string;
  readonly body: string;
}): string => `<!doctype html>
<html ${languageAttributes(parts.language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(oneLine(parts.title))}</title>
<link rel="icon" href="data:,">${parts.head ?? ''}
${[STYLE, ...parts.styles].map((style) => `<style>${style}</style>`).join('\n')}
</head>
<body>
${parts.body}${parts.script ? `\n<script>${parts.script}</script>` : ''}
</body>
</html>
`;

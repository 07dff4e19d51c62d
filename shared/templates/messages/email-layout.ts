import { escapeHtml, escapeLines, plainText } from '../html.ts';
import { isRightToLeft, type Language, languageAttributes } from '../language.ts';
import type { Accent } from '../parts/brand.ts';

interface LinkButton {
  readonly url: string;
  readonly linkText: string;
}

interface TimedLink extends LinkButton {
  readonly expiresMinutes: number;
}

export type MessageCredential =
  /** Code, optionally with a link that has the same effect. */
  | { readonly kind: 'code'; readonly code: string; readonly link?: TimedLink | undefined }
  | ({ readonly kind: 'link' } & LinkButton)
  /** Marks an email without a link and without a code, such as a notice. */
  | { readonly kind: 'none' };

export interface MailLook {
  readonly light: Accent;
  /** Colours in dark mode. Undefined if they do not differ from light mode. */
  readonly dark?: Accent | undefined;
  /** Radius of corners in CSS pixels. */
  readonly radius: number;
  readonly font: string;
}

/** Sections of an email in reading order. An empty string produces no element. */
export interface MailSections {
  readonly language: Language;
  readonly subject: string;
  /** Text that mail programs show next to the subject in the list of messages. */
  readonly preheader: string;
  readonly look: MailLook;
  readonly logo: { readonly contentId: string; readonly alt: string } | undefined;
  /** Name of the application, shown in place of a logo. */
  readonly wordmark: string;
  readonly headerText: string;
  readonly bodyText: string;
  readonly approving: string;
  /** True if the email shows the data that the user approves. */
  readonly approves: boolean;
  readonly approvalData: Readonly<Record<string, string>>;
  readonly credential: MessageCredential;
  /** Text between the code and the link, for an email that contains both. */
  readonly orLink: string;
  readonly infoText: string;
  readonly linkFallback: string;
  readonly footerText: string;
}

/**
 * Placeholder that is replaced by the font stack in the complete email. Other content cannot contain the placeholder, because
 * quotation marks in texts are escaped.
 */
const FONT = "'fonts'";
const MONOSPACE = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";
const WRAP = 'overflow-wrap:anywhere;word-break:break-word';

/**
 * Style sheet for narrow screens and dark mode. The colours of light mode are inline, so that every mail program shows them.
 * The logo keeps a light background in dark mode, because most logos are drawn for a light background.
 */
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.outer{padding:16px 8px 24px!important}.card{padding:28px 20px!important}.footer{padding:20px 21px 0!important}.button{width:100%!important}.button a{display:block!important}}
@media (prefers-color-scheme:dark){${darkRules('')}}`;

/**
 * Dark mode for Outlook on the web (`data-ogsc`). It is a separate style sheet because Gmail may drop a whole sheet for one
 * unknown selector.
 */
const OUTLOOK_STYLE = darkRules('[data-ogsc] ');

function darkRules(scope: string): string {
  return [
    '.page{background:#0f1115!important}',
    '.card{background:#1a1d23!important;border-right-color:#2d323b!important;border-bottom-color:#2d323b!important;border-left-color:#2d323b!important}',
    '.text{color:#f2f4f7!important}',
    '.soft{color:#a4acb9!important}',
    '.box{background:#262a32!important}',
    '.line{border-color:#2d323b!important}',
    '.logo{background:#ffffff!important;padding:8px!important;border-radius:8px!important}',
    '.button td{border-color:#5b6270!important}',
  ]
    .map((rule) => scope + rule)
    .join('');
}

/** Renders the HTML part of an email. */
export function mailHtml(mail: MailSections): string {
  const { look } = mail;
  const rows = [
    logoRow(mail),
    textRow(mail.headerText, 'h1', 'font-size:22px;line-height:1.3;font-weight:700;color:#14171c', 'text'),
    bodyRow(mail.bodyText),
    approvalRow(mail),
    ...credentialRows(mail),
    textRow(mail.infoText, 'p', 'font-size:14px;line-height:1.5;color:#5c6470', 'soft'),
    fallbackRow(mail),
  ].filter((row) => row !== '');
  const footer = textRow(mail.footerText, 'p', 'font-size:13px;line-height:1.5;color:#5c6470', 'soft');

  const html = `<!doctype html>
<html ${languageAttributes(mail.language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(mail.subject)}</title>
<style>
${STYLE}${darkAccent(look)}
</style>
<style>
${OUTLOOK_STYLE}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f1f3f6">
${preheader(mail.preheader)}<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f1f3f6">
<tr><td class="outer" align="center" style="padding:40px 12px">
<!--[if mso]><table role="presentation" width="480" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px;font-family:${FONT}">
<tr><td class="card" bgcolor="#ffffff" align="left" style="padding:32px 36px;background:#ffffff;border:1px solid #e1e5ea;border-top:4px solid ${look.light.colour};border-radius:${look.radius + 2}px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
${rows.join(`\n${GAP}\n`)}
</table>
</td></tr>
${footer && `<tr><td class="footer" align="left" style="padding:20px 37px 0"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${footer}</table></td></tr>`}
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`;
  const dressed = html.replaceAll(FONT, look.font);
  return isRightToLeft(mail.language) ? mirrored(dressed) : dressed;
}

/**
 * Returns the rules for the application's own colours in dark mode, or an empty string if the application has no such colours.
 */
function darkAccent({ dark }: MailLook): string {
  if (!dark) return '';
  return `\n@media (prefers-color-scheme:dark){.card{border-top-color:${dark.colour}!important}.button td{background:${dark.colour}!important}.button a{color:${dark.on}!important}}`;
}

/**
 * Mirrors the layout for right-to-left languages, because mail programs do not support CSS logical properties. The replacements
 * cannot change texts, because quotation marks in texts are escaped.
 */
function mirrored(html: string): string {
  return html
    .replaceAll('align="left"', 'align="right"')
    .replaceAll('padding-right:12px', 'padding-left:12px');
}

const GAP = '<tr><td height="20" style="height:20px;line-height:20px;font-size:0">&nbsp;</td></tr>';

/**
 * Renders the hidden preview text. Invisible characters follow it, so that mail programs do not add the body to the preview.
 */
function preheader(text: string): string {
  if (!text) return '';
  const tail = '&#847;&zwnj;&nbsp;'.repeat(60);
  return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;font-size:1px;line-height:1px;color:transparent">${escapeHtml(text)} ${tail}</div>\n`;
}

function logoRow({ logo, wordmark }: MailSections): string {
  if (!logo)
    return textRow(wordmark, 'p', 'font-size:17px;line-height:1.3;font-weight:700;color:#14171c', 'text');
  return `<tr><td align="left"><img class="logo" src="cid:${logo.contentId}" alt="${escapeHtml(logo.alt)}" height="48" style="display:block;width:auto;height:auto;max-width:240px;max-height:64px;border:0"></td></tr>`;
}

const bodyRow = (text: string): string =>
  textRow(text, 'p', 'font-size:16px;line-height:1.5;color:#14171c', 'text');

function textRow(text: string, tag: 'h1' | 'p', style: string, name: string): string {
  if (!text) return '';
  return `<tr><td align="left"><${tag} class="${name}" dir="auto" style="margin:0;${style};font-family:${FONT};${WRAP}">${escapeLines(text)}</${tag}></td></tr>`;
}

function approvalRow({ approves, approving, approvalData }: MailSections): string {
  if (!approves) return '';
  const entries = Object.entries(approvalData);
  const cell = `padding:8px 0;border-top:1px solid #e1e5ea;font-size:15px;line-height:1.4;font-family:${FONT};${WRAP}`;
  const items = entries.map(
    ([key, value]) =>
      `<tr><td class="soft line" align="left" valign="top" width="40%" style="${cell};padding-right:12px;color:#5c6470">${escapeHtml(key)}</td><td class="text line" align="left" valign="top" dir="auto" style="${cell};font-weight:600;color:#14171c">${escapeLines(value)}</td></tr>`,
  );
  return `<tr><td align="left"><p class="soft" style="margin:0 0 8px;font-size:14px;line-height:1.4;color:#5c6470;font-family:${FONT}">${escapeHtml(approving)}</p><table width="100%" cellpadding="0" cellspacing="0" border="0">${items.join('')}</table></td></tr>`;
}

const findLink = (credential: MessageCredential): LinkButton | undefined => {
  if (credential.kind === 'code') return credential.link;
  return credential.kind === 'link' ? credential : undefined;
};

function credentialRows({ credential, orLink, look }: MailSections): readonly string[] {
  const code = credential.kind === 'code' ? [codeRow(credential.code, look)] : [];
  const link = findLink(credential);
  if (!link) return code;
  const or = code.length > 0 ? [bodyRow(orLink)] : [];
  return [...code, ...or, buttonRow(link, look)];
}

/**
 * Renders the code as one text without spaces, so that copying it copies only the digits. CSS alone adds the space between
 * digits.
 */
function codeRow(code: string, { radius }: MailLook): string {
  return `<tr><td class="box" bgcolor="#f1f3f6" align="center" style="padding:18px 8px;background:#f1f3f6;border-radius:${radius}px"><span class="text" style="font-family:${MONOSPACE};font-size:34px;line-height:1.2;font-weight:700;letter-spacing:6px;margin-right:-6px;color:#14171c;white-space:nowrap">${escapeHtml(code)}</span></td></tr>`;
}

/**
 * Renders the link as a button. The attribute `ses:no-track` makes SES leave the URL unchanged, even if its configuration set
 * tracks clicks; SES removes the attribute.
 */
function buttonRow({ url, linkText }: LinkButton, { light, radius }: MailLook): string {
  const { colour, on: ink } = light;
  return `<tr><td align="left"><table role="presentation" class="button" cellpadding="0" cellspacing="0" border="0" style="border-collapse:separate"><tr><td align="center" bgcolor="${colour}" style="background:${colour};border:1px solid ${colour};border-radius:${radius}px;mso-padding-alt:14px 32px"><a ses:no-track href="${escapeHtml(url)}" target="_blank" rel="noopener" style="display:inline-block;padding:14px 32px;font-size:16px;line-height:1.25;font-weight:600;font-family:${FONT};color:${ink};text-decoration:none;border-radius:${radius}px;${WRAP}">${escapeHtml(linkText)}</a></td></tr></table></td></tr>`;
}

function fallbackRow({ linkFallback, credential }: MailSections): string {
  const link = findLink(credential);
  if (!linkFallback || !link) return '';
  const url = escapeHtml(link.url);
  return `<tr><td class="line" align="left" style="padding-top:20px;border-top:1px solid #e1e5ea"><p class="soft" style="margin:0;font-size:13px;line-height:1.5;color:#5c6470;font-family:${FONT}">${escapeHtml(linkFallback)}<br><a ses:no-track class="soft" href="${url}" target="_blank" rel="noopener" style="color:#5c6470;word-break:break-all">${url}</a></p></td></tr>`;
}

function credentialTexts({ credential, orLink }: MailSections): readonly string[] {
  const code = credential.kind === 'code' ? [credential.code] : [];
  const link = findLink(credential);
  if (!link) return code;
  return [...code, ...(code.length > 0 ? [orLink] : []), `${link.linkText}:\n${link.url}`];
}

/** Renders the plain-text part of an email. */
export function mailText(mail: MailSections): string {
  const approvals = Object.entries(mail.approvalData).map(([key, value]) => `${key}: ${value}`);
  return [
    mail.headerText,
    mail.bodyText,
    mail.approves ? [mail.approving, ...approvals].join('\n') : '',
    ...credentialTexts(mail),
    mail.infoText,
    mail.footerText,
  ]
    .map((part) => plainText(part).trim())
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

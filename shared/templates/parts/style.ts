import { createHash } from 'node:crypto';
import { DEFAULT_COLOUR } from '../../domain/basis/colour.ts';

/** Background colours of the card that contains the page's content. */
export const CARD = { light: '#ffffff', dark: '#1a1d23' } as const;

/** Background colours of pages, and colours of buttons, of applications without a brand. */
export const PAGE = { light: '#f1f3f6', dark: '#0f1115' } as const;
export const ACCENT = { light: DEFAULT_COLOUR, dark: '#86a8ff' } as const;

const SANS =
  "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,'Hiragino Sans','Noto Sans CJK JP',sans-serif";

/**
 * Font, corners, spacing, text sizes and colours of hosted pages, the console and the playground. Margins, paddings and gaps are
 * steps of `--space-1` to `--space-7`, except where they depend on a control's geometry or on the size of the text. Text sizes
 * are `--text-1` to `--text-7`. `--edge` outlines fields with a contrast of 3 to 1 on the card (WCAG 2.2, 1.4.11).
 */
export const DESIGN = `:root{color-scheme:light dark;--font:${SANS};--radius:.625rem;--card-radius:1rem;--space-1:.25rem;--space-2:.5rem;--space-3:.75rem;--space-4:1rem;--space-5:1.5rem;--space-6:2rem;--space-7:4rem;--text-1:.8125rem;--text-2:.875rem;--text-3:.9375rem;--text-4:1rem;--text-5:1.125rem;--text-6:1.5rem;--text-7:1.75rem;--page:${PAGE.light};--hover:${PAGE.light};--card:${CARD.light};--line:#e1e5ea;--edge:#868e9a;--faint:#c8cdd5;--ink:#14171c;--soft:#5c6470;--accent:${ACCENT.light};--on-accent:#fff;--accent-edge:${ACCENT.light};--accent-ink:${ACCENT.light};--bad:#b3261e;--bad-tint:#fdf0ef}
@media (prefers-color-scheme:dark){:root{--page:${PAGE.dark};--hover:${PAGE.dark};--card:${CARD.dark};--line:#2d323b;--edge:#737b88;--faint:#40464f;--ink:#f2f4f7;--soft:#a4acb9;--accent:${ACCENT.dark};--on-accent:#0f1115;--accent-edge:${ACCENT.dark};--accent-ink:${ACCENT.dark};--bad:#ff9b92;--bad-tint:#33191a}}`;

/** Font stacks from which an application can choose. They consist of system fonts, so that pages load no fonts. */
export const FONTS = {
  sans: SANS,
  serif:
    "'Iowan Old Style','Palatino Linotype',Georgia,'Noto Serif','Hiragino Mincho ProN','Noto Serif CJK JP',serif",
  rounded: `ui-rounded,'Hiragino Maru Gothic ProN',Quicksand,Comfortaa,'Arial Rounded MT Bold',${SANS}`,
  humanist: `Seravek,'Gill Sans Nova',Ubuntu,Calibri,'DejaVu Sans',${SANS}`,
  mono: "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Noto Sans Mono CJK JP',monospace",
} as const;

const DOCUMENT = `*{box-sizing:border-box}
html{font:100%/1.5 var(--font);color:var(--ink);background:var(--page);-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;display:grid;justify-items:center;padding:clamp(var(--space-4),(100svh - 38rem)/3,9rem) var(--space-4) var(--space-4)}
main{width:100%;max-width:26rem;padding:var(--space-6);background:var(--card);border:1px solid var(--line);border-radius:var(--card-radius);overflow-wrap:anywhere}
.app{display:flex;align-items:center;gap:var(--space-3);margin:0 0 var(--space-5);font-weight:600}
.app svg{flex:none;width:2.25rem;height:2.25rem}
.app rect{stroke:var(--line)}
.app img{display:block;width:auto;height:auto;max-width:min(100%,12rem);max-height:3rem}
h1{margin:0 0 var(--space-2);font-size:var(--text-6);line-height:1.25;letter-spacing:-.01em;text-wrap:balance}
p{margin:0 0 var(--space-4)}
p:last-child,form:last-child,.check:last-child{margin-bottom:0}
.soft{color:var(--soft);font-size:var(--text-2)}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[hidden]{display:none!important}
:focus-visible{outline:3px solid var(--accent-ink);outline-offset:3px}
[tabindex='-1']:focus{outline:none}`;

const FORMS = `form{margin:0 0 var(--space-4)}
label{display:block;margin:var(--space-4) 0 var(--space-2);font-weight:600;font-size:var(--text-3)}
input,select{display:block;width:100%;min-height:3rem;padding:var(--space-2) var(--space-3);font:inherit;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:var(--radius)}
input:focus-visible,select:focus-visible{outline-offset:0;outline-width:2px;border-color:var(--accent-ink)}
[dir=rtl] input{direction:ltr}
[dir=rtl] input:not(.code){text-align:right}
input[aria-invalid]{border-color:var(--bad)}
.check{display:flex;gap:var(--space-3);margin:var(--space-3) 0;font-weight:400}
.check input{flex:none;width:1.25rem;height:1.25rem;min-height:0;margin:2px 0 0;accent-color:var(--accent-ink)}
fieldset{min-width:0}
legend{padding:0 var(--space-2);font-weight:600;font-size:var(--text-3)}
.sent{margin:0 0 var(--space-4)}
.sent p{display:inline}
#change{margin:0}
.sent .plain{min-height:1.5rem;padding:0}
.hint{margin:var(--space-2) 0 0}
.error{display:flex;gap:var(--space-2);margin:var(--space-4) 0 0;padding:var(--space-3);color:var(--bad);background:var(--bad-tint);border-radius:var(--radius);font-size:var(--text-3)}
.error svg{flex:none;width:1.25rem;height:1.25rem}
.error p{margin:0}
.button{display:flex;align-items:center;justify-content:center;gap:var(--space-2);width:100%;min-height:3rem;margin:var(--space-5) 0 var(--space-4);padding:var(--space-3) var(--space-4);font:inherit;font-weight:600;text-align:center;text-decoration:none;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent-edge);border-radius:var(--radius);cursor:pointer}
.button:hover{filter:brightness(1.08)}
:disabled{opacity:.6;cursor:default}
.button svg{flex:none;width:1.25rem;height:1.25rem}
.button+.button,form+.button,form+form>input+.button{margin-top:0}
.button:last-child{margin-bottom:0}
[aria-busy=true]{position:relative;cursor:progress;-webkit-text-fill-color:transparent}
[aria-busy=true] svg{opacity:0}
[aria-busy=true]::after{content:'';position:absolute;inset:0;width:1.125rem;height:1.125rem;margin:auto;border:2px solid;border-top-color:transparent;border-radius:50%}
.second{color:var(--ink);background:transparent;border-color:var(--edge)}
.second:hover{filter:none;background:var(--hover)}
.danger{color:var(--card);background:var(--bad);border-color:var(--bad)}
.second.danger{color:var(--bad);background:none}
.choices{margin:var(--space-5) 0 0}
.choices .button{justify-content:flex-start;margin:0 0 var(--space-3);text-align:start}
.choices .button:last-child{margin:0}
.choices svg{color:var(--soft)}
.choices .soft{display:block}
.choices strong{font-weight:400}
.or{display:flex;align-items:center;gap:var(--space-3);margin:var(--space-4) 0;color:var(--soft);font-size:var(--text-2)}
.or::before,.or::after{content:'';flex:1;border-top:1px solid var(--line)}
.or+form .button:first-of-type,.or+#passkey .button,.or+#passkey+form .button:first-of-type{margin-top:0}
.or+#passkey:not([hidden])+form{margin-top:var(--space-3)}
.ways summary{padding:var(--space-2) 0;font-weight:500;color:var(--accent-ink);border-radius:.25rem;cursor:pointer}
.ways .choices{margin:var(--space-2) 0 var(--space-4)}
summary{list-style:none}
summary::-webkit-details-marker{display:none}
summary::after{content:'';display:inline-block;margin:0 .5em .15em;padding:.2em;border:solid;border-width:0 1.5px 1.5px 0;rotate:45deg}
[open]>summary::after{rotate:225deg}
.aside{display:flex;flex-wrap:wrap;gap:0 var(--space-4);margin:var(--space-4) 0 0;padding:var(--space-3) 0 0;border-top:1px solid var(--line);font-size:var(--text-3)}
.aside details{flex:1 1 100%}
.aside form{display:flex;flex-wrap:wrap;align-items:center;column-gap:var(--space-3);margin:0}
.aside p{margin:0}
.plain{min-height:2.5rem;padding:var(--space-1) 0;font:inherit;font-weight:500;text-align:start;text-decoration:underline;text-underline-offset:.2em;text-decoration-thickness:1px;color:var(--accent-ink);background:none;border:0;border-radius:.25rem;cursor:pointer}
.aside a.plain{display:flex;align-items:center}
:where(.aside,.aside>form)>.plain{font-weight:400;color:var(--soft);text-decoration:none}
.plain:hover{text-decoration:underline 2px}
.plain:disabled{text-decoration:none}
.note{margin:var(--space-3) 0 0}
.note:empty{margin:0}
.off form,.off .or{display:none}
.notice{margin:var(--space-4) 0;padding:var(--space-3);border:1px solid var(--line);border-radius:var(--radius)}
blockquote,.notice dd{white-space:pre-line}
blockquote{margin:var(--space-1) 0 0}
.notice h2{margin:0 0 var(--space-2);font-size:var(--text-4)}
.notice dl{margin:0 0 var(--space-2)}
.notice dl div{padding:var(--space-1) 0}
.notice dt{color:var(--soft);font-size:var(--text-2)}
.notice dd{margin:0;font-weight:600}
.notice dd form{margin:0;white-space:normal}
.notice dd .soft{font-weight:400}
.notice ul{margin:0;padding:0;list-style:none}
.notice li{padding:var(--space-2) 0}
.notice li:last-child{padding-bottom:0}
.notice .plain{margin:calc(0px - var(--space-2)) 0}
.notice span+form{padding-top:var(--space-1)}
.acts{display:flex;flex-wrap:wrap;gap:0 var(--space-4);padding-top:var(--space-1)}
.acts form{margin:0}
.acts [open]{flex:1 0 100%}
summary.plain{width:fit-content;padding:var(--space-2) 0}
.notice li+li{border-top:1px solid var(--line)}
footer{display:flex;flex-wrap:wrap;gap:0 var(--space-4);align-items:center;margin:var(--space-4) 0 0;padding:var(--space-3) 0 0;border-top:1px solid var(--line);color:var(--soft);font-size:var(--text-2)}
footer .plain{display:inline-flex;align-items:center}
footer details{flex:1 1 100%}
footer summary{min-height:2.5rem;padding:var(--space-2) 0;color:var(--soft);cursor:pointer}
footer summary svg{width:1.125rem;height:1.125rem;margin-inline:var(--space-1) var(--space-2);vertical-align:-.2em}
footer nav{display:flex;flex-wrap:wrap;gap:0 var(--space-4)}
.choices form{margin:0 0 var(--space-3)}
.choices+form .choices{margin-top:0}
.wait{font-variant-numeric:tabular-nums}`;

const CONDITIONS = `@media (prefers-color-scheme:dark){.app img{padding:var(--space-2);background:#fff;border-radius:.5rem}}
h1:lang(ar){letter-spacing:0}
@media (max-width:30rem){main{padding:var(--space-5)}}
@media (min-width:30rem){html{scrollbar-gutter:stable both-edges}}
@media (max-width:22rem){main{padding:var(--space-4)}}
@media (prefers-reduced-motion:no-preference){.button,.plain,input{transition:background-color .12s,border-color .12s,filter .12s}
[aria-busy=true]::after{animation:busy .8s linear infinite}
@keyframes busy{to{rotate:1turn}}
@view-transition{navigation:auto}}
@media (forced-colors:active){.button{border:2px solid}.error{border:1px solid}}`;

/**
 * Styles of provider buttons. Google and Apple prescribe these styles for light and dark backgrounds. The other providers have
 * the same styles, because white text on their own colours does not reach a contrast of 4.5 to 1: it is 4.2 for Facebook and
 * 2.2 for LINE (WCAG 2.2, 1.4.3).
 */
const PROVIDERS = `.provider,.provider:hover{color:#1f1f1f;background:#fff;border-color:#747775;font-weight:500}
.provider:hover{background:#f5f6f7}
.choices .provider svg{color:inherit}
.provider img{flex:none;width:1.25rem;height:1.25rem;object-fit:contain}
@media (prefers-color-scheme:dark){.provider,.provider:hover{color:#e3e3e3;background:#131314;border-color:#8e918f}
.provider:hover{background:#2b2c2e}
.provider[value=apple]{color:#000;background:#fff;border-color:#fff}
.provider[value=apple]:hover{background:#e8e8e8}}`;

export const STYLE = [DESIGN, DOCUMENT, FORMS, PROVIDERS, CONDITIONS].join('\n');

/**
 * Style sheet of the code field, which only the code page contains. The field lies on a row of cells, one for each digit.
 * `::before` is an invisible text with the letter spacing of the digits. The cells are shown only if this text is wide enough.
 * It is too narrow on narrow screens, with forced colours, if the field contains other text than a code, and with the user's
 * own text spacing (WCAG 2.2, 1.4.12).
 */
export const CODE_STYLE = `.cells{--field:min(21.875rem,100vw - 5.125rem);--gap:var(--space-2);--pitch:min(3.75rem,(var(--field) + var(--gap))/var(--n));--tracking:calc(var(--pitch) - 1ch);position:relative;width:max-content;margin-right:calc(0px - var(--gap));direction:ltr;font:600 var(--text-6)/1 var(--font);font-variant-numeric:tabular-nums;letter-spacing:var(--tracking)}
.cells::before{content:attr(data-cells);display:block;padding:var(--space-4) 0;overflow:hidden;white-space:nowrap;visibility:hidden}
.cells>div{position:absolute;inset:0;container-type:inline-size}
${[4, 5, 6, 7, 8].map((digits) => `.n${digits}{--n:${digits}}`).join('')}
.cells span{display:none}
.code{width:var(--field);height:100%;text-align:left;letter-spacing:inherit}
[dir=rtl] .code{margin-left:calc(100% - var(--field))}
@container (min-width:12rem){.cells span{position:absolute;inset:0 var(--gap) 0 0;display:flex;gap:var(--gap)}
.cells i{flex:1;border:1px solid var(--edge);border-radius:min(var(--radius),1rem)}
.cells .code{position:relative;z-index:1;width:calc(100% + (var(--tracking) - var(--gap))/2);margin:0;padding:0 0 0 calc((var(--tracking) - var(--gap))/2);background:none;border:0;outline-color:transparent}
.code:focus-visible+span i{border:2px solid var(--accent-ink)}
.code[aria-invalid]+span i{border-color:var(--bad)}}
.free{width:0;margin:0;letter-spacing:0}
@media (max-width:22rem),(forced-colors:active){.cells{width:0;margin:0;letter-spacing:0}}`;

/** Returns the CSP source expression of an inline style sheet or script: its SHA-256 hash (CSP 3 §8.4). */
export function policyHash(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

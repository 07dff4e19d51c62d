// Frame of all pages of the console: in English, with the style of the hosted pages, light and dark.

import { pageHeaders, renderDocument } from '../../../shared/templates/parts/frame.ts';
import { CONSOLE_SCRIPT } from './live.ts';
import { toAttributeText } from './values.ts';

const CONSOLE_STYLE = `html{scrollbar-gutter:auto}
::placeholder{color:var(--soft);opacity:1}
body{display:block;place-items:normal;padding:0}
main{max-width:62rem;margin:0 auto;padding:var(--space-5) var(--space-4) var(--space-7);background:none;border:0;border-radius:0}
main:focus{outline:0}
header.top{background:var(--card);border-bottom:1px solid var(--line)}
header.top>div{max-width:62rem;margin:0 auto;padding:var(--space-2) var(--space-4);display:flex;flex-wrap:wrap;gap:var(--space-2) var(--space-4);align-items:center}
header.top strong{font-size:var(--text-4)}
header.top form{margin:0}
header.top form[role=search]{flex:1 1 14rem;display:flex;gap:var(--space-2)}
header.top form[role=search] input{min-height:2.5rem;padding:var(--space-2) var(--space-3)}
header.top nav{display:flex;max-width:62rem;margin:0 auto;padding:0 var(--space-2);overflow-x:auto}
header.top nav a{flex:none;padding:var(--space-2);color:var(--soft);text-decoration:none;border-bottom:3px solid transparent;border-radius:.25rem .25rem 0 0;font-size:var(--text-2)}
header.top nav a:hover{color:var(--ink)}
header.top nav a:focus-visible{outline-offset:-3px}
nav.pages{display:flex;gap:var(--space-1);margin:0;border-bottom:1px solid var(--line);overflow-x:auto}
nav.pages a{flex:none;padding:var(--space-2) var(--space-3);color:var(--soft);text-decoration:none;border-bottom:3px solid transparent;font-size:var(--text-3)}
nav.pages a:hover{color:var(--ink)}
nav.pages a:focus-visible{outline-offset:-3px}
nav.pages a[aria-current],header.top nav a[aria-current]{color:var(--accent-ink);border-color:var(--accent-ink)}
nav.pages a[aria-current]{font-weight:600}
.skip{position:absolute;left:-99rem}
.skip:focus{left:.5rem;top:.5rem;padding:var(--space-2) var(--space-3);background:var(--card);z-index:1}
a{color:var(--accent-ink);text-underline-offset:.2em}
h1{margin:var(--space-1) 0 var(--space-3)}
h2{margin:var(--space-6) 0 var(--space-3);font-size:var(--text-5);line-height:1.3}
h3{margin:var(--space-4) 0 var(--space-2);font-size:var(--text-4)}
code,.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
.crumbs{margin:0;font-size:var(--text-2);color:var(--soft)}
.crumbs+.card{margin-top:var(--space-2)}
.card{margin:0 0 var(--space-4);padding:var(--space-4);background:var(--card);border:1px solid var(--line);border-radius:var(--radius)}
.head{display:flex;gap:var(--space-4);align-items:start;justify-content:space-between}
.head h2{margin:var(--space-2) 0 var(--space-3)}
.card>:first-child{margin-top:0}
.card>:last-child{margin-bottom:0}
.error,.notice{margin:0 0 var(--space-4)}
.notice{padding:var(--space-3);color:var(--accent-ink);background:color-mix(in srgb,var(--accent) 12%,var(--card));border-radius:var(--radius);font-size:var(--text-3)}
nav.pages+.error{margin-top:var(--space-4)}
.crumbs+.notice{margin-top:var(--space-2)}
.bad,.good{border-inline-start:.25rem solid var(--bad)}
.good{border-inline-start-color:var(--accent-ink)}
.items{margin:0 0 var(--space-4);padding:0;list-style:none;background:var(--card);border:1px solid var(--line);border-radius:var(--radius)}
.items>li{padding:var(--space-3) var(--space-4)}
.items>li+li{border-top:1px solid var(--line)}
.items p{margin:var(--space-1) 0 0}
.items .acts{margin-top:var(--space-2)}
.items dl{margin:var(--space-2) 0 0}
.meta{display:flex;flex-wrap:wrap;gap:0 var(--space-4)}
.tag{display:inline-block;padding:0 var(--space-2);font-size:var(--text-1);border:1px solid var(--edge);border-radius:1rem}
.tag.yes{color:var(--accent-ink);border-color:var(--accent-ink)}
.tag.off{color:var(--bad);border-color:var(--bad)}
.mark{padding:0 .25em;font:.75em ui-monospace,Menlo,Consolas,monospace;color:var(--bad);background:var(--bad-tint);border-radius:.25rem}
dl{margin:0 0 var(--space-4)}
dl>div{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:0 var(--space-4);padding:var(--space-2) 0}
dl>div+div{border-top:1px solid var(--line)}
dt{color:var(--soft);font-size:var(--text-3)}
dd{margin:0;min-width:0}
dd>ul{margin:0;padding:0;list-style:none}
dd dl{margin:0}
:is(dd,th,.event .soft)>time{display:inline-block}
:is(dd,th,.event .soft)>time::first-letter{text-transform:uppercase}
dd dl>div,dd dl>div+div{grid-template-columns:minmax(0,13rem) minmax(2.5rem,1fr);padding:0;border:0}
.acts{display:flex;flex-wrap:wrap;gap:var(--space-2);margin:0 0 var(--space-4);padding:0;list-style:none}
.act{display:inline-flex;align-items:center;min-height:2.5rem;padding:var(--space-1) var(--space-3);color:var(--ink);background:var(--card);border:1px solid var(--edge);border-radius:var(--radius);text-decoration:none;font:inherit;font-size:var(--text-3);cursor:pointer}
.act:hover{background:var(--hover)}
.act.bad-act{color:var(--bad);border-color:var(--bad)}
.act form{margin:0}
.acts .button{width:auto;margin:0}
form.wide>.acts{margin:var(--space-5) 0 0}
ul.choices2{display:grid;gap:var(--space-3);grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));margin:0;padding:0;list-style:none}
ul.choices2 p{margin:var(--space-1) 0 0}
.event{display:grid;grid-template-columns:1.5rem 1fr;gap:var(--space-3)}
.tone{display:block;width:1.5rem;height:1.5rem;text-align:center;font-weight:700;line-height:1.5rem;border-radius:50%;color:var(--soft)}
.tone.yes{color:var(--accent-ink);box-shadow:inset 0 0 0 1.5px}
.tone.no{color:var(--bad);background:var(--bad-tint)}
.tags{display:flex;flex-wrap:wrap;gap:var(--space-2);margin:0 0 var(--space-4)}
.act[aria-current]{border-color:var(--accent-ink);color:var(--accent-ink);font-weight:600}
.state{font-size:var(--text-5);font-weight:600}
.state+.state{margin-top:var(--space-1)}
.next{color:var(--ink);font-weight:500}
form.wide{max-width:44rem}
form.filter{display:flex;flex-wrap:wrap;gap:var(--space-2) var(--space-4);align-items:end;margin:0 0 var(--space-4)}
form.filter label{flex:1 1 11rem;display:grid;gap:var(--space-1);margin:0;font-size:var(--text-3)}
form.filter input,form.filter select{font-weight:400;min-height:2.5rem;padding:var(--space-1) var(--space-3)}
fieldset{margin:var(--space-5) 0;padding:0 var(--space-4) var(--space-4);background:var(--card);border:1px solid var(--line);border-radius:var(--radius)}
legend{float:inline-start;width:100%;padding:var(--space-4) 0 var(--space-2);font-size:var(--text-5);font-weight:600}
legend+*{clear:both}
form.wide>.card,form.wide>details.part{margin:var(--space-5) 0 0}
form.wide>details.part{background:var(--card)}
.card>label:first-child{margin-top:0}
.switch{display:grid;grid-template-columns:1fr 6.5rem;gap:0 var(--space-4);align-items:center;padding:var(--space-2) 0}
.switch+.switch{border-top:1px solid var(--line)}
.switch>label{margin:0}
.switch>select{min-height:2.5rem;padding:var(--space-1) var(--space-3)}
.switch>.hint{grid-column:1/-1;margin:var(--space-1) 0 0}
.switch>details.part{grid-column:1/-1;margin:0;padding:0;border:0}
.switch>details.part>summary{padding:var(--space-2) 0 0;color:var(--soft);font-weight:400}
.wrong{margin:var(--space-1) 0;color:var(--bad);font-weight:500}
[aria-invalid=true]{border-color:var(--bad)}
.label{margin:var(--space-4) 0 var(--space-2);font-weight:600;font-size:var(--text-3)}
.choose{max-height:16rem;overflow-y:auto;padding:0 var(--space-3);border:1px solid var(--edge);border-radius:var(--radius)}
.colour{display:flex;gap:var(--space-2)}
.colour input[type=color]{flex:none;width:3.25rem;height:auto;padding:var(--space-1);cursor:pointer}
output{display:block;margin:var(--space-1) 0 0;font-size:var(--text-2)}
output:empty{display:none}
textarea{display:block;width:100%;padding:var(--space-2) var(--space-3);font:var(--text-2)/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:var(--radius)}
details.part{margin:var(--space-4) 0 0;padding:0 var(--space-4);border:1px solid var(--line);border-radius:var(--radius)}
details.part[open]{padding-bottom:var(--space-4)}
summary{padding:var(--space-2) 0;cursor:pointer;font-weight:600;font-size:var(--text-3)}
.scroll{overflow-x:auto;margin:0 0 var(--space-4)}
table{width:100%;border-collapse:collapse;font-size:var(--text-3);font-variant-numeric:tabular-nums}
th,td{padding:var(--space-2) var(--space-3) var(--space-2) 0;text-align:start;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--soft);font-weight:500}
.two{display:grid;gap:var(--space-5);grid-template-columns:minmax(0,1fr)}
@media (min-width:60rem){.two{grid-template-columns:minmax(0,1fr) 26rem}.two aside{position:sticky;top:1rem;align-self:start}.two aside h2{margin-top:0}.two form+aside h2{margin-top:var(--space-5)}}
pre{margin:var(--space-2) 0;padding:var(--space-3);overflow-x:auto;font-size:var(--text-1);background:var(--page);border-radius:var(--radius)}
iframe{display:block;width:100%;height:34rem;margin-bottom:var(--space-3);border:1px solid var(--line);border-radius:var(--radius);background:var(--page)}
figure{margin:0 0 var(--space-4)}
figcaption h2{margin-top:0}
.tiles{display:grid;gap:var(--space-3);grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));margin:0 0 var(--space-4);padding:0;list-style:none}
.tile{display:block;height:100%;padding:var(--space-4);color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:var(--radius);text-decoration:none}
.tile:is(a):hover{background:var(--hover)}
.tile strong{display:block;font-size:var(--text-7);line-height:1.2}
.tile:is(a) span{color:var(--accent-ink);text-decoration:underline;text-underline-offset:.2em}
svg.chart{display:block;width:100%;height:auto;overflow:visible}
svg.chart text{fill:var(--soft);font-size:11px;stroke:var(--card);stroke-width:3px;paint-order:stroke}
svg.chart path{stroke:var(--line)}
svg.chart .yes{fill:var(--accent-ink)}
svg.chart .no{fill:var(--bad)}
.secret{font-size:var(--text-5);font-weight:600;user-select:all}
@media (max-width:40rem){svg.chart text{font-size:18px}header.top form[role=search]{order:1;flex-basis:100%}header.top>div{justify-content:space-between}dl>div{grid-template-columns:1fr}dd dl>div{grid-template-columns:minmax(0,13rem) minmax(2.5rem,1fr)}main{padding-top:var(--space-4)}header.top>div{padding:var(--space-2) var(--space-4)}.items>li,.card{padding:var(--space-3) var(--space-4)}}`;

export type PageStatus = 200 | 400 | 403 | 404 | 503;

/** HTTP response with a page of the console. */
export interface ConsolePage {
  readonly html: string;
  readonly status?: PageStatus;
  readonly headers: Readonly<Record<string, string>>;
}

/** Content of a page: its body and styles as HTML and CSS, and the status of the response. */
interface PageContent {
  readonly title: string;
  /** Body of the page as HTML. */
  readonly body: string;
  readonly head?: string;
  /**
   * Styles of an embedded `srcdoc` frame. The frame inherits the page's Content Security Policy, so that policy must permit
   * them.
   */
  readonly styles?: readonly string[];
  readonly status?: PageStatus | undefined;
}

/** Creates a page whose headers forbid framing the page, loading content from other origins, and submitting forms to them. */
export function consolePage({ title, body, head = '', styles = [], status = 200 }: PageContent): ConsolePage {
  return {
    html: renderDocument({
      ...{
        language: 'en',
        title: `${title} · Console`,
        styles: [CONSOLE_STYLE],
        script: CONSOLE_SCRIPT,
        head,
        body,
      },
    }),
    status,
    headers: pageHeaders({
      script: CONSOLE_SCRIPT,
      styles: [CONSOLE_STYLE, ...styles],
    }),
  };
}

/** Creates a page with a single message and an optional link. */
export const messagePage = (said: {
  readonly title: string;
  readonly text: string;
  readonly action?: { readonly href: string; readonly label: string };
  readonly status?: PageStatus;
}): ConsolePage =>
  consolePage({
    title: said.title,
    status: said.status,
    body: `<main><h1>${toAttributeText(said.title)}</h1><p>${toAttributeText(said.text)}</p>${said.action ? `<p><a class="act" href="${toAttributeText(said.action.href)}">${toAttributeText(said.action.label)}</a></p>` : ''}</main>`,
  });

/**
 * Creates a page that automatically navigates to a path after a delay. The navigation starts at this origin, so browsers send
 * cookies with `SameSite=Strict`.
 */
export const forwardPage = (path: string, seconds = 0): ConsolePage =>
  consolePage({
    title: 'One moment',
    head: `\n<meta http-equiv="refresh" content="${seconds};url=${toAttributeText(path)}">`,
    body: `<main><h1>One moment</h1><p><a href="${toAttributeText(path)}">Continue</a></p></main>`,
  });

import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { errorBox, form } from '../parts/form.ts';
import { page } from '../parts/frame.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { accountEventTexts, type ToldEvent } from '../texts/account-event-texts.ts';
import { accountTexts } from '../texts/account-texts.ts';

/** Times in epoch seconds. */
export interface AccountPageInput {
  readonly language: Language;
  readonly brand: Brand;
  readonly tenantName: string;
  readonly homeUri?: string | undefined;
  readonly csrf: string;
  /** The action of a form, by its path below the page. */
  readonly actionOf: (path: string) => string;
  readonly said?: 'done' | 'expired' | 'confirmed' | 'refused' | undefined;
  /** Where a change or a login has led back to. */
  readonly part?: string | undefined;
  readonly name: string;
  readonly addresses: readonly {
    readonly kind: 'email' | 'phone';
    readonly shown: string;
    readonly isProven: boolean;
  }[];
  readonly passkeys: readonly ShownCredential[];
  readonly deviceKeys: readonly ShownCredential[];
  /** Names of providers. */
  readonly identities: readonly string[];
  readonly sessions: readonly ShownSession[];
  readonly events: readonly {
    readonly type: ToldEvent;
    readonly at: number;
    readonly device?: string | undefined;
  }[];
}

interface ShownCredential {
  readonly name: string | undefined;
  readonly addedAt: number;
  readonly usedAt?: number | undefined;
}

interface ShownSession {
  readonly item: string;
  readonly application: string;
  readonly device: string | undefined;
  readonly startedAt: number;
  readonly isOwn: boolean;
}

const MILLISECONDS = 1000;

/** In UTC, as the notices have it: the service knows nobody's time zone. */
function datesIn(language: Language) {
  const [day, minute] = [undefined, 'short' as const].map(
    (timeStyle) =>
      new Intl.DateTimeFormat(language, {
        dateStyle: 'medium',
        ...(timeStyle && { timeStyle }),
        timeZone: 'UTC',
      }),
  );
  return {
    day: (at: number) => day?.format(at * MILLISECONDS) ?? '',
    minute: (at: number) => `${minute?.format(at * MILLISECONDS)} UTC`,
  };
}

const line = (text: string) => `<span dir="auto">${escapeHtml(oneLine(text))}</span>`;
const soft = (text: string) => `<br><span class="soft">${text}</span>`;

function section(id: string, heading: string, content: string, isHere: boolean): string {
  // Without a script a page that was led back to scrolls to what has the focus.
  const focus = isHere ? ' tabindex="-1" autofocus' : '';
  return `<section class="notice" id="${id}">
<h2${focus}>${heading}</h2>
${content}
</section>`;
}

const list = (items: readonly string[]) =>
  `<ul role="list">\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;

function details({ language, name, addresses }: AccountPageInput): string {
  const texts = accountTexts[language];
  const rows = [
    ...(name === '' ? [] : [[texts.name, line(name)]]),
    ...addresses.map(({ kind, shown, isProven }) => [
      texts[kind],
      `<bdi>${escapeHtml(shown)}</bdi>${isProven ? '' : soft(texts.unconfirmed)}`,
    ]),
  ];
  return `<dl>\n${rows.map(([term, value]) => `<div><dt>${term}</dt><dd>${value}</dd></div>`).join('\n')}\n</dl>`;
}

function credentials(input: AccountPageInput, shown: readonly ShownCredential[]): string {
  const texts = accountTexts[input.language];
  const { day } = datesIn(input.language);
  return list(
    shown.map(({ name, addedAt, usedAt }) => {
      const used = usedAt === undefined ? '' : soft(texts.used(day(usedAt)));
      return `${line(name ?? texts.unnamed)}${soft(texts.added(day(addedAt)))}${used}`;
    }),
  );
}

function sessions(input: AccountPageInput): string {
  const { language, csrf, actionOf } = input;
  const texts = accountTexts[language];
  const { minute } = datesIn(language);
  const items = input.sessions.map(({ item, application, device, startedAt, isOwn }) => {
    const about = device === undefined ? application : `${application} · ${device}`;
    const shown = `${line(about)}${soft(texts.since(minute(startedAt)))}`;
    if (isOwn) return `${shown}${soft(texts.thisBrowser)}`;
    const named = `<input type="hidden" name="item" value="${escapeHtml(item)}">`;
    const target = { action: actionOf('sessions/end'), csrf };
    return `${shown}\n${form(target, `${named}<button class="plain">${texts.endSession}</button>`)}`;
  });
  if (!input.sessions.some(({ isOwn }) => !isOwn)) return list(items);
  const others = form(
    { action: actionOf('sessions/end-others'), csrf },
    `<button class="button second">${texts.endOthers}</button>`,
  );
  return `${list(items)}\n${others}`;
}

function activity({ language, events }: AccountPageInput): string {
  const texts = accountTexts[language];
  const { minute } = datesIn(language);
  if (events.length === 0) return `<p class="soft">${texts.noActivity}</p>`;
  return list(
    events.map(({ type, at, device }) => {
      const where = device === undefined ? '' : ` · ${escapeHtml(device)}`;
      return `${accountEventTexts[language][type]}${soft(`${minute(at)}${where}`)}`;
    }),
  );
}

function said({ language, brand, said: what }: AccountPageInput): string {
  const { done, expired, confirmed, refused } = accountTexts[language];
  if (what === 'refused') return errorBox(escapeHtml(refused(oneLine(brand.name))));
  if (what === 'expired') return errorBox(expired);
  return what === undefined ? '' : `<p class="notice" role="status">${{ done, confirmed }[what]}</p>\n`;
}

/** All that a person sees and changes of their account. */
export function accountPage(input: AccountPageInput): string {
  const { language, brand, tenantName, homeUri, part } = input;
  const texts = accountTexts[language];
  const none = `<p class="soft">${texts.noPasskeys}</p>`;
  const parts: readonly (readonly [string, string, string])[] = [
    ['details', texts.details, details(input)],
    ['passkeys', texts.passkeys, input.passkeys.length === 0 ? none : credentials(input, input.passkeys)],
    ...(input.deviceKeys.length === 0
      ? []
      : [['device-keys', texts.deviceKeys, credentials(input, input.deviceKeys)] as const]),
    ...(input.identities.length === 0
      ? []
      : [['identities', texts.identities, list(input.identities.map(line))] as const]),
    ['sessions', texts.sessions, sessions(input)],
    ['activity', texts.activity, activity(input)],
  ];
  const home =
    homeUri === undefined
      ? ''
      : `\n<p><a class="plain" dir="auto" href="${escapeHtml(homeUri)}" rel="noreferrer">${escapeHtml(texts.back(oneLine(brand.name)))}</a></p>`;
  return page({
    language,
    brand,
    title: texts.heading,
    script: FORM_SCRIPT,
    content: `<h1>${texts.heading}</h1>
<p dir="auto">${escapeHtml(texts.scope(oneLine(tenantName)))}</p>
${said(input)}<p class="soft">${texts.hint}</p>
${parts.map(([id, heading, content]) => section(id, heading, content, id === part)).join('\n')}${home}`,
  });
}

/** After a login that was cancelled or refused: a page, because another login at once would leave no way out. */
export function accountClosedPage(input: {
  readonly language: Language;
  readonly brand: Brand;
  readonly href: string;
}): string {
  const { language, brand, href } = input;
  const texts = accountTexts[language];
  return page({
    language,
    brand,
    title: texts.heading,
    content: `<h1>${texts.heading}</h1>
<p>${texts.signInBody}</p>
<p class="soft" dir="auto">${escapeHtml(texts.refused(oneLine(brand.name)))}</p>
<a class="button" href="${escapeHtml(href)}">${texts.signIn}</a>`,
  });
}

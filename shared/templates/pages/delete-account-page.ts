import type { NoticeChannel } from '../../records/channels.ts';
import { escapeHtml, oneLine } from '../html.ts';
import { type Language, leftToRight } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { renderHomeButton } from '../parts/exits.ts';
import { errorBox, form } from '../parts/form.ts';
import { renderPage } from '../parts/frame.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { localTime } from '../parts/time.ts';
import { accountDeletionTexts, accountTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

/** Masked address to which the link that cancels the deletion is sent. */
export interface NoticeRecipient {
  readonly channel: NoticeChannel;
  readonly to: string;
}

interface DeletionInput {
  readonly language: Language;
  readonly brand: Brand;
  /** Time at which the account is permanently deleted, in epoch seconds. */
  readonly effectiveAt: number;
  readonly noticeRecipients: readonly NoticeRecipient[];
}

const paragraph = (text: string, attributes = '') => `<p dir="auto"${attributes}>${escapeHtml(text)}</p>`;

function undoText({ language, brand, noticeRecipients }: DeletionInput): string {
  const { untold, toldByMail, toldByText } = accountDeletionTexts[language];
  const main = noticeRecipients.find(({ channel }) => channel === 'email') ?? noticeRecipients[0];
  if (!main) return fill(untold, { app: oneLine(brand.name) });
  const to = new Intl.ListFormat(language).format(
    noticeRecipients.map((each) => leftToRight(each.to, language)),
  );
  const words = { email: toldByMail, sms: toldByText } satisfies Record<NoticeChannel, unknown>;
  return fill(words[main.channel], { to });
}

/** Renders the page that asks for confirmation before an account is deleted, and says what happens when. */
export function deleteAccountPage(
  input: DeletionInput & {
    readonly tenantName: string;
    readonly action: string;
    readonly csrf: string;
    readonly accountHref: string;
    /** True if the form that the user submitted had expired. */
    readonly isExpired?: boolean;
  },
): string {
  const { language, brand, effectiveAt, tenantName, action, csrf, accountHref, isExpired } = input;
  const texts = accountDeletionTexts[language];
  return renderPage({
    language,
    brand,
    title: texts.heading,
    script: FORM_SCRIPT,
    content: `<h1>${texts.heading}</h1>
${paragraph(fill(texts.scope, { tenant: oneLine(tenantName) }))}
<p>${texts.now}</p>
<p>${fill(texts.later, { time: localTime(language, effectiveAt, 'both') })}</p>
${paragraph(undoText(input))}
<p class="soft"><a class="plain" href="${escapeHtml(accountHref)}">${texts.dataFirst}</a></p>
${errorBox(isExpired ? accountTexts[language].expired : undefined)}${form({ action, csrf }, `<button class="button danger">${texts.open}</button>`)}
<a class="button second" href="${escapeHtml(accountHref)}">${texts.keep}</a>`,
  });
}

/** Renders the page that confirms that the account has been closed and says when it is deleted. */
export function accountDeletedPage(input: DeletionInput): string {
  const { language, brand, effectiveAt, noticeRecipients } = input;
  const { doneHeading, doneBody, doneLink, untold } = accountDeletionTexts[language];
  const app = oneLine(brand.name);
  return renderPage({
    language,
    brand,
    title: doneHeading,
    content: `<h1>${doneHeading}</h1>
<p>${fill(doneBody, { time: localTime(language, effectiveAt, 'both') })}</p>
${paragraph(noticeRecipients.length > 0 ? doneLink : fill(untold, { app }), ' class="soft"')}${renderHomeButton(brand, language)}`,
  });
}

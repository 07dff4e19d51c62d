import { deviceName } from '../../shared/templates/device-name.ts';
import type { Language } from '../../shared/templates/language.ts';
import {
  type ComposedMail,
  codeMail,
  linkMail,
  type MailInput,
  type NoticeInput,
  noticeMail,
} from '../../shared/templates/messages/email.ts';
import { noticeSms, type SmsNotice, smsText } from '../../shared/templates/messages/sms.ts';
import type { Brand } from '../../shared/templates/parts/brand.ts';
import { noticeSmsTexts, noticeTexts } from '../../shared/templates/texts/all.ts';

export interface MessageSampleData {
  readonly language: Language;
  readonly applicationName: string;
  /** Colours and logo of the application, as on its hosted pages. */
  readonly brand: Brand;
}

type MailSample = readonly [name: string, make: (words: MessageSampleData) => Promise<ComposedMail>];
type SmsSample = readonly [name: string, make: (words: MessageSampleData) => string];

const code = '042917';
const link =
  'https://login.example.com/v1/auth/link/email/open?c=Vn2q8h3kX0b1mT7d5sR9yPzLw4uEoQaCfGjKiNtHxBs';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const mail = ({ language, applicationName, brand }: MessageSampleData): MailInput => ({
  language,
  applicationName,
  brand,
  tenantId: 'tenant',
  expiresMinutes: 15,
  from: 'no-reply@example.com',
  to: 'dana@example.com',
  reference: '5f0c9a2e-7d1b-4c64-9b1e-6f2a3c4d5e6f',
  sentAt: 1_790_000_000,
  requested: { at: 1_790_000_000, device: deviceName(language, FIREFOX) },
});

const at = 1_789_999_990;

const noticeKinds = Object.keys(noticeTexts.en.titles) as Parameters<typeof noticeMail>[0]['kind'][];

const NOTICE_URL = 'https://login.example.com/notice?link=Vn2q8h3kX0b1mT7d5sR9yPzLw4uEoQaCfGjKiNtHxBs';
const ACCOUNT_URL = 'https://login.example.com/account?client_id=4c9e1f0a-6b7d-4f12-8a3e-5d2c1b0a9f8e';

type NoticeKind = (typeof noticeKinds)[number];

/** Kind of undo that the link of a notice offers. The links of all other notices lead to the account page. */
const UNDOES: Partial<Record<NoticeKind, 'address' | 'change' | 'recovery' | 'erasure' | 'reclaimed'>> = {
  email_changed: 'address',
  passkey_removed: 'change',
  phone_added: 'change',
  phone_changed: 'change',
  recovery_requested: 'recovery',
  recovery_granted: 'recovery',
  undo_requested: 'recovery',
  erasure_requested: 'erasure',
  erasure_waits: 'erasure',
  reclaimed: 'reclaimed',
};

function noticeLink(kind: NoticeKind) {
  const { [kind]: undoes } = UNDOES;
  if (undoes) return { kind: undoes, url: NOTICE_URL };
  return kind === 'email_restored' ? undefined : ({ kind: 'account', url: ACCOUNT_URL } as const);
}

const DAY = 86_400;

/** Returns when the reported change takes effect, in epoch seconds. Undefined if it has taken effect already. */
function findEffect(kind: NoticeKind): number | undefined {
  if (UNDOES[kind] === 'erasure') return at + 7 * DAY;
  return kind.endsWith('_requested') ? at + DAY : undefined;
}

/** Clients, providers and passkeys that notices are about. */
const ABOUT: Partial<Record<NoticeKind, NoticeInput['about']>> = {
  client_connected: { kind: 'client', name: 'agent.example.com' },
  identity_added: { kind: 'provider', name: 'Google' },
  identity_removed: { kind: 'provider', name: 'Google' },
  passkey_removed: { kind: 'passkey', name: 'iCloud Keychain' },
};

/** Every mail that the service sends to users, composed with sample data. */
export const mailSamples: readonly MailSample[] = [
  ['link', (words) => linkMail({ ...mail(words), url: link })],
  ['link of a sign-up', (words) => linkMail({ ...mail(words), url: link, purpose: 'signUp' })],
  ['code', (words) => codeMail({ ...mail(words), code })],
  ['code of a sign-up', (words) => codeMail({ ...mail(words), code, purpose: 'signUp' })],
  ['code for a new address', (words) => codeMail({ ...mail(words), code, purpose: 'confirm' })],
  ['code that lets in again', (words) => codeMail({ ...mail(words), code, purpose: 'letIn' })],
  [
    'code and link',
    (words) => codeMail({ ...mail(words), expiresMinutes: 5, code, link: { url: link, expiresMinutes: 15 } }),
  ],
  [
    'code of an approval',
    (words) =>
      codeMail({ ...mail(words), code, approvalData: { Amount: '€ 120.00', Recipient: 'Northwind Travel' } }),
  ],
  ...noticeKinds.map(
    (kind): MailSample => [
      `notice, ${kind}`,
      (words) =>
        noticeMail({
          ...mail(words),
          kind,
          at,
          about: ABOUT[kind],
          device: deviceName(words.language, FIREFOX),
          link: noticeLink(kind),
          effectiveAt: findEffect(kind),
        }),
    ],
  ),
];

/** Types of notices that contain a link when they are sent by SMS. */
const LINKED: readonly SmsNotice[] = ['account_erased', 'factor_enrolled', 'changed_by_operator'];

/** Every text message that the service sends to users, composed with sample data. */
export const smsSamples: readonly SmsSample[] = [
  ['code', (words) => smsText({ ...words, code, host: 'login.example.com' })],
  ...(Object.keys(noticeSmsTexts.en) as SmsNotice[]).map(
    (about): SmsSample => [
      `notice, ${about}`,
      (words) => noticeSms({ ...words, about, url: LINKED.includes(about) ? NOTICE_URL : undefined }),
    ],
  ),
];

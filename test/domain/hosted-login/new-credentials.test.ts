import { describe, test } from '@jest/globals';
import { T } from '../../support/server/records.ts';
import {
  account,
  asks,
  atGoogle,
  both,
  byMail,
  byText,
  denied,
  done,
  email,
  expectState,
  google,
  key,
  mail,
  messages,
  newPasskey,
  passkey,
  phoneNumber,
  type Row,
  social,
  superseded,
  TOO_FEW,
  text,
  withMail,
} from './derived-states.ts';

describe('a login whose request limits the age of the login at a provider', () => {
  const shownAt = (authTime: number) => [{ ...social, authTime }];
  const stale = { ...atGoogle, proven: shownAt(T - 161), request: { maxAge: 100 } };
  const onlyGoogle = { loginPreferences: { google } };
  const rows: readonly Row[] = [
    ['a minute of clock difference is accepted', { ...stale, proven: shownAt(T - 160) }, done],
    ['a code can prove a fresh login', stale, asks({ open: [byMail], stale: 'google' })],
    [
      'the mailbox can be verified at an application without codes',
      { ...stale, application: onlyGoogle },
      asks({ open: [byMail], stale: 'google' }),
    ],
    [
      'a passkey makes the verification of the mailbox unnecessary',
      {
        ...stale,
        application: { loginPreferences: { google, passkey: {} } },
        passkeys: [passkey],
        request: { maxAge: 100, account: { login: 'session' } },
      },
      asks({ passkey: true, providers: ['google'], stale: 'google' }),
    ],
    [
      'no message is sent to an address from which mail bounced',
      { ...stale, user: { ...atGoogle.user, email: { ...email, undeliverable: 'bounced' as never } } },
      asks({ providers: ['google'], stale: 'google' }),
    ],
    [
      'an address that was never verified proves no fresh login',
      {
        ...stale,
        application: onlyGoogle,
        user: { ...atGoogle.user, email: { ...email, standing: 'claimed' } },
      },
      asks({ providers: ['google'], stale: 'google' }),
    ],
    [
      'a disabled provider is not offered',
      {
        ...stale,
        application: { loginPreferences: { google: { enabled: false } as never } },
        user: { identities: [account], email: { ...email, standing: 'claimed' } },
      },
      asks({ stale: 'google' }),
    ],
    [
      'a disconnected account denies the login',
      { ...stale, user: {} },
      denied('The account at the provider was disconnected'),
    ],
  ];
  test.each(rows)('%s', expectState);
});

describe('a login to the account page', () => {
  const adds = (item: string | undefined, login = 'binding') => ({
    request: { account: { login, adds: item } as never },
  });
  const rows: readonly Row[] = [
    ['adds a passkey', adds('passkey'), newPasskey],
    ['adds no passkey at an application without passkeys', { ...withMail, ...adds('passkey') }, done],
    ['replaces the email address', adds('email'), { kind: 'new-email', replaces: email }],
    ['adds a phone number', adds('phone'), { kind: 'number', replaces: undefined }],
    ['adds no phone number at an application without text messages', { ...withMail, ...adds('phone') }, done],
    [
      'connects an account at a provider',
      { ...atGoogle, user: {}, proven: [mail], ...adds('google') },
      { kind: 'connect', provider: 'google' },
    ],
    ['connects no account at a provider that the application lacks', adds('google'), done],
    ['asks for the second factor first', { ...both, ...adds('passkey') }, asks({ open: [byText] })],
    ['is denied without the second factor', { ...both, ...withMail, ...adds('passkey') }, TOO_FEW],
    [
      'asks again for a factor that was valid only in this application',
      { session: { methods: [{ ...mail, scope: 'app' }] }, proven: [], ...adds(undefined, 'session') },
      asks({ open: [byMail] }),
    ],
    [
      'asks again for a factor that did not count as a proof',
      { ...both, session: { methods: [{ ...mail, worth: 'verified' }] }, proven: [], ...adds(undefined) },
      asks({ open: [byMail, byText] }),
    ],
    [
      'asks again for a factor that was used ten minutes ago',
      { session: { methods: [{ ...mail, at: T - 600 }] }, proven: [], ...adds(undefined, 'fresh') },
      asks({ open: [byMail] }),
    ],
    ...(['offered', 'addedEmail', 'connected', 'sealedPhone'] as const).map(
      (field): Row => [
        `asks for no factor after the credential was added (${field})`,
        { ...both, ...adds('passkey'), progress: { [field]: field === 'sealedPhone' ? 'sealed' : true } },
        done,
      ],
    ),
  ];
  test.each(rows)('%s', expectState);
});

describe('a login that begins with passkeys', () => {
  const request = { passkeyFirst: true } as const;
  const offered = { offered: true } as const;
  const claimed = {
    user: { email: { ...email, standing: 'claimed' }, phoneNumber },
    proven: [text],
  } as const;
  const rows: readonly Row[] = [
    ['creates a passkey', { request }, newPasskey],
    ['is done after a passkey', { passkeys: [passkey], proven: [key], request }, done],
    ['is done after the passkey was declined', { request, progress: offered }, done],
    ['asks for the second factor first', { ...both, request }, asks({ open: [byText], isOptional: true })],
    [
      'does not count a factor that the login has created',
      { ...both, proven: [mail, { ...text, worth: 'enrolled' }], request },
      asks({ open: [byText], isOptional: true }),
    ],
    [
      'creates no passkey if the application does not offer the second factor',
      { ...both, application: { loginPreferences: { email: {}, passkey: {} } }, request },
      done,
    ],
    [
      'asks for a passkey that is valid only in this application',
      { ...both, passkeys: [{ ...passkey, scope: 'app' }], proven: [mail, text], request },
      asks({ passkey: true, isOptional: true }),
    ],
    ['creates another passkey', { ...both, passkeys: [passkey], proven: [mail, text], request }, newPasskey],
    [
      'verifies the email address last',
      { ...claimed, request, progress: offered },
      { kind: 'email', open: [byMail] },
    ],
    ['is the only one that verifies the email address', claimed, done],
    [
      'does not verify an email address at an application without mail',
      { ...claimed, application: { loginPreferences: { sms: {} } }, request, progress: offered },
      done,
    ],
    [
      'does not verify a superseded email address',
      {
        user: { email: { ...claimed.user.email, ...superseded }, phoneNumber },
        proven: [text],
        request,
        progress: offered,
      },
      done,
    ],
  ];
  test.each(rows)('%s', expectState);
});

describe('an application that offers a passkey after the login', () => {
  const application = { offerPasskeys: true, loginPreferences: { ...messages, passkey: {} } };
  const rows: readonly Row[] = [
    ['offers it', { application }, { kind: 'passkey', isOffer: true }],
    ['does not ask for a second factor because of it', { ...both, application }, done],
    ['does not offer it if the passkeys cannot be read', { application, passkeys: 'unreadable' }, done],
    [
      'does not offer it in a session that was started with a passkey',
      { application, passkeys: [passkey], session: { methods: [key] } },
      done,
    ],
    ['does not offer it to a session without a new proof', { application, session: {}, proven: [] }, done],
    ['does not offer it after an approval', { application, request: { approvalData: {} as never } }, done],
    ['does not offer it to redirect logins', { application, request: { origin: 'browser' } }, done],
  ];
  test.each(rows)('%s', expectState);
});

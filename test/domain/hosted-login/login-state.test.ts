import { describe, test } from '@jest/globals';
import { CONSOLE_APPLICATION_ID } from '../../../shared/domain/operators/operators.ts';
import type { LoginState } from '../../../shared/flows/hosted-login/login-state.ts';
import { T } from '../../support/server/records.ts';
import {
  asks,
  atGoogle,
  both,
  byMail,
  byText,
  denied,
  done,
  email,
  expectState,
  lost,
  mail,
  messages,
  NONE,
  newPasskey,
  passkey,
  phoneNumber,
  type Row,
  social,
  superseded,
  TOO_FEW,
  text,
  vouchedKey,
  vouchedPasskey,
  withMail,
  withMessages,
} from './derived-states.ts';

describe('the second factor of a login', () => {
  const request = { requireMfa: true };
  const recovering = { recovering: true } as const;
  const enrolSecondFactor = {
    application: { enrolSecondFactor: true, loginPreferences: { ...messages, passkey: {} } },
  };
  const signUp = { user: 'none', progress: { sealedSignUp: 'sealed' }, request } as const;
  const rows: readonly Row[] = [
    ['one factor is enough if the request requires no more', both, done],
    ['a text message can be the second factor', { ...both, request }, asks({ open: [byText] })],
    [
      'a passkey can be a preferred second factor',
      { passkeys: [passkey], request: { preferMfa: true } },
      asks({ passkey: true }),
    ],
    [
      'an account at a provider can be the second factor',
      { ...atGoogle, proven: [mail], request },
      asks({ providers: ['google'] }),
    ],
    [
      'an account at a provider is not asked for after a login at a provider',
      { ...atGoogle, request },
      asks({ open: [byMail] }),
    ],
    ['two factors are enough', { ...both, proven: [mail, text], request }, done],
    ['a user without a second factor is denied', { request }, NONE],
    [
      'a passkey of another relying party is no factor',
      { passkeys: [{ ...passkey, rpId: 'other.example.com' }], request },
      NONE,
    ],
    ['a passkey that only a client vouches for is no factor', { passkeys: [vouchedPasskey], request }, NONE],
    [
      'a mailed code does not make a vouched passkey the first of two factors',
      { passkeys: [vouchedPasskey], proven: [vouchedKey], request },
      NONE,
    ],
    [
      'a superseded address needs another factor even if the request requires none',
      {
        user: { email: { ...email, ...superseded }, phoneNumber, recovery: lost },
        proven: [{ ...mail, worth: 'quarantined' }],
        progress: recovering,
      },
      asks({ open: [byText] }),
    ],
    [
      'a passkey can replace a lost factor after the recovery delay',
      { user: { phoneNumber, recovery: lost }, progress: recovering, request },
      newPasskey,
    ],
    [
      'a phone number can replace a lost factor at an application without passkeys',
      { ...withMessages, user: { phoneNumber, recovery: lost }, progress: recovering, request },
      { kind: 'number' },
    ],
    [
      'a lost factor is replaced only once',
      { user: { phoneNumber, recovery: lost }, progress: { ...recovering, offered: true }, request },
      asks({ open: [byText] }),
    ],
    [
      'a lost factor is asked for until the recovery delay has passed',
      { user: { phoneNumber, recovery: { ...lost, effectiveAt: T + 1 } }, progress: recovering, request },
      asks({ open: [byText] }),
    ],
    ['a sign-up creates a passkey', signUp, { ...newPasskey, isFactor: 'first' } as LoginState],
    [
      'a sign-up by phone number can create only a passkey',
      { ...signUp, proven: [text] },
      { ...newPasskey, isFactor: 'last' } as LoginState,
    ],
    [
      'a sign-up whose user declines the passkey takes a phone number',
      { ...signUp, progress: { ...signUp.progress, offered: true } },
      { kind: 'number' },
    ],
    ['a sign-up at an application without other methods is denied', { ...signUp, ...withMail }, NONE],
    [
      'a user creates the second factor if the application lets users enrol it',
      { ...enrolSecondFactor, request },
      { ...newPasskey, isFactor: 'first' } as LoginState,
    ],
    [
      'a user who enrols a second factor must have logged in recently',
      { ...enrolSecondFactor, proven: [{ ...mail, at: T - 600 }], request },
      asks({ open: [byMail] }),
    ],
    [
      'a user with a role cannot enrol a second factor',
      { ...enrolSecondFactor, user: { roles: ['support'] }, request },
      NONE,
    ],
    [
      'a user with a second factor at another application cannot enrol one',
      { ...enrolSecondFactor, user: { phoneNumber: { ...phoneNumber, scope: 'other' } }, request },
      NONE,
    ],
    [
      'a login without a factor of the account cannot enrol a second factor',
      {
        ...enrolSecondFactor,
        user: { email: { ...email, standing: 'claimed' } },
        proven: [vouchedKey],
        passkeys: [vouchedPasskey],
        request,
      },
      NONE,
    ],
  ];
  test.each(rows)('%s', expectState);
});

describe('a login that requires a phone number', () => {
  const request = { requirePhone: true };
  const rows: readonly Row[] = [
    ['takes a number', { request }, { kind: 'number' }],
    [
      'takes a number during a sign-up',
      { user: 'none', progress: { sealedSignUp: 'sealed' }, request },
      { kind: 'number' },
    ],
    ['accepts the verified number of the user', { ...both, request }, done],
    ['accepts a number that was just verified', { request, progress: { sealedPhone: 'sealed' } }, done],
    [
      'does not accept a number at risk',
      { user: { phoneNumber: { ...phoneNumber, risk: 'sim_swap' as never } }, request },
      { kind: 'number' },
    ],
    ['asks for the second factor first', { passkeys: [passkey], request }, asks({ passkey: true })],
    ['is denied without the second factor', { ...withMessages, passkeys: [passkey], request }, TOO_FEW],
    [
      'is denied at an application without text messages',
      { ...withMail, request },
      denied('A verified phone number is required, and no text messages are sent'),
    ],
  ];
  test.each(rows)('%s', expectState);
});

describe('other states of a login', () => {
  const progress = { sealedLink: 'sealed' };
  const linking = { proven: [{ ...social, worth: 'verified' }], progress } as const;
  const pending = { ...lost, effectiveAt: T + 50 };
  const consent = { key: 'key', scopes: [{ name: 'notes' }], offline: false, isAlways: false };
  const application = { applicationId: CONSOLE_APPLICATION_ID };
  const rows: readonly Row[] = [
    ['an erased user is denied', { user: 'none' }, denied('The user no longer exists')],
    [
      'a text message to a number at risk is denied',
      { user: { phoneNumber: { ...phoneNumber, risk: 'sim_swap' as never } }, proven: [text] },
      denied('Text messages are not accepted at present'),
    ],
    [
      'a superseded login is denied',
      { progress: superseded },
      denied('Another person has verified an address of the user since'),
    ],
    [
      'a login whose session has ended is denied',
      { progress: { held: { sessionId: 'ended', browserHash: 'hash' } } },
      denied('The login session has ended'),
    ],
    ['a provider account with a verified mailbox is linked', linking, { kind: 'link' }],
    [
      'a login at a provider ten minutes ago links no account',
      { ...linking, proven: [{ ...linking.proven[0], at: T - 600 }] },
      asks({ open: [byMail] }),
    ],
    ['an account with two factors is linked after both', { ...both, ...linking }, asks({ open: [byText] })],
    [
      'an account is not linked at an application without its second factor',
      { ...both, ...withMail, ...linking },
      denied('An account with this address exists'),
    ],
    ['a pending recovery is announced', { user: { recovery: pending } }, { kind: 'loss', recovery: pending }],
    [
      'a pending recovery is announced once',
      { user: { recovery: pending }, progress: { heard: true } },
      done,
    ],
    [
      'a pending recovery is not announced to a session that gets a factor',
      { user: { recovery: pending }, session: {} },
      done,
    ],
    [
      'a registration ends with its passkey',
      { request: { enrolment: { userName: 'ann' } }, progress: { newPasskey: passkey } },
      done,
    ],
    ['a registration creates a passkey', { request: { enrolment: { userName: 'ann' } } }, newPasskey],
    ['a client asks for consent', { request: { consent } }, { kind: 'consent', scopes: consent.scopes }],
    ['an operator confirms the command line', { application }, { kind: 'command-line' }],
    ['an operator confirms the command line once', { application, progress: { confirmed: true } }, done],
    [
      'an operator confirms nothing on the account page',
      { application, request: { account: { login: 'session' } } },
      done,
    ],
  ];
  test.each(rows)('%s', expectState);
});

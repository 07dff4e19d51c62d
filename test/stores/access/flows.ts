import { ENDED_SESSION_SECONDS, ENDED_SESSIONS_MAX } from '../../../shared/domain/basis/limits.ts';
import { consoleSessions } from '../../../shared/dynamo/console/console-sessions.ts';
import { statistics } from '../../../shared/dynamo/events/statistics.ts';
import { webhookDeliveries } from '../../../shared/dynamo/events/webhook-deliveries.ts';
import { approvals } from '../../../shared/dynamo/flows/approvals.ts';
import { authorizationCodes } from '../../../shared/dynamo/flows/authorization-codes.ts';
import { clientDocuments } from '../../../shared/dynamo/flows/client-documents.ts';
import { formerApplications } from '../../../shared/dynamo/flows/former-applications.ts';
import { guesses } from '../../../shared/dynamo/flows/guesses.ts';
import { knownDeviceRecords, knownDevices } from '../../../shared/dynamo/flows/known-devices.ts';
import { loginTransactions } from '../../../shared/dynamo/flows/login-transactions.ts';
import { magicLinks } from '../../../shared/dynamo/flows/magic-links.ts';
import { noticeLinks } from '../../../shared/dynamo/flows/notice-links.ts';
import { oneTimeCodes } from '../../../shared/dynamo/flows/one-time-codes.ts';
import { pushedRequests } from '../../../shared/dynamo/flows/pushed-requests.ts';
import { replayGuard } from '../../../shared/dynamo/flows/replay-guard.ts';
import { revokedTokens } from '../../../shared/dynamo/flows/revoked-tokens.ts';
import { sessions } from '../../../shared/dynamo/flows/sessions.ts';
import { testCodes } from '../../../shared/dynamo/flows/test-codes.ts';
import { upstreamLogins } from '../../../shared/dynamo/flows/upstream-logins.ts';
import { webauthnChallenges } from '../../../shared/dynamo/flows/webauthn-challenges.ts';
import { windowRecords, windows } from '../../../shared/dynamo/flows/windows.ts';
import type {
  GuessCounter,
  Guesses,
  OneTimeCodeKey,
  OneTimeCodes,
  Session,
  Sessions,
  StoredCode,
} from '../../../shared/ports/flows.ts';
import {
  someAuthorizationCode,
  someLoginTransaction,
  somePushedRequest,
  someUpstreamLogin,
} from '../../support/fixtures/flow-records.ts';
import { someApproval, someChallenge } from '../../support/fixtures/signing-records.ts';
import {
  someCode,
  someCodeKey,
  someFamily,
  someLink,
  someSession,
  someUse,
  T,
  unique,
} from '../../support/server/records.ts';
import { calls, type Exercises, page, usingOnce, withRecord } from './exercise.ts';

const inSession = (call: (store: Sessions, session: Session) => Promise<unknown>) =>
  withRecord<Sessions, Session>(
    (store, session) => store.start(session),
    () => someSession({ families: [someFamily()] }),
    call,
  );
const ofCode = (call: (store: OneTimeCodes, key: OneTimeCodeKey, code: StoredCode) => Promise<unknown>) =>
  withRecord<OneTimeCodes, { readonly key: OneTimeCodeKey; readonly code: StoredCode }>(
    (store, { key, code }) => store.put(key, code),
    () => ({ key: someCodeKey(), code: someCode({ maxTries: 1 }) }),
    (store, { key, code }) => call(store, key, code),
  );

const someTestCode = () => ({
  userId: unique('user'),
  ...someCodeKey(),
  code: '123456',
  mac: unique('mac'),
  channel: 'email' as const,
  sentAt: T,
  expiresAt: T + 60,
});

const delivery = {
  ...{ webhookId: 'webhook', deliveryId: '1-msg' },
  event: { id: 'e', type: 'user.created', time: '2026-11-28T09:30:00.000Z' },
};

export const flowExercises = {
  statistics: {
    make: statistics,
    verbs: {
      count: (store) => store.count({ tenantId: 'tenant', quarter: T, batch: 'AAAAAAAA' }, { logins: 1 }),
      list: (store) => store.list('tenant', T, 4),
    },
  },
  webhookDeliveries: {
    make: webhookDeliveries,
    verbs: {
      note: (store) => store.note(delivery, { at: T, attempt: 1, status: 204 }),
      find: (store) => store.find('webhook', '1-msg'),
      list: (store) => store.list('webhook', page),
    },
  },
  knownDevices: {
    make: knownDevices,
    verbs: {
      isKnown: (store) => store.isKnown('user', 'browser', T),
      remember: (store) => store.remember('user', unique('browser'), T),
    },
  },
  formerApplications: {
    make: formerApplications,
    verbs: {
      remember: (store) => store.remember('tenant', 'app', T),
      listOf: (store) => store.listOf('tenant', T),
    },
  },
  knownDeviceRecords: {
    make: knownDeviceRecords,
    verbs: { forgetAllOf: (store) => store.forgetAllOf('user') },
  },
  otps: {
    make: oneTimeCodes,
    verbs: {
      put: ofCode((store, key, code) => store.put(key, code)),
      countTry: ofCode(async (store, key) => {
        await store.countTry(key, { at: T });
        await store.countTry(key, { at: T });
      }),
      refundTry: ofCode((store, key, code) => store.refundTry(key, code.mac, {})),
      consume: ofCode((store, key, code) => store.consume(key, code.mac, { at: T })),
      giveBack: ofCode((store, key, code) => store.giveBack(key, code.mac, 'holder', T)),
      isUsable: ofCode((store, key, code) => store.isUsable(key, code.mac, T)),
      restore: ofCode((store, key, code) => store.restore(key, code.mac, [code])),
      lockedUntil: ofCode((store, { applicationId, identifierHash }) =>
        store.lockedUntil(applicationId, identifierHash, T),
      ),
      removeAllOf: ofCode((store, { applicationId, identifierHash }) =>
        store.removeAllOf(applicationId, identifierHash),
      ),
    },
  },
  guesses: {
    make: guesses,
    verbs: {
      count: async (store) => {
        const counter = { person: unique('person'), asker: 'strangers' };
        for (const _ of [1, 2]) await store.count(counter, 1, T);
      },
      clearBelow: (store) => store.clearBelow({ person: unique('person'), asker: 'strangers' }, 1),
      clear: (store) => store.clear({ person: unique('person'), asker: 'strangers' }),
      areFull: (store) => store.areFull(unique('person'), 1),
      clearAllOf: withRecord<Guesses, GuessCounter>(
        (store, counter) => store.count(counter, 1, T),
        () => ({ person: unique('person'), asker: 'strangers' }),
        (store, { person }) => store.clearAllOf(person),
      ),
    },
  },
  links: {
    make: magicLinks,
    verbs: {
      ...usingOnce(someLink),
      giveBack: (store) => store.giveBack(someLink(), 'holder'),
      revoke: (store) => store.revoke('hash'),
    },
  },
  codes: {
    make: authorizationCodes,
    verbs: {
      ...usingOnce(someAuthorizationCode),
      giveBack: (store) => store.giveBack(someAuthorizationCode(), 'holder'),
      keepConsumed: (store) => store.keepConsumed('hash'),
      upgrade: (store) => {
        const { hash, methods, sessionId, startsSession } = someAuthorizationCode();
        return store.upgrade(hash, { methods, sessionId, startsSession, expiresAt: T + 60, at: T });
      },
      spend: (store) => store.spend('hash', T),
    },
  },
  clientDocuments: {
    make: clientDocuments,
    verbs: {
      find: (store) => store.find('hash', T),
      put: (store) => store.put('hash', { redirectUris: [], refreshes: false, expiresAt: T }),
    },
  },
  pushedRequests: {
    make: pushedRequests,
    verbs: {
      put: (store) => store.put(somePushedRequest()),
      spend: async (store) => {
        const request = somePushedRequest();
        await store.put(request);
        calls.clear();
        for (const browser of ['own', 'other']) await store.spend(request, browser, T);
      },
    },
  },
  loginTransactions: {
    make: loginTransactions,
    verbs: {
      put: (store) => store.put(someLoginTransaction()),
      prepare: (store) => store.prepare({ ...someLoginTransaction(), progress: '{}' }),
      bind: (store) => store.bind('hash', { browserHash: 'browser', request: '{}', expiresAt: T }, T),
      skip: (store) => store.skip('hash', T + 60, T),
      find: (store) => store.find('hash', T),
      findStart: (store) => store.findStart('hash', 'browser'),
      advance: (store) => store.advance(someLoginTransaction(), '{}', T),
      finish: (store) => store.finish('hash', T),
      reopen: (store) => store.reopen(someLoginTransaction(), 'holder'),
    },
  },
  upstreamLogins: {
    make: upstreamLogins,
    verbs: {
      ...usingOnce(someUpstreamLogin),
      keepAnswer: (store) => store.keepAnswer('hash', 'sealed', T),
      giveBack: (store) => store.giveBack('hash', 'holder', 'sealed'),
    },
  },
  replays: {
    make: replayGuard,
    verbs: {
      spend: async (store) => {
        const id = unique('jti');
        for (const _ of [1, 2]) await store.spend('client', id, T + 60, T);
      },
    },
  },
  revokedTokens: {
    make: revokedTokens,
    verbs: {
      revoke: (store) => store.revoke(unique('jti'), T + 60),
      isRevoked: (store) => store.isRevoked('jti', T),
    },
  },
  sessions: {
    make: sessions,
    verbs: {
      start: inSession((store, session) => store.start(session)),
      find: inSession((store, { sessionId }) => store.find(sessionId, T)),
      join: inSession((store, { sessionId }) => {
        const methods = [someUse({ method: 'sms', at: T })];
        return store.join(sessionId, {
          ...{ at: T, expiresAt: T + 1, methods, dropFamilies: [] },
          family: someFamily(),
        });
      }),
      releaseBrowser: inSession((store, { sessionId }) => store.releaseBrowser(sessionId, 'hash')),
      rotate: inSession((store, { sessionId }) => {
        const rotation = { at: T, nextHash: 'next', familyExpiresAt: T + 1, sessionExpiresAt: T + 1 };
        const previous = {
          ...{ hash: 'hash', rotatedAt: T, expiresAt: T + 1 },
          ...{ sealedSuccessor: 'sealed', jti: 'jti' },
        };
        return store.rotate(sessionId, 'family', { ...rotation, previous });
      }),
      renew: inSession((store, { sessionId }) => {
        const ends = { familyExpiresAt: T + 1, sessionExpiresAt: T + 1 };
        return store.renew(sessionId, 'family', { at: T, presentedHash: 'hash', ...ends });
      }),
      endFamily: inSession((store, { sessionId }) => store.endFamily(sessionId, 'family', T)),
      end: inSession((store, { sessionId }) => store.end(sessionId, T)),
      forbid: async (store) => store.forbid(someSession().sessionId, T),
      listOf: inSession((store, { userId }) => store.listOf(userId, T)),
      review: async (store) => {
        const userId = unique('user');
        for (let n = 0; n <= ENDED_SESSIONS_MAX; n += 1) await store.forbid(`${userId}.${n}`, T);
        calls.clear();
        return store.review(userId, T + ENDED_SESSION_SECONDS);
      },
      noteTold: inSession((store, { sessionId }) => store.noteTold(sessionId, T)),
      endAllOf: inSession((store, { userId }) => store.endAllOf(userId, T)),
      eraseAllOf: inSession((store, { userId }) => store.eraseAllOf(userId, T)),
    },
  },
  webauthnChallenges: {
    make: webauthnChallenges,
    verbs: {
      ...usingOnce(someChallenge),
      putRegistration: (store) => store.putRegistration(someChallenge({ userId: 'user', userName: 'ann' })),
      giveBack: (store) => store.giveBack('hash', 'holder'),
    },
  },
  approvals: {
    make: approvals,
    verbs: { ...usingOnce(someApproval), giveBack: (store) => store.giveBack('hash', 'holder') },
  },
  testCodes: {
    make: testCodes,
    verbs: {
      put: (store) => store.put(someTestCode()),
      find: (store) => store.find(unique('user'), T),
      forget: (store) => store.forget(unique('user')),
    },
  },
  consoleSessions: {
    make: consoleSessions,
    verbs: {
      put: (store) => store.put({ hash: unique('hash'), sealed: 'sealed', expiresAt: T + 1 }),
      find: (store) => store.find(unique('hash'), T),
      keep: (store) => store.keep({ hash: unique('hash'), sealed: 'sealed' }, T),
      remove: (store) => store.remove(unique('hash')),
    },
  },
  noticeLinks: {
    make: noticeLinks,
    verbs: {
      put: (store) => store.put({ hash: unique('hash'), target: 'sealed', expiresAt: T + 1 }),
      find: (store) => store.find(unique('hash'), T),
      extend: (store) => store.extend(unique('hash'), T + 2),
    },
  },
  windows: {
    make: windows,
    verbs: {
      count: async (store) => {
        const key = unique('window');
        for (const _ of [1, 2]) await store.count(key, [{ seconds: 60, max: 1 }], T);
      },
      pay: (store) => store.pay(unique('window'), 60, 1, T),
      takeBack: (store) => store.takeBack(unique('window'), [{ seconds: 60, max: 1 }], T),
    },
  },
  windowRecords: {
    make: windowRecords,
    verbs: {
      forget: async (store, table) => {
        const key = unique('window');
        await windows(table).count(key, [{ seconds: 60, max: 1 }], T);
        calls.clear();
        await store.forget([key], 60, T);
      },
      announce: (store) => store.announce(unique('window'), 60, T),
      counted: (store) => store.counted(unique('window'), [{ seconds: 60, max: 1 }], T),
    },
  },
} as const satisfies Partial<Exercises>;

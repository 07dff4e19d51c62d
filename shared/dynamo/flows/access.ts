import {
  batchGet,
  binds,
  get,
  onlyAttributes,
  onTable,
  type PortAccess,
  put,
  query,
  remove,
  update,
} from '../access.ts';

const flows = onTable('flows');
/** Returns the access for single-use records. */
const singleUse = (prefix: string) => ({
  put: [flows(prefix, put)],
  find: [flows(prefix, get)],
  consume: [flows(prefix, update)],
});

const lifetime = ['expires_at', 'purge_at'];
const applicationAttributes = ['hash', 'tenant_id', 'application_id'];
const login = [...lifetime, 'browser_hash', 'request'];
const beginning = onlyAttributes(
  ...login,
  ...applicationAttributes,
  ...['client_id', 'joins', 'started_at', 'begun_by'],
);
const skipping = onlyAttributes(...lifetime, 'finished_at', 'begun_by');
const binding = onlyAttributes(...login, 'finished_at');
const device = ['device_id', 'user_agent', 'ip_address'];
const ending = onlyAttributes('ended_at', 'ended_by', ...lifetime, 'ends_at', ...device);
/** Restricts a write to the session attributes that show whether the session has ended. */
const checkingEnd = onlyAttributes('ended_at', 'expires_at', 'ends_at');
/** WebAuthn challenge attributes that a login may write. The user ID is excluded, because it decides who gets a new passkey. */
const challenge = ['purpose', 'rp_id', 'challenge', 'raw_challenge', 'approval_data'];
const challenging = onlyAttributes(
  ...applicationAttributes,
  ...challenge,
  'identifier_hashes',
  'login_hash',
  ...lifetime,
);

export const flowsAccess = {
  knownDevices: { isKnown: [flows('device#', get)], remember: [flows('device#', update)] },
  knownDeviceRecords: { forgetAllOf: [flows('device#', remove)] },
  formerApplications: {
    remember: [flows('former-apps#', put)],
    listOf: [flows('former-apps#', query)],
  },
  otps: {
    put: [flows('otp#', update)],
    countAttempt: [flows('otp#', update)],
    refundAttempt: [flows('otp#', update)],
    consume: [flows('otp#', update)],
    undoConsume: [flows('otp#', update)],
    isUsable: [flows('otp#', get)],
    restore: [flows('otp#', update)],
    locksOf: [flows('otp#', query)],
    removeAllOf: [flows('otp#', query, remove)],
  },
  guesses: {
    count: [flows('guesses#', update)],
    clearBelow: [flows('guesses#', remove)],
    clear: [flows('guesses#', remove)],
    areFull: [flows('guesses#', query)],
    clearAllOf: [flows('guesses#', query, remove)],
  },
  links: {
    ...singleUse('link#'),
    undoConsume: [flows('link#', update)],
    revoke: [flows('link#', remove)],
  },
  codes: {
    ...singleUse('code#'),
    undoConsume: [flows('code#', update)],
    finalizeConsumption: [flows('code#', update)],
    upgrade: [flows('code#', update)],
    spend: [flows('code#', update)],
  },
  clientDocuments: { find: [flows('document#', get)], put: [flows('document#', put)] },
  pushedRequests: { put: [flows('par#', put)], spend: [flows('par#', update)] },
  loginTransactions: {
    put: [beginning(flows('login#', put))],
    prepare: [flows('login#', put)],
    bind: [binding(flows('login#', update))],
    skip: [skipping(flows('login#', put))],
    find: [flows('login#', get)],
    findStart: [flows('login#', get)],
    advance: [flows('login#', update)],
    finish: [flows('login#', update)],
    reopen: [flows('login#', update)],
  },
  upstreamLogins: {
    ...singleUse('upstream#'),
    storeResponse: [flows('upstream#', update)],
    undoConsume: [flows('upstream#', update)],
  },
  testCodes: {
    put: [flows('test-code#', put)],
    find: [flows('test-code#', get)],
    forget: [flows('test-code#', remove)],
  },
  noticeLinks: {
    put: [flows('notice-link#', put)],
    find: [flows('notice-link#', get)],
    extend: [onlyAttributes('expires_at', 'purge_at')(flows('notice-link#', update))],
  },
  replays: { spend: [flows('jti#', put)] },
  revokedTokens: { revoke: [flows('revoked#', put)], isRevoked: [flows('revoked#', get)] },
  sessions: {
    start: [flows('session#', put)],
    find: [flows('session#', get)],
    join: [flows('session#', update)],
    releaseBrowser: [flows('session#', update)],
    bind: [binds(flows('session#', update))],
    countProof: [binds(flows('session#', update))],
    rotate: [flows('session#', update)],
    renew: [flows('session#', update)],
    endFamily: [flows('session#', get, update)],
    end: [ending(flows('session#', update))],
    forbid: [ending(flows('session#', put, update))],
    listOf: [flows('session#', query)],
    review: [flows('session#', query), checkingEnd(flows('session#', remove))],
    markClientsNotified: [flows('session#', update)],
    endAllOf: [flows('session#', query), ending(flows('session#', update))],
    eraseAllOf: [flows('session#', query, put)],
  },
  webauthnChallenges: {
    ...singleUse('webauthn#'),
    put: [challenging(flows('webauthn#', put))],
    putRegistration: [flows('webauthn#', put)],
    undoConsume: [flows('webauthn#', update)],
  },
  approvals: { ...singleUse('approval#'), undoConsume: [flows('approval#', update)] },
  windows: {
    count: [flows('window#', update)],
    confirm: [flows('window#', update)],
    uncount: [flows('window#', update)],
  },
  windowRecords: {
    counted: [flows('window#', get)],
    forget: [flows('window#', batchGet, remove)],
    announce: [flows('window#', update)],
  },
} as const satisfies PortAccess;

const COMPILER = 'The other value cannot occur: the condition or default is for the compiler.';
const ARBITRARY = 'The number is arbitrary: one more makes no difference.';
const ORDER = 'A sort reads only the sign, and the compared values differ.';
const VERSION = 'Any increase changes the version, and nothing reads by how much.';
const RETRY_AFTER = 'Every such error says when to try again.';
const NAMES = 'The names are asked for, not their values.';
const ONE_MORE = 'One more item is read and not used.';

/**
 * Lines whose mutants no test has to detect, by path: the text of the line, without leading and trailing spaces, and the reason
 * why no caller can observe the changed behaviour.
 */
export const accepted: Readonly<Record<string, readonly (readonly [line: string, reason: string])[]>> = {
  'functions/account/own-account.ts': [
    [
      'if (!session || !user || isIncompleteLogin(session) || needsAnotherFactor(session.methods))',
      'A session and its user are found together, or neither: the second check is for the compiler.',
    ],
  ],
  'functions/console/act.ts': [
    [
      "operation.method === 'POST' && isJson(result)",
      'Responses to other methods contain no ID of a screen below the current one, and other results have no such path.',
    ],
  ],
  'functions/console/engine/call.ts': [['const TIMEOUT_MS = 8_000;', ARBITRARY]],
  'functions/console/engine/colours.ts': [
    [
      `const verdict = ratio < TEXT_CONTRAST ? \`too low, \${TEXT_CONTRAST} to 1 is needed\` : 'good to read';`,
      'No two colours have a contrast of exactly 4.5.',
    ],
  ],
  'functions/console/engine/forms.ts': [
    [
      'export const digest = (text: string): string => hashSecret(text).slice(0, 12);',
      'Both sides of the comparison use the same part of the digest.',
    ],
  ],
  'functions/console/engine/inputs.ts': [
    ['const LINE_MAX = 1024;', 'No field has a maximum length of 1025.'],
    [
      'if (isStructure(field) || (schema.maxLength ?? 0) > LINE_MAX)',
      'The default only has to be below the limit.',
    ],
  ],
  'functions/console/engine/render.ts': [
    [
      "({ method, path }) => method === 'PUT' && path === of.document.operations.get(read)?.path,",
      'Only the application has pages of settings, and its only other action is a DELETE that comes later.',
    ],
  ],
  'functions/console/session.ts': [['const TIMEOUT_MS = 8_000;', ARBITRARY]],
  'functions/deployment/edge-records.ts': [
    ["const { items, nextCursor } = await tenantRecords.list('', { limit: 1 });", ONE_MORE],
  ],
  'functions/events/post-webhook.ts': [
    ['return answer.statusCode ?? 0;', COMPILER],
    ['const TIME_OUT_MILLISECONDS = 5000;', ARBITRARY],
  ],
  'functions/events/queues.ts': [['attempts: 5,', ARBITRARY]],
  'functions/events/synthetic-login.ts': [['const LOGIN_MILLISECONDS = 10_000;', ARBITRARY]],
  'functions/hosted-login/addressee.ts': [
    [
      "if (userId === undefined) throw new Error('an address is added after the first factor only');",
      COMPILER,
    ],
  ],
  'functions/hosted-login/form-handlers.ts': [
    ["return { key: 'rate_limited', retryAfterSeconds: error.detail.retryAfterSeconds ?? 60 };", RETRY_AFTER],
  ],
  'functions/hosted-login/passkey-options.ts': [
    ["if (userId === undefined) throw new ServiceError('login_not_found');", COMPILER],
  ],
  'functions/hosted-login/recovery.ts': [
    ['const retryAfterSeconds = error.detail.retryAfterSeconds ?? 0;', RETRY_AFTER],
  ],
  'functions/hosted-login/verify-code.ts': [
    [
      'if (!(error instanceof ServiceError)) throw error;',
      'Any other error has no `detail`: reading it throws, too.',
    ],
    [
      "return ATTEMPTS_LEFT[detail.attemptsLeft ?? -1] ?? 'code_wrong';",
      'No number of attempts is negative.',
    ],
    ['if (!user || !given || !address)', COMPILER],
  ],
  'functions/hosted-login/verify-passkey.ts': [
    [
      "if (userId === undefined) throw new Error('a passkey is registered after the first factor');",
      COMPILER,
    ],
  ],
  'functions/operations.ts': [
    [
      'return Number(String(one) > String(other)) - Number(String(one) < String(other));',
      'It changes only the order of the methods of one path in the API document.',
    ],
    [
      `if (area === undefined) throw new Error(\`functions/\${row.file}.ts belongs to no area\`);`,
      'It is thrown at the start of every function while a developer adds a file to no area; all files have one.',
    ],
  ],
  'functions/social/authenticate.ts': [['if (!email) return undefined;', COMPILER]],
  'functions/social/finish-hosted-login.ts': [
    [
      "if (!user || !binding) throw new Error('a login that connects an account must have a user');",
      COMPILER,
    ],
  ],
  'functions/social/start.ts': [
    [
      'if (!(error instanceof ServiceError)) throw error;',
      'What is no error of the service has no `detail`: reading that throws, too.',
    ],
  ],
  'shared/domain/basis/await-all.ts': [
    ['for (let from = 0; from < all.length; from += atOnce)', 'The additional batch is empty.'],
  ],
  'shared/domain/basis/change-record.ts': [['return (await list({ limit: 1 })).items.length > 0;', ONE_MORE]],
  'shared/domain/basis/code-lock.ts': [
    [
      'tried ? tried.maxTries - tried.tries : 0;',
      'The attempt was just counted, so a count is always stored.',
    ],
  ],
  'shared/domain/basis/colour.ts': [
    [
      "return computeContrast('#ffffff', colour) >= computeContrast('#000000', colour) ? '#ffffff' : '#000000';",
      'No colour has the same contrast to both.',
    ],
    [
      'for (let share = 0; share < 1; share += 0.04) {',
      'A share of 1 gives the end colour, which is returned anyway.',
    ],
    [
      'if (computeContrast(mixed, ground) >= ratio) return mixed;',
      'No reachable mixture has exactly the ratio.',
    ],
    ['Math.round(channel + ((ends[at] ?? 0) - channel) * share),', COMPILER],
    ['const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {', COMPILER],
    [
      'return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;',
      'No channel divided by 255 equals the border.',
    ],
  ],
  'shared/domain/claims/claims-request.ts': [
    [
      '...(userInfo.size > 0 ? { userinfo: Object.fromEntries(userInfo) } : {}),',
      'An empty object asks for as little as none. It only makes the stored request longer.',
    ],
  ],
  'shared/domain/credentials/client-keys.ts': [
    ['const { modulusLength = 0, publicExponent = 0n } = details;', COMPILER],
  ],
  'shared/domain/credentials/verify-approval.ts': [
    [
      'const flags = authenticatorData[FLAGS_AT] ?? 0;',
      'Without the byte, the flag for user verification is missing in both cases.',
    ],
  ],
  'shared/domain/hosted-login/login-transaction.ts': [
    [
      "if (address === undefined) throw new Error('the login belongs to another browser');",
      'A login is read only with the secret of its browser, with which its address was sealed.',
    ],
    [
      'function hasLink({ earlierLinks = [], ...newest }: PendingCredential, code: string, now = 0): boolean {',
      'Every link expires long after the first second of the epoch.',
    ],
    [
      'if (!opened || !enrolment || userId === undefined) return undefined;',
      'A registration always has a user, and `bind` rejects a login that a browser began.',
    ],
  ],
  'shared/domain/identifiers/decimal-digits.ts': [['const own = digit.codePointAt(0) ?? 0;', COMPILER]],
  'shared/domain/identifiers/identifier-reservations.ts': [
    [
      'one.type < other.type || (one.type === other.type && one.value < other.value) ? -1 : 1;',
      'A sort reads only the sign, and equal identifiers are interchangeable.',
    ],
  ],
  'shared/domain/identifiers/phone-number.ts': [
    [
      '{ extract: false, ...(defaultCountry && { defaultCountry }) },',
      'A pattern has already excluded text around the number, or the number is stored in E.164.',
    ],
  ],
  'shared/domain/management/signing-keys.ts': [
    [
      "const soonest = key.state === 'previous' ? key.stateSince + DIRECTORY_CACHE_SECONDS : 0;",
      'The first second of 1970 is as far in the past as zero.',
    ],
    ['const ready = reason === undefined ? (findNextStepTime(key) ?? 0) : soonest;', COMPILER],
  ],
  'shared/domain/oauth/authorization-code.ts': [
    [
      'const ISSUED_ID_LENGTH = 22;',
      'Who issues the ID and who revokes it make it here: a character more is as good.',
    ],
    [
      `return hashSecret(\`access token of \${familyId}\`).slice(0, ISSUED_ID_LENGTH);`,
      'Who issues the ID and who revokes it make it here: other characters of the hash are as good.',
    ],
  ],
  'shared/domain/oauth/client-revocations.ts': [
    ['{ revoked = [], tokensAfter = 0 }: Client,', 'No token was issued in the first second of 1970.'],
  ],
  'shared/domain/operators/console-login.ts': [['export const CONSOLE_LOGIN_SECONDS = 1800;', ARBITRARY]],
  'shared/domain/operators/directory.ts': [
    ['if (await store.put(record)) return;', 'A record that was just put is read and found the same.'],
    ['if (!stored) return;', 'The write has just failed because the record exists, and nothing deletes it.'],
  ],
  'shared/domain/operators/grants.ts': [
    [
      "if (grant.state !== 'invited') return { grant, user: await ports.users.find(grant.userId) };",
      'Without it the result is the same; it only saves a read.',
    ],
  ],
  'shared/domain/passkeys/passkey.ts': [
    [
      "if (!(authData instanceof Uint8Array)) throw new Error('no authenticator data');",
      'Without the data, the library rejects the response with the same error.',
    ],
  ],
  'shared/domain/rate-limits/address-window.ts': [
    ['.map((group) => group.toString(16))', 'Any base gives each network a key of its own.'],
  ],
  'shared/domain/rate-limits/sms-budget.ts': [
    [
      '...{ limit, used: counted[index] ?? 0, of: windows[index]?.max ?? 0 },',
      'Each limit has its window and its count.',
    ],
  ],
  'shared/domain/sessions/audience.ts': [
    [
      "const service = client.kind === 'management' ? CLIENT_TOKEN_SECONDS : ACCESS_TOKEN_SECONDS;",
      'Both are an hour.',
    ],
  ],
  'shared/domain/sessions/browser-session.ts': [
    [
      'if (formerHash === undefined) return false;',
      'A session that was found by its cookie has the hash of that cookie: the line is for the compiler.',
    ],
  ],
  'shared/domain/sessions/refresh-token.ts': [
    [
      'if (!userId || !random || !familyId || !secret) return undefined;',
      'The form has all of its parts, or none.',
    ],
  ],
  'shared/domain/sessions/session-of-client.ts': [
    [
      "if (!last) throw new Error('a session without any authentication');",
      'No session is stored without one.',
    ],
  ],
  'shared/domain/support/message-events.ts': [
    ["'message.delayed': true,", NAMES],
    ["'message.refused': true,", NAMES],
  ],
  'shared/domain/users/sign-up.ts': [['const LOOKUP_DELAYS_MS = [0, 50, 100, 200, 400];', ARBITRARY]],
  'shared/domain/users/undo-change.ts': [
    ['if (!identifier) return;', 'No writer stores an address without a normal form.'],
  ],
  'shared/dynamo/database.ts': [
    ['const CONNECT_MILLISECONDS = 1000;', ARBITRARY],
    ['const CALL_MILLISECONDS = 3000;', ARBITRARY],
  ],
  'shared/dynamo/events/statistics.ts': [
    [
      'limit: quarters - found.length,',
      'A shard has at most the wanted number of intervals, so a later page has no more.',
    ],
    [
      "const reachesBack = page.items.some((item) => readNumber(item, 'at') < since);",
      'After the item at the start come only older items, which are left out.',
    ],
  ],
  'shared/dynamo/flows/one-time-codes.ts': [['const BUCKETS = 1024;', ARBITRARY]],
  'shared/dynamo/flows/sessions.ts': [
    [
      'if (await end(table, sessionId, at)) return;',
      'After the session was ended, the other two writes change nothing.',
    ],
  ],
  'shared/dynamo/listing.ts': [
    ['Limit: limit + 1,', 'One more item than needed is read, and not shown.'],
    [
      "if (sk !== undefined && sk < (from ?? '')) return { items: [] };",
      'A cursor at the lower bound leaves no item: the query finds none either.',
    ],
  ],
  'shared/dynamo/people/holders.ts': [
    [
      'for (let from = 0; from < each.length; from += KEYS_MAX)',
      'One more round has no keys and makes no call.',
    ],
  ],
  'shared/dynamo/people/passkeys.ts': [
    [
      'const held = heldUntil === undefined ? {} : { held: true, purge_at: heldUntil };',
      'The condition asks only whether the attribute exists.',
    ],
  ],
  'shared/dynamo/people/session-exchanges.ts': [
    [
      "await table.undo(userKey(userId), holder, { remove: ['#moved_at'], add: { version: 1 } }, 'moved_by');",
      VERSION,
    ],
  ],
  'shared/dynamo/people/timeline.ts': [
    [
      "const byNewest = (one: Item, other: Item) => (readText(one, 'sk') < readText(other, 'sk') ? 1 : -1);",
      ORDER,
    ],
    ['const { items } = await table.queryByBeginning(find_pk, find_sk, { limit: 1 });', ONE_MORE],
  ],
  'shared/dynamo/people/users.ts': [
    ['add: { version: 1 },', VERSION],
    ['add: { version: 1, ...more.add },', VERSION],
    ['add: { wrong_guesses: new Set([asker]), version: 1 },', VERSION],
    [
      "const recent = items.filter((item) => readText(item, 'list_sk') >= since);",
      'A sort key continues after its time, so it never equals a time.',
    ],
  ],
  'shared/dynamo/table.ts': [
    [
      'export const newWriteToken = (): string => crypto.randomUUID().slice(-12);',
      'A longer token works in the same way.',
    ],
    ['repeated: (error.$metadata.attempts ?? 1) > 1,', COMPILER],
  ],
  'shared/dynamo/unavailable.ts': [
    ['const status = $metadata?.httpStatusCode ?? 0;', 'Both values are below 429.'],
  ],
  'shared/flows/agents/document-context.ts': [
    [
      'if (!(error instanceof ServiceError)) throw error;',
      'Readers of documents throw only such errors. The line keeps a fault of ours out of the cache.',
    ],
    ['refreshes: false,', 'A rejected document ends the request before this field is read.'],
  ],
  'shared/flows/browser/bind-session.ts': [
    [
      'const session = sessionId.length > SESSION_ID_MAX ? undefined : await call.find(sessionId);',
      'The limit is arbitrary: session IDs are much shorter.',
    ],
  ],
  'shared/flows/browser/error-page.ts': [
    [
      "return [type, Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1)];",
      'No quality is above 1, so any default from 1 on comes first.',
    ],
  ],
  'shared/flows/hosted-login/advance.ts': [
    [
      "if (!user || !binding) return abortLogin(ports, context, new ServiceError('access_denied'), audit);",
      'The binding is undefined exactly if the user is.',
    ],
  ],
  'shared/flows/hosted-login/finish.ts': [
    ['if (!enrolment || !newPasskey || userId === undefined)', COMPILER],
    ["if (userId === undefined) throw new Error('a login without a user cannot end');", COMPILER],
    ["if (!address) throw new Error('the address of a sign-up was proven, so it can be read');", COMPILER],
  ],
  'shared/flows/hosted-login/login-context.ts': [
    [
      'if (!(error instanceof ServiceError)) return error;',
      'Only errors of the service have a key, so the lines below return any other error, too.',
    ],
  ],
  'shared/flows/hosted-login/prove-phone.ts': [
    ["if (!identifier) throw new Error('a number was proven, so it can be read');", COMPILER],
  ],
  'shared/flows/hosted-login/show-current.ts': [
    [
      'if (sealedSignUp === undefined) return undefined;',
      'A login whose user does not exist is denied, so a consent page without a user belongs to a sign-up.',
    ],
  ],
  'shared/flows/hosted-login/stale-account.ts': [
    ["if (sealedSignUp === undefined) throw new Error('a login without a user is a sign-up');", COMPILER],
  ],
  'shared/flows/login/complete-login.ts': [
    ['at: Math.max(proof.at, user.lastAuthAt ?? 0),', 'No login is older than the first second of 1970.'],
  ],
  'shared/flows/login/sent-login.ts': [
    [
      'if (!found || !address)',
      'An address that was found is in the user: the second half is for the compiler.',
    ],
  ],
};

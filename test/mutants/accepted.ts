/** Mutant that no test has to detect, with the reason why no caller can observe the changed behaviour. */
export interface Accepted {
  readonly path: string;
  /** Text of the changed line, without leading and trailing spaces. */
  readonly text: string;
  readonly reason: string;
}

export const accepted: readonly Accepted[] = [
  {
    path: 'shared/dynamo/listing.ts',
    text: 'Limit: limit + 1,',
    reason: 'One more item than needed is read, and not shown.',
  },
  {
    path: 'shared/domain/sessions/session-of-client.ts',
    text: "if (!last) throw new Error('a session without any authentication');",
    reason: 'No session is stored without one.',
  },
  {
    path: 'shared/domain/basis/colour.ts',
    text: "return computeContrast('#ffffff', colour) >= computeContrast('#000000', colour) ? '#ffffff' : '#000000';",
    reason: 'No colour has the same contrast to both.',
  },
  {
    path: 'functions/operations.ts',
    text: 'return Number(String(one) > String(other)) - Number(String(one) < String(other));',
    reason: 'It changes only the order of the methods of one path in the API document.',
  },
  {
    path: 'shared/domain/rate-limits/address-window.ts',
    text: '.map((group) => group.toString(16))',
    reason: 'Any base gives each network a key of its own.',
  },
  {
    path: 'shared/dynamo/table.ts',
    text: 'export const newWriteToken = (): string => crypto.randomUUID().slice(-12);',
    reason: 'A longer token works in the same way.',
  },
  {
    path: 'functions/social/start.ts',
    text: 'if (!(error instanceof ServiceError)) throw error;',
    reason: 'What is no error of the service has no `detail`: reading that throws, too.',
  },
  {
    path: 'functions/console/session.ts',
    text: 'const TIMEOUT_MS = 8_000;',
    reason: 'One millisecond more makes no difference.',
  },
  {
    path: 'shared/domain/oauth/authorization-code.ts',
    text: 'const ISSUED_ID_LENGTH = 22;',
    reason: 'Who issues the ID and who revokes it make it here: a character more is as good.',
  },
  {
    path: 'shared/domain/oauth/authorization-code.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a line of code
    text: 'return hashSecret(`access token of ${familyId}`).slice(0, ISSUED_ID_LENGTH);',
    reason: 'Who issues the ID and who revokes it make it here: other characters of the hash are as good.',
  },
  {
    path: 'shared/flows/agents/document-context.ts',
    text: 'if (!(error instanceof ServiceError)) throw error;',
    reason: 'Readers of documents throw only such errors. The line keeps a fault of ours out of the cache.',
  },
  {
    path: 'functions/hosted-login/verify-code.ts',
    text: 'return next ? { login: next, note } : { continuedInOtherTab: true };',
    reason: 'The caller asks only whether the field exists.',
  },
  {
    path: 'shared/flows/login/sent-login.ts',
    text: 'if (!found || !address)',
    reason: 'An address that was found is in the user: the second half is for the compiler.',
  },
  {
    path: 'shared/domain/hosted-login/login-transaction.ts',
    text: "if (address === undefined) throw new Error('the login belongs to another browser');",
    reason: 'A login is read only with the secret of its browser, with which its address was sealed.',
  },
  {
    path: 'shared/flows/browser/error-page.ts',
    text: "return [type, Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1)];",
    reason: 'No quality is above 1, so any default from 1 on comes first.',
  },
  {
    path: 'shared/domain/claims/claims-request.ts',
    text: '...(userInfo.size > 0 ? { userinfo: Object.fromEntries(userInfo) } : {}),',
    reason: 'An empty object asks for as little as none. It only makes the stored request longer.',
  },
  {
    path: 'shared/domain/operators/directory.ts',
    text: 'if (await store.put(record)) return;',
    reason: 'A record that was just put is read and found the same.',
  },
  {
    path: 'shared/domain/rate-limits/sms-budget.ts',
    text: '...{ limit, used: counted[index] ?? 0, of: windows[index]?.max ?? 0 },',
    reason: 'Each limit has its window and its count.',
  },
  {
    path: 'shared/domain/sessions/refresh-token.ts',
    text: 'if (!userId || !random || !familyId || !secret) return undefined;',
    reason: 'The form has all of its parts, or none.',
  },
  {
    path: 'shared/domain/sessions/audience.ts',
    text: "const service = client.kind === 'management' ? CLIENT_TOKEN_SECONDS : ACCESS_TOKEN_SECONDS;",
    reason: 'Both are an hour.',
  },
  {
    path: 'shared/domain/support/message-events.ts',
    text: "'message.delayed': true,",
    reason: 'The names are asked for, not their values.',
  },
  {
    path: 'shared/domain/support/message-events.ts',
    text: "'message.refused': true,",
    reason: 'The names are asked for, not their values.',
  },
  {
    path: 'shared/domain/basis/code-lock.ts',
    text: 'tried ? tried.maxTries - tried.tries : 0;',
    reason: 'The attempt was just counted, so a count is always stored.',
  },
  {
    path: 'shared/flows/hosted-login/advance.ts',
    text: "if (!user || !binding) return abortLogin(ports, context, new ServiceError('access_denied'), audit);",
    reason: 'The binding is undefined exactly if the user is.',
  },
  {
    path: 'functions/operations.ts',
    text: `if (area === undefined) throw new Error(\`functions/\${row.file}.ts belongs to no area\`);`,
    reason:
      'It is thrown at the start of every function while a developer adds a file to no area; all files have one.',
  },
  {
    path: 'shared/flows/hosted-login/show-current.ts',
    text: 'if (sealedSignUp === undefined) return undefined;',
    reason:
      'A login whose user does not exist is denied, so a consent page without a user belongs to a sign-up.',
  },
  {
    path: 'shared/domain/credentials/verify-approval.ts',
    text: 'const flags = authenticatorData[FLAGS_AT] ?? 0;',
    reason: 'Without the byte, the flag for user verification is missing in both cases.',
  },
  {
    path: 'shared/dynamo/people/users.ts',
    text: 'add: { version: 1 },',
    reason: 'Any increase changes the version, and nothing reads by how much.',
  },
  {
    path: 'shared/flows/login/complete-login.ts',
    text: 'at: Math.max(proof.at, user.lastAuthAt ?? 0),',
    reason: 'No login is older than the first second of 1970.',
  },
];

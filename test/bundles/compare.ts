import { BUNDLED } from '../support/server/aws-calls.ts';
import { allEntries, forbiddenCalls, savedCalls, unusedActions } from './support/compare.ts';

/**
 * Compares the calls that tests have noted in a folder with the policies: every function was called, also out of its bundle,
 * each of its calls is allowed, and nothing is allowed that none of them needs.
 */
const folder = process.argv[2] ?? '';
const calls = savedCalls(folder);
const bundled = savedCalls(folder, BUNDLED);
/** Granted, and made by no test yet: each waits for its test. Whatever is not here is a difference. */
const AWAITED: Readonly<Record<string, readonly string[]>> = {
  // Logins that end a consent that is remembered.
  'browser/login-passkey': ['ConsentsLimited dynamodb:PutItem'],
  'social/callback': ['ConsentsLimited dynamodb:PutItem'],
  // Calls of operators by `otl`, whose tokens are bound to a key, and windows of calls.
  ...Object.fromEntries(
    ['list-operators', 'set-operator-role', 'confirm-operator'].map((name) => [
      `operators/${name}`,
      ['Replays dynamodb:PutItem', 'Windows dynamodb:UpdateItem'],
    ]),
  ),
  'operators/invite-operator': ['IdentifierReservations dynamodb:DeleteItem', 'Windows dynamodb:UpdateItem'],
  'operators/remove-operator': [
    ...['PasskeyRecords dynamodb:DeleteItem', 'PasskeyRecords2 dynamodb:DeleteItem'],
    ...['Replays dynamodb:PutItem', 'Windows dynamodb:UpdateItem'],
  ],
  // The deletion of an application whose resources and webhooks are too many for the call.
  jobs: [
    ...['ResourceRecords dynamodb:BatchGetItem', 'ResourceRecords dynamodb:DeleteItem'],
    ...['ResourceRecords2 dynamodb:DeleteItem', 'UriOwners2 dynamodb:UpdateItem'],
    ...['WebhookRecords dynamodb:BatchGetItem', 'WebhookRecords dynamodb:DeleteItem'],
  ],
};
const awaited = Object.entries(AWAITED).flatMap(([entry, actions]) =>
  actions.map((action) => `${entry}: allowed and never needed: ${action}`),
);
const complaints = [
  ...forbiddenCalls(allEntries, calls),
  ...unusedActions(allEntries, calls).filter((complaint) => !awaited.includes(complaint)),
  ...allEntries
    .filter((entry) => !bundled[entry])
    .map((entry) => `${entry}: no test calls it out of its bundle`),
];
console.log(`${allEntries.length} functions: ${complaints.length} differences between calls and policies`);
if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  process.exitCode = 1;
}

import assert from 'node:assert/strict';
import { startLocal } from 'one-time-login/local';
import { startShop } from './shop.mjs';

// A program that uses the package. The package must not change global objects and must not keep the program from exiting.

const { Date: before } = globalThis;
const environment = { ...process.env };

const start = performance.now();
const login = await startLocal();
const startedIn = Math.round(performance.now() - start);
const shop = await startShop(login.environment);

await shop.post('/login', { email: 'ann@example.com' });
const { codes } = await login.inbox.waitFor('ann@example.com');
assert.equal((await shop.post('/code', { email: 'ann@example.com', code: codes[0] })).status, 200);
await login.reset();
assert.equal((await shop.post('/code', { email: 'ann@example.com', code: codes[0] })).status, 400);
for (const page of ['/_local/', '/_local/docs', '/openapi.json'])
  assert.equal((await fetch(new URL(page, login.baseUrl))).status, 200, page);

const { components } = await (await fetch(new URL('/openapi.json', login.baseUrl))).json();
assert.ok('LoginPreferencesRecord' in components.schemas, 'the schemas have no names');

await shop.close();
await login.close();
assert.equal(globalThis.Date, before);
assert.deepEqual({ ...process.env }, environment);
console.log(`started in ${startedIn} ms`);

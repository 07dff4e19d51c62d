import { expect, test } from '@jest/globals';
import {
  login,
  newPerson,
  type Person,
  registerPasskey,
  withBothFactors,
} from '../../support/fixtures/passkeys.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ rateLimits: 'off' });

const PATH = '/v1/users/me/webauthn-credentials';
const pathOf = (id: Buffer) => `${PATH}/${id.toString('base64url')}`;
const tokenOf = ({ tokens }: Person) => ({ token: tokens.access_token });

interface Listed {
  readonly result: readonly { readonly credential_id: string; readonly name?: string }[];
}

const rename = (path: string, options: { readonly token?: string }) =>
  server.request(path, {
    ...options,
    method: 'PATCH',
    body: JSON.stringify({ name: 'Phone' }),
    headers: { 'content-type': 'application/json' },
  });

test('a user lists, names and removes the passkeys of the token, by GET, PATCH and DELETE', async () => {
  const ann = await newPerson(server);
  const passkey = await registerPasskey(server, ann);
  const credential_id = passkey.id.toString('base64url');
  expect((await server.get<Listed>(PATH, tokenOf(ann))).body.result).toMatchObject([{ credential_id }]);

  const named = { credential_id, name: 'Phone' };
  expect(await rename(pathOf(passkey.id), tokenOf(ann))).toMatchObject({
    status: 200,
    body: { result: named },
  });
  expect((await server.get<Listed>(PATH, tokenOf(ann))).body.result).toMatchObject([named]);

  const both = tokenOf(await withBothFactors(server, ann, passkey));
  expect((await server.delete(pathOf(passkey.id), both)).status).toBe(204);
  expect((await server.delete(pathOf(passkey.id), both)).status).toBe(404);
  expect((await server.get(PATH, both)).body).toEqual({ result: [] });
  expect((await login(server, passkey)).status).toBe(400);
});

test("another user's passkeys are unknown, and clients have no passkeys of their own", async () => {
  const [ann, bob] = [await newPerson(server), await newPerson(server)];
  const { id } = await registerPasskey(server, ann);
  expect((await server.get(PATH, tokenOf(bob))).body).toEqual({ result: [] });
  expect((await rename(pathOf(id), tokenOf(bob))).status).toBe(404);
  expect((await server.delete(pathOf(id), tokenOf(bob))).status).toBe(404);
  for (const token of [await server.clientToken(), await server.adminToken()]) {
    expect((await server.get(PATH, { token })).status).toBe(403);
    expect((await rename(pathOf(id), { token })).status).toBe(403);
    expect((await server.delete(pathOf(id), { token })).status).toBe(403);
  }
  expect((await server.get<Listed>(PATH, tokenOf(ann))).body.result).toHaveLength(1);
});

test('removing takes a fresh login by every kind of factor there is', async () => {
  const ann = await newPerson(server);
  const passkey = await registerPasskey(server, ann);
  const refused = await server.delete(pathOf(passkey.id), tokenOf(ann));
  expect(refused).toMatchObject({ status: 401, body: { error: 'insufficient_user_authentication' } });
  const both = await withBothFactors(server, ann, passkey);
  await server.advanceClock(601);
  expect((await server.delete(pathOf(passkey.id), tokenOf(both))).status).toBe(401);
});

import { expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { CALLBACK, useAgents } from '../../support/providers/agents.ts';

/** Server that rejects client ID metadata documents on loopback addresses, as a deployment on AWS does. */
const { server, login, ask } = useAgents({ rateLimits: 'off', environment: { LOOPBACK: 'off' } });

test('a client ID metadata document is rejected once its host resolves to a private address', async () => {
  const clientId = 'https://localhost/client.json';
  const { clientDocuments } = await server.ports(['clientDocuments']);
  const expiresAt = Math.floor(Date.now() / 1000) + 300;
  await clientDocuments.put(hashSecret(clientId), { redirectUris: [CALLBACK], refreshes: true, expiresAt });
  expect((await ask(login.browser(), clientId)).status).toBe(200);
  await server.advanceClock(301);
  const { status, left } = await ask(login.browser(), clientId);
  expect({ status, left }).toEqual({ status: 400, left: undefined });
  const known = await clientDocuments.find(hashSecret(clientId), expiresAt + 1);
  expect(known?.refusal).toBe('client_id: its metadata document is not at a public https address');
});

import { describe, expect, test } from '@jest/globals';
import { madeApplication } from '../support/fixtures/managed.ts';
import { storeManager, storeTenant } from '../support/fixtures/tenants.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

/** Another tenant of the same environment takes nothing away. */

const server = useTestServer({ rateLimits: 'off' });

async function newTenant() {
  const { application } = await storeTenant(server);
  return server.clientToken(await storeManager(server, application.tenantId));
}

describe('the hosts that may use passkeys of the service', () => {
  const list = async () =>
    (
      await server.get<{ origins: string[] }>(
        `${new URL(server.environment.base_url).origin}/.well-known/webauthn`,
      )
    ).body.origins;
  const hosts = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `https://${name}-${n}.example`);

  test('are five in all, and one tenant with many of them leaves the others theirs', async () => {
    const greedy = await newTenant();
    const taken = [...hosts('greedy', 5), ...hosts('greedier', 5)];
    await madeApplication(server, { origins: taken.slice(0, 5) }, greedy);
    await server.advanceClock(1);
    await madeApplication(server, { origins: taken.slice(5) }, greedy);
    await server.advanceClock(61);
    // Alone it may have them all.
    expect(await list()).toEqual(taken.slice(0, 5));

    const honest = ['https://shop.example', 'https://bank.example'];
    for (const origin of honest) await madeApplication(server, { origins: [origin] }, await newTenant());
    await server.advanceClock(61);
    const listed = await list();
    expect(listed).toHaveLength(5);
    expect(listed).toEqual(expect.arrayContaining(honest));
    expect(listed.filter((origin) => taken.includes(origin))).toEqual(taken.slice(0, 3));
  });
});

import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { newId, newSecret } from '../../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { readClaimsRequest } from '../../../shared/domain/claims/claims-request.ts';
import { provenBy } from '../../../shared/domain/credentials/authentication-proof.ts';
import type { ProvenLogin } from '../../../shared/domain/sessions/login.ts';
import {
  findFamily,
  parseRefreshToken,
  rotateRefreshToken,
} from '../../../shared/domain/sessions/refresh-token.ts';
import { logIn } from '../../../shared/domain/sessions/session.ts';
import { sessions } from '../../../shared/dynamo/flows/sessions.ts';
import type { MethodUse } from '../../../shared/ports/flows.ts';
import { USER_SCOPE } from '../../../shared/tokens/issue.ts';
import { someApplication, someClient, someTenant, someUse, someUser } from '../../support/server/records.ts';
import { describeStore, type Store } from '../../support/server/store.ts';

// The IDs, hashes and secrets have realistic lengths, because the test measures the size of the items.
const [tenantId, applicationId, clientId] = [newId(), newId(), newId()];
const now = nowSeconds();
const mailbox = someUse({ at: now });
const passkey = someUse({ method: 'webauthn', at: now, scope: applicationId, credential: newSecret() });
const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';

const login = (methods: readonly MethodUse[], device: ProvenLogin['device']): ProvenLogin => ({
  proof: provenBy({ method: 'eotp', at: now }),
  at: now,
  methods,
  factors: methods,
  caller: {
    tenant: someTenant({ tenantId }),
    application: someApplication({ tenantId, applicationId }),
    client: someClient({ tenantId, applicationId, clientId }),
  },
  issuer: 'https://login.example.com/oidc',
  user: someUser({ userId: newId(), tenantId }),
  membership: undefined,
  joined: undefined,
  device,
  audience: {
    aud: clientId,
    accessTokenSeconds: 600,
    refreshTokenSeconds: 600,
    maxRefreshRotateSeconds: 900,
  },
  scope: USER_SCOPE,
  claims: readClaimsRequest(undefined),
  offlineAccess: true,
});

/** Returns the write units that DynamoDB bills for each item of the table `flows`. Writes each item again to measure them. */
async function readWriteUnits({ client }: Store): Promise<readonly (number | undefined)[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'flows' }));
  const writes = Items.map((Item) =>
    client.send(new PutItemCommand({ TableName: 'flows', Item, ReturnConsumedCapacity: 'TOTAL' })),
  );
  return (await Promise.all(writes)).map(({ ConsumedCapacity }) => ConsumedCapacity?.CapacityUnits);
}

describeStore('size of stored sessions', (store) => {
  test.each([
    ['a login with device data', [mailbox], { userAgent: browser, ipAddress: '203.0.113.7' }],
    ['a login by two factors', [mailbox, passkey], {}],
  ])('refreshing a session created by %s consumes one DynamoDB write unit', async (_, methods, device) => {
    const ports = { sessions: sessions(store().table('flows')) };
    const begun = login(methods, device);
    const { refreshToken = '', save } = logIn(begun);
    await save(ports);

    let presented = refreshToken;
    for (const _ of [1, 2]) {
      const token = parseRefreshToken(presented);
      const found = token && (await findFamily(ports, token, now));
      if (!found) throw new Error('the token leads nowhere');
      const facts = { at: now, lifetimeSeconds: 600, dpopJkt: undefined, scope: USER_SCOPE };
      const rotation = await rotateRefreshToken(ports, found, token, {
        reuseSeconds: 10,
        ...facts,
        client: begun.caller.client,
      });
      presented = rotation.refreshToken;
      expect(new Set(await readWriteUnits(store()))).toEqual(new Set([1]));
    }
  });
});

import type { ServerResponse } from 'node:http';
import * as adapters from '../../shared/aws/adapters.ts';
import { createPorts } from '../../shared/aws/create-ports.ts';
import { OPERATORS_TENANT_ID } from '../../shared/domain/basis/operators.ts';
import { hashSecret, newSecret } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { createAuthorizationCode } from '../../shared/domain/oauth/authorization-code.ts';
import {
  CONSOLE_LOGIN_COOKIE,
  CONSOLE_LOGIN_SECONDS,
  consoleLoginValue,
} from '../../shared/domain/operators/console-login.ts';
import { CONSOLE_APPLICATION_ID, CONSOLE_CLIENT_ID } from '../../shared/domain/operators/operators.ts';
import { FIRST_GENERATION, TENANT_WIDE } from '../../shared/domain/trust/generations.ts';
import { setCookie } from '../../shared/http/cookies.ts';
import { demo } from './demo.ts';
import type { Addresses } from './function-environment.ts';

/**
 * Logs the demo operator in to the operator console without showing the login pages. Stores an authorization code as the login
 * pages do, and redirects to the console, which exchanges the code as usual.
 * @param place Page of the console to open: a path below the demo tenant, such as `applications/demo-app`.
 */
export async function enterConsole(
  response: ServerResponse,
  { consoleOrigin, issuer }: Addresses,
  place: string,
): Promise<void> {
  const [state, verifier, now] = [newSecret(), newSecret(), nowSeconds()];
  const { code, record } = createAuthorizationCode(
    {
      origin: 'oidc',
      tenantId: OPERATORS_TENANT_ID,
      applicationId: CONSOLE_APPLICATION_ID,
      clientId: CONSOLE_CLIENT_ID,
      redirectUri: `${consoleOrigin}/callback`,
      codeChallenge: hashSecret(verifier),
      scope: 'openid offline_access',
      offlineAccess: true,
      resources: [],
      userId: demo.operator.userId,
      methods: [
        { method: 'eotp', at: now, credential: 'email', scope: TENANT_WIDE, worth: 'proven' },
        { method: 'webauthn', at: now, credential: '', scope: TENANT_WIDE, worth: 'proven' },
      ],
      authTime: now,
      generation: FIRST_GENERATION,
      idTokenClaims: 'requested',
    },
    now,
  );
  await createPorts(['codes.put'], adapters, process.env).codes.put(record);
  const value = consoleLoginValue({ state, verifier, target: `/${demo.tenantId}/${place}` });
  // Browsers ignore the port when they send cookies, so the console receives this cookie although it listens on another port.
  const cookie = setCookie(CONSOLE_LOGIN_COOKIE, value, CONSOLE_LOGIN_SECONDS);
  const location = `${consoleOrigin}/callback?${new URLSearchParams({ code, state, iss: issuer })}`;
  response.writeHead(302, { location, 'set-cookie': cookie, 'cache-control': 'no-store' }).end();
}

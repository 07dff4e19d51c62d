import { LOGOUT_TOKEN_SECONDS } from '../../shared/domain/basis/limits.ts';
import { newId } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { WEBHOOK_ATTEMPTS } from '../../shared/domain/sending/webhook.ts';
import { log } from '../../shared/http/log.ts';
import type { SecurityEvent } from '../../shared/ports/events.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { signJwt } from '../../shared/tokens/jws.ts';
import type { Post } from './post-webhook.ts';

interface LogoutPorts extends Using<'clients' | 'signingKeys' | 'signer'> {
  readonly issuer: string;
  readonly post: (post: Post) => Promise<number>;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const DONE: readonly number[] = [200, 204];
/** OpenID Connect Back-Channel Logout 1.0 §2.8: the client has understood, and refuses. */
const REFUSED = 400;

/**
 * Tells a client that a session has ended (OpenID Connect Back-Channel Logout 1.0 §2.4, §2.5). True when there is no more to
 * do; what was refused, or failed for a day, is an event.
 */
export async function tellLogout(
  { clients, issuer, post, ...ports }: LogoutPorts,
  detail: SecurityEvent,
  attempt: number,
): Promise<boolean> {
  const { client_id, session_id, user_id, tenant_id } = detail;
  const client = await clients.find(String(client_id));
  if (client?.backchannelLogoutUri === undefined || client.tenantId !== tenant_id) return true;
  const at = nowSeconds();
  const kind = { typ: 'logout+jwt', alg: client.idTokenSignedResponseAlg } as const;
  const token = await signJwt(ports, kind, {
    iss: issuer,
    sub: user_id,
    aud: client.clientId,
    iat: at,
    exp: at + LOGOUT_TOKEN_SECONDS,
    jti: newId(),
    events: { [EVENT]: {} },
    sid: session_id,
  });
  let outcome: number | string;
  try {
    outcome = await post({
      url: client.backchannelLogoutUri,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
    });
  } catch (error) {
    outcome = error instanceof Error ? error.name : 'Error';
  }
  const isDone = typeof outcome === 'number' && DONE.includes(outcome);
  const isLost = outcome === REFUSED || attempt >= WEBHOOK_ATTEMPTS;
  log('info', {
    event: 'backchannel-logout',
    request_id: detail.id,
    tenant_id,
    client_id,
    user_id,
    session_id,
    application_id: client.applicationId,
    attempt,
    status: outcome,
    ...(!isDone && isLost ? { audit: ['logout.failed'] } : {}),
  });
  return isDone || isLost;
}

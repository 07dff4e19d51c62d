import { LOGOUT_TOKEN_SECONDS } from '../../shared/domain/basis/limits.ts';
import { newId } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { WEBHOOK_ATTEMPTS } from '../../shared/domain/sending/webhook.ts';
import { log } from '../../shared/http/log.ts';
import type { SecurityEvent } from '../../shared/ports/events.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { signJwt } from '../../shared/tokens/jws.ts';
import type { WebhookPost } from './post-webhook.ts';

interface LogoutPorts extends PortsWith<'clients' | 'signingKeys' | 'signer'> {
  readonly issuer: string;
  readonly post: (post: WebhookPost) => Promise<number>;
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const ACCEPTED_STATUSES: readonly number[] = [200, 204];
/** Status with which a client rejects a logout token; a retry cannot help (OpenID Connect Back-Channel Logout 1.0 §2.8). */
const REJECTED_STATUS = 400;

/**
 * Posts a logout token to a client whose session has ended (OpenID Connect Back-Channel Logout 1.0 §2.4, §2.5). Logs
 * `logout.failed` if the client rejects the token or the last attempt fails, which is after about a day.
 * @param attempt number of this attempt, starting at 1
 * @returns true if the logout was delivered or given up, false if it must be retried
 */
export async function notifyLogout(
  { clients, issuer, post, ...ports }: LogoutPorts,
  detail: SecurityEvent,
  attempt: number,
): Promise<boolean> {
  const { client_id, session_id, user_id, tenant_id } = detail;
  const client = await clients.find(String(client_id));
  if (client?.backchannelLogoutUri === undefined || client.tenantId !== tenant_id) return true;
  const at = nowSeconds();
  const header = { typ: 'logout+jwt', alg: client.idTokenSignedResponseAlg } as const;
  const token = await signJwt(ports, header, {
    iss: issuer,
    sub: user_id,
    aud: client.clientId,
    iat: at,
    exp: at + LOGOUT_TOKEN_SECONDS,
    jti: newId(),
    events: { [LOGOUT_EVENT]: {} },
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
  const isDelivered = typeof outcome === 'number' && ACCEPTED_STATUSES.includes(outcome);
  const isGivenUp = outcome === REJECTED_STATUS || attempt >= WEBHOOK_ATTEMPTS;
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
    ...(!isDelivered && isGivenUp ? { audit: ['logout.failed'] } : {}),
  });
  return isDelivered || isGivenUp;
}

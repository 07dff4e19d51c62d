import { invalidInput, ServiceError } from '../../shared/errors/service-error.ts';
import { moveSession } from '../../shared/flows/moving/move-session.ts';
import { formerKeys } from '../../shared/providers/former-keys.ts';
import { readFormerToken } from '../../shared/tokens/former-token.ts';
import { idTokenFor, USER_SCOPE } from '../../shared/tokens/issue.ts';
import { requireApplicationClient, requireConfidential } from '../../shared/tokens/oauth-caller.ts';
import { type Grant, requireField } from './grant.ts';

const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/** Exchanges an ID token of the system from which the application's users are imported for a session of this service. */
const ofFormerIssuer: Grant = async ({ caller, form, proof, request, settings, audit }, ports) => {
  const owner = requireApplicationClient(requireConfidential(caller));
  const former = await ports.formerIssuers.find(owner.application.applicationId, request.now);
  if (!former)
    throw new ServiceError('unauthorized_client', {
      message: 'The application accepts no sessions of another issuer',
    });
  const token = requireField(form, 'subject_token');
  const login = await readFormerToken(token, formerKeys(former.jwksUri, settings), former, request.now);
  const moving = { login, resource: form.resource, proof, now: request.now };
  const { session, tokens, refreshToken } = await moveSession(ports, owner, moving, settings);
  const { userId, sessionId } = session;
  audit({ userId, sessionId, method: 'moved', events: ['session.moved'] });
  return {
    access_token: tokens.accessToken,
    issued_token_type: ACCESS_TOKEN,
    token_type: tokens.tokenType,
    expires_in: tokens.expiresIn,
    scope: USER_SCOPE,
    id_token: idTokenFor(USER_SCOPE, tokens),
    refresh_token: refreshToken,
    session_id: sessionId,
  };
};

/** Handlers of a token exchange by `subject_token_type`. */
const EXCHANGES: ReadonlyMap<string, Grant> = new Map([[ID_TOKEN, ofFormerIssuer]]);

/** Grant type token exchange (RFC 8693 §2): issues tokens of this service for a token of another issuer. */
export const tokenExchange: Grant = (exchange, ports) => {
  const { form } = exchange;
  const run = EXCHANGES.get(requireField(form, 'subject_token_type'));
  if (!run) throw invalidInput(`subject_token_type: must be one of ${[...EXCHANGES.keys()].join(', ')}`);
  if (form.actor_token !== undefined) throw invalidInput('actor_token: is not supported');
  if (form.requested_token_type !== undefined && form.requested_token_type !== ACCESS_TOKEN)
    throw invalidInput(`requested_token_type: must be ${ACCESS_TOKEN}`);
  return run(exchange, ports);
};

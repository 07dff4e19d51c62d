import { readSyntheticUser } from '../../shared/aws/watch-facts.ts';

interface Answer {
  readonly access_token?: string;
  /** Passcode, which the API returns only for the channel `direct`. */
  readonly code?: string;
}

/** Time limit in milliseconds for all requests of one login together. */
const LOGIN_MILLISECONDS = 10_000;

/** Error that names the path and the status of a request that the service did not accept. */
class RejectedRequest extends Error {}

/**
 * Logs a user in through the public host, as a backend does: with a passcode of the channel `direct`, so that no message is
 * sent. DNS, CloudFront, the web ACL, the HTTP API, the functions, the tables and the signing key take part.
 */
async function logIn(baseUrl: string, secretId: string): Promise<void> {
  const { client_id, client_secret, email } = await readSyntheticUser(secretId);
  const signal = AbortSignal.timeout(LOGIN_MILLISECONDS);
  const post = async (path: string, body: string | URLSearchParams, token?: string): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const init = { method: 'POST', body, signal, ...(token !== undefined && { headers }) };
    const response = await fetch(`${baseUrl}${path}`, init);
    if (!response.ok) throw new RejectedRequest(`${path} answered ${response.status}`);
    return (await response.json()) as Answer;
  };
  const credentials = { grant_type: 'client_credentials', client_id, client_secret };
  const { access_token } = await post('/oidc/token', new URLSearchParams(credentials));
  const who = { identifier_type: 'email', identifier: email };
  const sent = JSON.stringify({ ...who, channel: 'direct' });
  const { code } = await post('/v1/auth/otp/send', sent, access_token);
  await post('/v1/auth/otp/authenticate', JSON.stringify({ ...who, passcode: code }), access_token);
}

/**
 * Tries to log the synthetic user in within ten seconds.
 * @returns `ok`, the path and the status of the request that failed, or the name of another error
 */
export const logInSynthetically = (baseUrl: string, secretId: string): Promise<string> =>
  logIn(baseUrl, secretId).then(
    () => 'ok',
    (error: unknown) => {
      if (error instanceof RejectedRequest) return error.message;
      // The message of another error can contain a part of the secret.
      return error instanceof Error ? error.name : typeof error;
    },
  );

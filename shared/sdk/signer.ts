import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | NodeJS.ArrayBufferView;
}

interface Signer<Of> {
  sign(request: Of, options: { readonly signingDate: Date }): Promise<Of>;
}

/** Headers that are not signed, because proxies may change or add them. */
const UNSIGNED = new Set(['authorization', 'user-agent', 'X-Amzn-Trace-Id']);
const ALGORITHM = 'AWS4-HMAC-SHA256';

const hmac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text);

/**
 * Creates a signer (Signature Version 4) for requests with lower-case header names, without a query and without repeated spaces
 * in header values. The requests of the SDK meet these conditions. The day's signing key is kept as a key object. Node.js would
 * otherwise import the bytes of the HMAC key at each use, which the SDK's signer does twice per call.
 */
export function createSigner<Of extends Request>(
  service: string,
  region: () => Promise<string>,
  credentials: () => Promise<Credentials>,
): Signer<Of> {
  let newest: { readonly secret: string; readonly scope: string; readonly key: KeyObject } | undefined;

  function keyFor(secret: string, scope: string): KeyObject {
    if (newest?.secret === secret && newest.scope === scope) return newest.key;
    const key = scope
      .split('/')
      .reduce(
        (from, part) => createSecretKey(hmac(from, part).digest()),
        createSecretKey(`AWS4${secret}`, 'utf8'),
      );
    newest = { secret, scope, key };
    return key;
  }

  return {
    async sign(request, { signingDate }) {
      const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
      const { method, path, headers, body = '' } = request;
      const date = signingDate.toISOString().replaceAll(/[-:]|\.\d+/g, '');
      const scope = `${date.slice(0, 8)}/${await region()}/${service}/aws4_request`;
      const bodyHash = hash('sha256', body);
      headers['x-amz-date'] = date;
      headers['x-amz-content-sha256'] = bodyHash;
      if (sessionToken) headers['x-amz-security-token'] = sessionToken;
      else delete headers['x-amz-security-token'];

      const names = Object.keys(headers)
        .filter((name) => !UNSIGNED.has(name))
        .sort();
      const signed = names.join(';');
      const lines = names.map((name) => `${name}:${headers[name]}\n`).join('');
      // For the signature, the path is percent-encoded a second time.
      const encoded = path.split('/').map(encodeURIComponent).join('/');
      const canonical = hash('sha256', `${method}\n${encoded}\n\n${lines}\n${signed}\n${bodyHash}`);
      const signature = hmac(
        keyFor(secretAccessKey, scope),
        `${ALGORITHM}\n${date}\n${scope}\n${canonical}`,
      ).digest('hex');
      headers.authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
      return request;
    },
  };
}

import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { selfSigned } from '../tools/self-signed.ts';

/** Proxy that serves several hosts over TLS, because browsers bind sessions to devices only on hosts with TLS. */
export interface TlsProxy {
  /** Arguments for Chromium, which make it trust the certificate and send all hosts to the proxy. */
  readonly browserArguments: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts a proxy with a self-signed certificate.
 * @param targets URL of the local server for each host, or HTML of a page that the proxy itself serves at all paths of the host
 */
export async function startTlsProxy(targets: Readonly<Record<string, () => string>>): Promise<TlsProxy> {
  const certificate = selfSigned(Object.keys(targets));
  const server = createServer(certificate, (incoming, outgoing) => {
    const target = targets[incoming.headers.host ?? '']?.();
    if (target === undefined) return outgoing.writeHead(404).end();
    if (!target.startsWith('http:')) return outgoing.setHeader('content-type', 'text/html').end(target);
    const { method = 'GET', headers, url } = incoming;
    const onward = request(`${target}${url}`, { method, headers, setHost: false }, (answer) => {
      // The browser has closed the page before the response, and `pipeline` would throw.
      if (outgoing.destroyed) return answer.destroy();
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      return pipeline(answer, outgoing, () => undefined);
    });
    onward.on('error', () => outgoing.destroy());
    return pipeline(incoming, onward, () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { publicKey } = new X509Certificate(certificate.cert);
  const spki = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
  const { port } = server.address() as AddressInfo;
  return {
    browserArguments: [
      `--ignore-certificate-errors-spki-list=${spki}`,
      `--host-resolver-rules=MAP *:443 127.0.0.1:${port}`,
    ],
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

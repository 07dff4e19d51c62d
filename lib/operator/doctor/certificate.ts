import { connect } from 'node:tls';

const HTTPS_PORT = 443;
const ANSWER_MILLISECONDS = 5000;

/**
 * Reads the date on which the certificate of a host ends, as a browser sees it. Accepts an expired certificate, so that its
 * date can be read.
 * @throws Error if the host sends no certificate within five seconds
 */
export function readCertificateEnd(baseUrl: string): Promise<Date> {
  const { hostname, port } = new URL(baseUrl);
  const { promise, resolve, reject } = Promise.withResolvers<Date>();
  const options = { host: hostname, servername: hostname, port: Number(port || HTTPS_PORT) };
  const socket = connect({ ...options, rejectUnauthorized: false }, () => {
    resolve(new Date(socket.getPeerCertificate().valid_to));
  });
  socket.setTimeout(ANSWER_MILLISECONDS, () => reject(new Error('no answer')));
  socket.once('error', reject);
  return promise.finally(() => socket.destroy());
}

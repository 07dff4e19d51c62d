import { request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { fromEnv } from '@aws-sdk/credential-provider-env';
import { budgetExhaustedError, startCall, withinTime } from '../sdk/budget.ts';
import { createSigner } from '../sdk/signer.ts';
import { type Environment, requireVariable } from './settings.ts';

/** Maximum size of a response body in bytes. The connection is closed as soon as a body is larger. */
const ANSWER_MAX_BYTES = 64 * 1024;

interface AwsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Response body as text. Undefined if the body is larger than `ANSWER_MAX_BYTES`. */
  readonly body: string | undefined;
}

interface AwsCall {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal?: AbortSignal,
): Promise<AwsAnswer> {
  const start = url.protocol === 'http:' ? requestByHttp : requestByHttps;
  return new Promise((resolve, reject) => {
    // Each call opens its own connection. Reusing a connection that AWS has closed would fail like a lost response.
    const options = { method: 'POST', headers, agent: false, ...(signal && { signal }) } as const;
    const request = start(url, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const { statusCode = 0, headers: received } = response;
      const settle = (text: string | undefined) =>
        resolve({ status: statusCode, headers: received, body: text });
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size <= ANSWER_MAX_BYTES) return;
        settle(undefined);
        response.destroy();
      });
      response.on('end', () => settle(Buffer.concat(chunks).toString()));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Returns the name of the error in a response, without the namespace and URL that some services add. */
function readErrorName({ headers, body = '' }: AwsAnswer): string {
  const [, inBody = ''] = /"__type"\s*:\s*"([^"]+)"/.exec(body) ?? [];
  const name = String(headers['x-amzn-errortype'] ?? inBody);
  return /(\w+)(?:$|:)/.exec(name.slice(name.lastIndexOf('#') + 1))?.[1] ?? 'UnknownError';
}

/**
 * Creates a function that calls one AWS service without an SDK client. Only a few environments need these calls, but another
 * SDK client would slow down cold starts in all environments. Failed calls are not retried. Errors have the same form as SDK
 * errors: the name of the AWS error, or `TimeoutError`.
 * @param endpoint Beginning of the service's host name
 * @param settings.name Name of the service in AWS signatures
 * @param settings.variable Environment variable with another URL of the service, for tests
 * @param settings.milliseconds Time limit of a call
 */
export function createAwsCall(
  endpoint: string,
  settings: {
    readonly name?: string;
    readonly variable: string;
    readonly milliseconds: number;
    readonly env: Environment;
  },
): (call: AwsCall) => Promise<AwsAnswer> {
  const { name = endpoint, variable, milliseconds, env } = settings;
  const region = requireVariable(env, 'AWS_REGION');
  const base = (env[variable] ?? `https://${endpoint}.${region}.amazonaws.com`).replace(/\/$/, '');
  const credentials = fromEnv();
  const signer = createSigner<{
    readonly method: string;
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly body: string;
  }>(
    name,
    async () => region,
    () => credentials(),
  );
  return async ({ path = '/', headers = {}, body }) => {
    const url = new URL(base + path);
    const length = String(Buffer.byteLength(body));
    const request = await signer.sign(
      {
        method: 'POST',
        path: url.pathname,
        headers: { host: url.host, 'content-length': length, ...headers },
        body,
      },
      { signingDate: new Date() },
    );
    const left = startCall(milliseconds)() ?? milliseconds;
    const answer = await withinTime(left, (signal) =>
      post(url, request.headers, body, signal).catch((error: unknown) => {
        throw signal?.aborted ? budgetExhaustedError(error) : error;
      }),
    );
    const { status } = answer;
    if (status >= 200 && status < 300) return answer;
    throw Object.assign(new Error(`AWS answered with the status ${status}`), {
      name: readErrorName(answer),
      $metadata: { httpStatusCode: status },
    });
  };
}

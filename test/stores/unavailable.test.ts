import { describe, expect, test } from '@jest/globals';
import { preventTimeoutRetry, toUnavailable } from '../../shared/dynamo/unavailable.ts';

const UNAVAILABLE = { key: 'service_unavailable', detail: { retryAfterSeconds: 1 } };
const asError = (properties: object) => Object.assign(new Error('no'), properties);

describe('failures of AWS calls after the retries of the SDK', () => {
  test.each([
    { name: 'ThrottlingException' },
    { code: 'ECONNRESET' },
    { name: 'TimeoutError' },
    { $metadata: { httpStatusCode: 429 } },
    { $metadata: { httpStatusCode: 500 } },
  ])('a temporary failure is converted to service_unavailable: %j', (properties) => {
    expect(toUnavailable(asError(properties))).toMatchObject(UNAVAILABLE);
  });

  test.each([
    {},
    { name: 'ValidationException', code: 'ERR_INVALID_ARG_TYPE' },
    { $metadata: { httpStatusCode: 400 } },
    { $metadata: { httpStatusCode: 430 } },
    { $metadata: { httpStatusCode: 499 } },
  ])('a failure that a repetition would not solve is returned unchanged: %j', (properties) => {
    const error = asError(properties);
    expect(toUnavailable(error)).toBe(error);
  });

  test.each([
    { name: 'DisabledException' },
    { name: 'ValidationException', message: 'KMS key access: KMSInvalidStateException' },
  ])('a failure because of an unusable key is retried after a minute and reported: %j', (properties) => {
    expect(toUnavailable(asError(properties))).toMatchObject({
      key: 'service_unavailable',
      detail: { retryAfterSeconds: 60, audit: { unusableKey: true } },
    });
  });
});

describe('attempts that the SDK must not retry after a time-out', () => {
  const failWith = (properties: object) => {
    const error = asError(properties);
    const failure = preventTimeoutRetry(() => Promise.reject(error)).catch((caught: unknown) => caught);
    return { error, failure };
  };

  test.each([{ name: 'TimeoutError' }, { name: 'TimeoutError', code: 'ETIMEDOUT' }])(
    'a time-out is thrown as another error, which becomes service_unavailable: %j',
    async (properties) => {
      const { error, failure } = failWith(properties);
      const thrown = (await failure) as Error;
      expect([thrown.name, thrown.message]).toEqual(['Error', 'No answer in time']);
      expect(toUnavailable(thrown)).toMatchObject({ ...UNAVAILABLE, cause: error });
    },
  );

  test.each([
    { name: 'TimeoutError', code: 'ECONNRESET' },
    { name: 'Error', code: 'ETIMEDOUT' },
    { name: 'Error' },
  ])('any other failure is thrown unchanged: %j', async (properties) => {
    const { error, failure } = failWith(properties);
    expect(await failure).toBe(error);
  });
});

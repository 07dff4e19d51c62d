import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Emulators } from '../../lib/local/emulators/start.ts';
import { sesMailer } from '../../shared/aws/ses-mailer.ts';
import { snsSmsSender } from '../../shared/aws/sms-senders.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { openEmulators } from '../support/server/emulators.ts';

let emulators: Emulators;
const environmentBefore = { ...process.env };

beforeAll(async () => {
  emulators = await openEmulators();
  Object.assign(process.env, emulators.environment);
});
afterEach(() => emulators.clearFaults());
afterAll(async () => {
  await emulators.stop();
  process.env = environmentBefore;
});

let recipients = 0;
const newAddress = () => `person-${++recipients}@example.com`;
const newNumber = () => `+1202555${String(++recipients).padStart(4, '0')}`;

const facts = { purpose: 'login', language: 'en', applicationName: 'Acme' } as const;
const sending = { tenantId: 'tenant', subject: { userId: 'user' }, facts };
const mail = (to: string) => ({
  ...sending,
  parts: { subject: 'Hello', text: '', html: '' },
  from: 'login@example.com',
  to,
  raw: Buffer.from(`From: login@example.com\r\nTo: ${to}\r\nSubject: Hello\r\n\r\nYour code is 042917\r\n`),
});
const sendMail = (to: string) => sesMailer({ configurationSet: 'login', environment: 'eu' }).send(mail(to));
const sendText = (to: string) =>
  snsSmsSender({}).send({ ...sending, to, text: '042917 is your code', senderId: 'Acme' });
const sent = async (to: string) => (await emulators.messages({ to })).length;
const failure = (sending: Promise<unknown>) =>
  sending.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('emails and SMS sent through SES and SNS', () => {
  test('an email is delivered to its recipient', async () => {
    const to = newAddress();
    await sendMail(to);
    expect(await emulators.messages({ to })).toMatchObject([
      { channel: 'email', to, from: 'login@example.com', subject: 'Hello', codes: ['042917'] },
    ]);
  });

  test('an SMS is delivered to its recipient with the sender ID', async () => {
    const to = newNumber();
    await sendText(to);
    expect(await emulators.messages({ to })).toMatchObject([
      { channel: 'sms', to, from: 'Acme', text: '042917 is your code' },
    ]);
  });

  test('an SMS is delivered to its recipient without a sender ID', async () => {
    const to = newNumber();
    await snsSmsSender({}).send({ ...sending, to, text: 'Hello' });
    expect(await emulators.messages({ to })).toMatchObject([{ from: null, text: 'Hello' }]);
  });

  // An SES client reads its credentials only once, so the signature of an email shows when the client read its credentials.
  test('the email client of a function reads its AWS credentials before the first email is sent', async () => {
    const keys: unknown[] = [];
    const recorder = createServer((request, response) => {
      keys.push(/Credential=(\w+)/.exec(request.headers.authorization ?? '')?.[1]);
      response.end('<r><SendRawEmailResult><MessageId>1</MessageId></SendRawEmailResult></r>');
    });
    await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
    const keyAfter = async (early: boolean, milliseconds: number) => {
      Object.assign(process.env, { AWS_ENDPOINT_URL_SES: url, AWS_ACCESS_KEY_ID: 'INIT' });
      const mailer = sesMailer({ early, environment: 'eu' });
      await delay(milliseconds);
      process.env.AWS_ACCESS_KEY_ID = 'LATER';
      await mailer.send(mail('ann@example.com'));
      return keys.at(-1);
    };
    expect(await keyAfter(false, 100)).toBe('LATER');
    // On a busy machine, the client needs more than 100 ms to read its credentials.
    const early = [await keyAfter(true, 100)];
    if (early[0] !== 'INIT') early.push(await keyAfter(true, 4000));
    expect(early).toContain('INIT');
    Object.assign(process.env, emulators.environment);
    recorder.close();
  });

  test('an email is sent with its SES configuration set', async () => {
    const forms: URLSearchParams[] = [];
    const recorder = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      forms.push(new URLSearchParams(body));
      response.end(
        '<r><SendRawEmailResult><MessageId>1</MessageId></SendRawEmailResult><PublishResult/></r>',
      );
    });
    await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
    Object.assign(process.env, { AWS_ENDPOINT_URL_SES: url, AWS_ENDPOINT_URL_SNS: url });
    await sendMail('ann@example.com');
    await sendText('+12025550123');
    await snsSmsSender({ originationNumber: '+12065550100' }).send({
      ...sending,
      to: '+12025550123',
      text: 'Hello',
    });
    Object.assign(process.env, emulators.environment);
    recorder.close();
    const [ses, sns, numbered] = forms.map((form) => Object.fromEntries(form));
    expect(ses).toMatchObject({ ConfigurationSetName: 'login', Source: 'login@example.com' });
    expect(ses).toMatchObject({ 'Destinations.member.1': 'ann@example.com' });
    expect(Object.values(sns ?? {})).toEqual(
      expect.arrayContaining(['AWS.SNS.SMS.SMSType', 'Transactional', 'AWS.SNS.SMS.SenderID', 'Acme']),
    );
    expect(Object.values(numbered ?? {})).toEqual(
      expect.arrayContaining(['AWS.MM.SMS.OriginationNumber', '+12065550100']),
    );
  });
});

describe('SES and SNS errors about a recipient or sender', () => {
  test.each([
    ['MessageRejected', 'Email address is not verified.'],
    ['MailFromDomainNotVerified', ''],
    ['MailFromDomainNotVerifiedException', ''],
    ['AccountSendingPausedException', ''],
    ['ConfigurationSetSendingPausedException', ''],
    ['InvalidParameterValue', 'Local address contains control or whitespace'],
  ])('the SES error %s about a recipient or sender is reported to the caller', async (code, message) => {
    await emulators.inject({ service: 'ses', effect: 'error', code, message });
    const error = await failure(sendMail(newAddress()));
    expect(error).toMatchObject({ key: 'external_provider_configuration_error' });
  });

  test.each([
    'InvalidParameter',
    'InvalidParameterException',
    'InvalidParameterValue',
    'OptedOut',
    'OptedOutException',
  ])('the SNS error %s about a recipient or sender is reported to the caller', async (code) => {
    await emulators.inject({ service: 'sns', effect: 'error', code });
    const error = await failure(sendText(newNumber()));
    expect(error).toMatchObject({ key: 'external_provider_configuration_error' });
  });

  test('an address that SES or SNS rejects as invalid causes external_provider_configuration_error', async () => {
    expect(await failure(sendText('12025550123'))).toMatchObject({
      key: 'external_provider_configuration_error',
    });
    expect(await failure(sendMail('zoë@example.com'))).toMatchObject({
      key: 'external_provider_configuration_error',
    });
  });
});

describe('SES and SNS errors caused by a misconfigured deployment', () => {
  test.each([
    ['ses', 'AccessDenied', 403],
    ['ses', 'ConfigurationSetDoesNotExist', 400],
    ['ses', 'InvalidClientTokenId', 403],
    ['sns', 'AuthorizationError', 403],
    ['sns', 'InvalidClientTokenId', 403],
  ] as const)(
    'if a misconfigured deployment causes the error %s %s, the caller gets only internal_error, and the error is logged',
    async (service, code, status) => {
      await emulators.inject({ service, effect: 'error', code, status });
      const error = await failure(service === 'ses' ? sendMail(newAddress()) : sendText(newNumber()));
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({
        key: 'internal_error',
        message: 'internal_error',
        detail: { audit: { refusal: 'provider_refused', providerError: expect.stringContaining(code) } },
      });
    },
  );
});

describe('emails that the IAM policy does not allow', () => {
  const inSandbox = (sandbox: boolean) => sesMailer({ environment: 'eu', sandbox }).send(mail(newAddress()));
  const sentence = expect.stringContaining('in the SES sandbox, the recipient must be verified');

  test('if IAM rejects an email in the SES sandbox, the error explains that SES must first verify the recipient', async () => {
    await emulators.inject({ service: 'ses', effect: 'error', code: 'AccessDenied', status: 403 });
    const error = await failure(inSandbox(true));
    expect(error).toMatchObject({
      key: 'external_provider_configuration_error',
      detail: { message: sentence },
    });
  });

  test('if IAM rejects an email outside the SES sandbox, the caller gets internal_error', async () => {
    await emulators.inject({ service: 'ses', effect: 'error', code: 'AccessDenied', status: 403 });
    expect(await failure(inSandbox(false))).toMatchObject({
      key: 'internal_error',
      detail: { cause: { name: 'AccessDenied', advice: sentence } },
    });
  });
});

describe('retries when sending an email or SMS', () => {
  const channels = [
    ['ses', newAddress],
    ['sns', newNumber],
  ] as const;
  const send = { ses: sendMail, sns: sendText };

  test.each(channels)(
    'a message is sent even if %s has throttled two attempts',
    async (service, recipient) => {
      const to = recipient();
      await emulators.inject({ service, effect: 'error', code: 'Throttling', times: 2 });
      await send[service](to);
      expect(await sent(to)).toBe(1);
    },
  );

  test.each(channels)(
    'the caller gets a 503 response with Retry-After if %s throttles every attempt',
    async (service, recipient) => {
      const to = recipient();
      await emulators.inject({ service, effect: 'error', code: 'Throttling', times: 3 });
      const error = await failure(send[service](to));
      expect(error).toMatchObject({ key: 'service_unavailable', detail: { retryAfterSeconds: 2 } });
      expect(await sent(to)).toBe(0);
    },
  );

  test.each(channels)(
    'a message is not sent again if the response of %s is lost',
    async (service, recipient) => {
      const to = recipient();
      await emulators.inject({ service, effect: 'lost-answer', times: 1 });
      expect(await failure(send[service](to))).toMatchObject({
        key: 'service_unavailable',
        detail: { cause: { code: 'ECONNRESET' } },
      });
      expect(await sent(to)).toBe(1);
    },
  );

  test.each(channels)(
    'a message is not sent again after an internal error of %s',
    async (service, recipient) => {
      const to = recipient();
      await emulators.inject({ service, effect: 'error', code: 'InternalFailure', status: 500, times: 1 });
      expect(await failure(send[service](to))).toMatchObject({ key: 'service_unavailable' });
      expect(await sent(to)).toBe(0);
    },
  );

  // Runs before the next test, because after a refused connection the SDK's timer keeps the process alive for a second.
  test('sending an email fails with service_unavailable if SES refuses the connection', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    process.env.AWS_ENDPOINT_URL_SES = `http://127.0.0.1:${port}`;
    const error = await failure(sendMail(newAddress()));
    Object.assign(process.env, emulators.environment);
    expect(error).toMatchObject({ key: 'service_unavailable', detail: { cause: { code: 'ECONNREFUSED' } } });
  });

  test('a message is sent at most once if SES or SNS does not respond within 3 s', async () => {
    const [address, number] = [newAddress(), newNumber()];
    for (const service of ['ses', 'sns'] as const)
      await emulators.inject({ service, effect: 'latency', latency_ms: 3200, times: 1 });
    const errors = await Promise.all([failure(sendMail(address)), failure(sendText(number))]);
    for (const error of errors) expect(error).toMatchObject({ key: 'service_unavailable' });
    for (const to of [address, number]) expect(await sent(to)).toBeLessThanOrEqual(1);
  });
});

import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Emulators } from '../../lib/local/emulators/start.ts';
import { openEmulators } from '../support/server/emulators.ts';

let emulators: Emulators;
let ses: SESClient;
let sns: SNSClient;

beforeAll(async () => {
  emulators = await openEmulators();
  const settings = {
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  };
  ses = new SESClient({ ...settings, endpoint: emulators.endpoint('ses') });
  sns = new SNSClient({ ...settings, endpoint: emulators.endpoint('sns') });
});
afterEach(() => emulators.clearFaults());
afterAll(async () => {
  ses.destroy();
  sns.destroy();
  await emulators.stop();
});

const mailTo = (to: string, text = 'Your code is 123456.') => `From: =?utf-8?q?Caf=C3=A9?= <login@example.com>
To: ${to}
Subject: =?utf-8?q?Anmeldung_f=C3=BCr_dich?=
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain; charset=utf-8

${text}
--b
Content-Type: text/html; charset=utf-8

<p>Open <a href="https://login.example/open?a=1&amp;b=2">this</a></p>
--b--
`;

const sendMail = (to: string, raw = mailTo(to)) =>
  ses.send(new SendRawEmailCommand({ Destinations: [to], RawMessage: { Data: Buffer.from(raw) } }));
const sendText = (PhoneNumber: string, Message: string, senderId?: string) =>
  sns.send(
    new PublishCommand({
      PhoneNumber,
      Message,
      ...(senderId !== undefined && {
        MessageAttributes: { 'AWS.SNS.SMS.SenderID': { DataType: 'String', StringValue: senderId } },
      }),
    }),
  );

describe('emails sent with the emulated SES', () => {
  test('the emulated SES returns a sent email with its subject, text, links and codes', async () => {
    const { MessageId } = await sendMail('read@example.com');
    const [message, ...others] = await emulators.messages({ to: 'read@example.com' });
    expect(others).toEqual([]);
    expect(message).toEqual({
      id: MessageId,
      channel: 'email',
      to: 'read@example.com',
      from: 'Café <login@example.com>',
      subject: 'Anmeldung für dich',
      text: expect.stringContaining('Your code is 123456.'),
      html: expect.stringContaining('<p>Open'),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      links: ['https://login.example/open?a=1&b=2'],
      codes: ['123456'],
    });
  });

  test("the emulated SES takes recipients from the email's headers if the parameter Destinations is missing", async () => {
    const raw = mailTo('one@headers.test, Two <two@headers.test>');
    await ses.send(new SendRawEmailCommand({ RawMessage: { Data: Buffer.from(raw) } }));
    expect(await emulators.messages({ to: 'one@headers.test' })).toHaveLength(1);
    expect(await emulators.messages({ to: 'two@headers.test' })).toHaveLength(1);
  });

  test.each(['nowhere', 'a@b@c', 'ä@example.com', ''])(
    'the emulated SES rejects an email to %p with the same error as SES',
    async (to) => {
      await expect(sendMail(to)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    },
  );

  test('the emulated SES returns the raw source of a sent email', async () => {
    const raw = mailTo('raw@example.com');
    const { MessageId } = await sendMail('raw@example.com', raw);
    const response = await fetch(`${emulators.url}/messages/${MessageId}/raw`);
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['message/rfc822', raw]);
  });

  test('the emulated SES shows an email with its inline images but runs no scripts', async () => {
    const raw = `From: a@example.com
To: b@example.com
Content-Type: multipart/related; boundary=r

--r
Content-Type: text/html

<img src="cid:logo@x"><script>alert(1)</script>
--r
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-ID: <logo@x>

iVBORw0KGgo=
--r--
`;
    const { MessageId } = await sendMail('inline@example.com', raw);
    const response = await fetch(`${emulators.url}/messages/${MessageId}/html`);
    expect(await response.text()).toContain('<img src="data:image/png;base64,iVBORw0KGgo=">');
    expect(response.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*sandbox(?!.*allow-scripts)/,
    );
  });
});

describe('text messages sent with the emulated SNS', () => {
  test('the emulated SNS returns a sent SMS with its sender, link and code', async () => {
    const text = 'Your code for Shop is 00481\n\nSee https://shop.test/a?b=123456\n\n@shop.test #00481';
    await sendText('+4930111111', text, 'Shop');
    expect(await emulators.messages({ to: '+4930111111' })).toMatchObject([
      {
        channel: 'sms',
        from: 'Shop',
        subject: null,
        html: null,
        text,
        links: ['https://shop.test/a?b=123456'],
        codes: ['00481'],
      },
    ]);
  });

  test.each([
    ['an invalid number', '030 111', 'hi', undefined],
    ['an empty text', '+4930111111', '', undefined],
    ['a sender of digits only', '+4930111111', 'hi', '12345'],
    ['a sender of more than 11 characters', '+4930111111', 'hi', 'abcdefghijkl'],
  ])('the emulated SNS rejects an SMS with %s with the same error as SNS', async (_, to, text, sender) => {
    await expect(sendText(to, text, sender)).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });
});

describe('list of messages sent with the emulators', () => {
  test('the list of sent messages shows the newest message first and can be filtered', async () => {
    await sendMail('first@list.test');
    await sendText('+4930222222', 'second');
    await sendMail('third@list.test');
    const all = await emulators.messages();
    expect(all.slice(0, 3).map((message) => message.to)).toEqual([
      'third@list.test',
      '+4930222222',
      'first@list.test',
    ]);
    expect((await emulators.messages({ channel: 'sms' })).every((message) => message.channel === 'sms')).toBe(
      true,
    );
    expect(await emulators.messages({ to: 'FIRST@list.test' })).toHaveLength(1);
    expect(await emulators.messages({ to: 'first@list.test', channel: 'sms' })).toEqual([]);
    const since = all[0]?.created_at ?? '';
    expect((await emulators.messages({ since })).map((message) => message.to)).toContain('third@list.test');
    const later = new Date(Date.parse(since) + 1).toISOString();
    expect(await emulators.messages({ since: later })).toEqual([]);
  });

  test('the list of sent messages can be filtered by a domain in Unicode or ASCII form', async () => {
    await sendMail('anna@xn--bcher-kva.test');
    for (const to of ['anna@bücher.test', 'Anna@BÜCHER.test', 'anna@xn--bcher-kva.test'])
      expect(await emulators.messages({ to })).toHaveLength(1);
    expect(await emulators.messages({ to: 'anna@bucher.test' })).toEqual([]);
  });

  test('filters of the message list accept an unescaped plus sign in phone numbers and times', async () => {
    await sendText('+4930333333', 'hi');
    const response = await fetch(`${emulators.url}/messages?to=+4930333333&since=2020-01-01T00:00:00+01:00`);
    expect(await response.json()).toMatchObject({ messages: [{ to: '+4930333333' }] });
  });

  test('the list of sent messages ignores an empty filter', async () => {
    const response = await fetch(`${emulators.url}/messages?to=&channel=&since=`);
    expect(await response.json()).toEqual({ messages: await emulators.messages() });
  });

  test('the list of sent messages rejects a filter with an invalid time', async () => {
    for (const since of [
      'yesterday',
      '1',
      '2020',
      '2020-01-01',
      '2020-01-01T00:00:00',
      '2020-99-01T00:00:00Z',
    ]) {
      const response = await fetch(`${emulators.url}/messages?since=${since}`);
      expect([since, response.status, await response.json()]).toEqual([
        since,
        400,
        { message: expect.stringContaining('since') },
      ]);
    }
  });
});

describe('codes that the local inbox finds in messages', () => {
  test.each([
    ['Your code is 4711.', ['4711']],
    ['Code: 12345678', ['12345678']],
    ['Call +49 30 1234567 or 030/123456', []],
    ['Acme, 2026\n\n  0042  \n', ['0042', '2026']],
    ['See https://x.test/123456 and 2024-01-02', []],
    ['Order A123456, 123456789 items', []],
    ['123456 is your code\n\n@shop.test #123456', ['123456']],
  ])('the inbox of the local server finds the codes in the message %p', async (text, codes) => {
    await sendText('+4930444444', text);
    const [message] = await emulators.messages({ to: '+4930444444' });
    expect(message?.codes).toEqual(codes);
  });
});

describe('faults injected into SES, SNS and other emulators', () => {
  test.each([
    ['Throttling', 'Throttling'],
    ['MessageRejected', 'MessageRejected'],
    ['MailFromDomainNotVerifiedException', 'MailFromDomainNotVerifiedException'],
  ])('an injected fault makes SES respond with the error %s', async (code, name) => {
    await emulators.inject({ service: 'ses', effect: 'error', code, times: 1 });
    await expect(sendMail('fault@example.com')).rejects.toMatchObject({ name });
    await sendMail('fault@example.com');
  });

  test.each([
    ['Throttling', 'ThrottledException', 429],
    ['InvalidParameter', 'InvalidParameterException', 400],
    ['OptedOut', 'OptedOutException', 400],
  ])(
    'an injected fault with the code %s makes SNS respond with the exception %s and the status %i',
    async (code, name, status) => {
      await emulators.inject({ service: 'sns', effect: 'error', code, times: 1 });
      const refusal = sendText('+4930555555', 'hi');
      await expect(refusal).rejects.toMatchObject({ name, $metadata: { httpStatusCode: status } });
      expect(await emulators.messages({ to: '+4930555555' })).toEqual([]);
    },
  );

  test('for an injected lost-answer fault, the emulator executes the AWS call but sends no response', async () => {
    await emulators.inject({ service: 'ses', effect: 'lost-answer', times: 1 });
    await expect(sendMail('lost-answer@example.com')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await emulators.messages({ to: 'lost-answer@example.com' })).toHaveLength(1);
  });

  test('for an injected lost-request fault, the emulator does not execute the AWS call', async () => {
    await emulators.inject({ service: 'ses', effect: 'lost-request', times: 1 });
    await expect(sendMail('lost-request@example.com')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await emulators.messages({ to: 'lost-request@example.com' })).toEqual([]);
  });

  test('an injected fault affects only one AWS action and begins after the given number of calls', async () => {
    await emulators.inject({ service: 'sns', action: 'Subscribe', effect: 'error' });
    await emulators.inject({ service: 'sns', action: 'Publish', effect: 'error', skip: 1, times: 1 });
    await sendText('+4930666666', 'one');
    await expect(sendText('+4930666666', 'two')).rejects.toMatchObject({ name: 'ThrottledException' });
    await sendText('+4930666666', 'three');
  });

  test('the emulators reject an invalid fault with a 400 response', async () => {
    const response = await fetch(`${emulators.url}/faults`, { method: 'POST', body: '{"service":"s3"}' });
    expect(response.status).toBe(400);
  });
});

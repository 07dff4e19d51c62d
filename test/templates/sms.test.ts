import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import * as v from 'valibot';
import { SendOtpBody } from '../../shared/schemas/one-time.ts';
import { segments } from '../../shared/templates/messages/segments.ts';
import { type SmsInput, smsText } from '../../shared/templates/messages/sms.ts';
import { CODE, languages } from './support.ts';

const HOST = 'login.example.com';
const input: SmsInput = { applicationName: 'Northwind', language: 'en', code: CODE, host: HOST };
const renderSms = (change: Partial<SmsInput> = {}) => smsText({ ...input, ...change });

/** Parses an origin-bound one-time code as described in WICG sms-one-time-codes §3.1. */
function parseBoundCode(message: string): { host: string; code: string } | undefined {
  const line = message.split(/\r\n|\r|\n/).at(-1) ?? '';
  const [, host, code] = /^@(\S+) #([^\s%]+)(?: %\S+)?(?:\s.*)?$/.exec(line) ?? [];
  return host && code ? { host, code } : undefined;
}

describe('N130 SMS whose code is bound to the host of a login page', () => {
  test.each(languages)('N130 an SMS in %s ends with the origin-bound code', (language) => {
    const text = renderSms({ language, applicationName: 'Acme', host: 'id.example.com' });
    expect(parseBoundCode(text)).toEqual({ host: 'id.example.com', code: CODE });
    expect(text).toMatch(/^[\s\S]{10,}\n@id\.example\.com #042917$/);
    expect(text.split('\n')[0]).toContain(CODE);
  });

  test('N130 an SMS with a custom message contains no origin-bound code', () => {
    const text = renderSms({ customMessage: 'Hello, {otp} opens {app}' });
    expect(text).toBe(`Hello, ${CODE} opens Northwind`);
    const customMessage = '{otp} opens {app}\n@shop.example #{otp}';
    expect(renderSms({ customMessage })).toBe(`${CODE} opens Northwind\n@shop.example #${CODE}`);
  });

  test('N130 an SMS contains no origin-bound code if the code would not fit into one SMS', () => {
    const short = renderSms({ host: 'a.example' }).length - 'a.example'.length;
    const createHost = (length: number) => `${'x'.repeat(length - short - '.example'.length)}.example`;
    const fits = renderSms({ host: createHost(160) });
    expect([fits.length, segments(fits), parseBoundCode(fits)?.code]).toEqual([160, 1, CODE]);
    const without = renderSms({ host: createHost(161) });
    expect([segments(without), without.includes('@')]).toEqual([1, false]);
  });

  test('N130 an SMS rendered without a host contains no origin-bound code', () => {
    expect(renderSms({ host: undefined })).not.toContain('@');
  });

  test('N130 an application name in an SMS cannot bind the code to another host', () => {
    const applicationName = 'Acme\n@evil.example #1';
    expect(parseBoundCode(renderSms({ applicationName }))).toEqual({ host: HOST, code: CODE });
    expect(parseBoundCode(renderSms({ applicationName, customMessage: '{otp} {app}' }))).toBeUndefined();
  });
});

describe('N132 counting SMS segments', () => {
  test.each([
    ['an empty text', '', 1],
    ['160 GSM letters', 'a'.repeat(160), 1],
    ['161 GSM letters', 'a'.repeat(161), 2],
    ['306 GSM letters', 'a'.repeat(306), 2],
    ['307 GSM letters', 'a'.repeat(307), 3],
    ['80 letters of the extension table', '€'.repeat(80), 1],
    ['81 letters of the extension table', '€'.repeat(81), 2],
    ['an escape sequence at the end of a segment', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    ['accented letters of the GSM alphabet', 'éèùìòÇÄÖÑÜäöñüàß'.repeat(10), 1],
    ['70 units of UCS-2', 'あ'.repeat(70), 1],
    ['71 units of UCS-2', 'あ'.repeat(71), 2],
    ['134 units of UCS-2', 'あ'.repeat(134), 2],
    ['135 units of UCS-2', 'あ'.repeat(135), 3],
    ['one letter outside the GSM alphabet', `${'a'.repeat(70)}ê`, 2],
    ['35 emoji', '🔑'.repeat(35), 1],
    ['36 emoji', '🔑'.repeat(36), 2],
    ['a surrogate pair at the end of a segment', `${'a'.repeat(66)}🔑${'a'.repeat(66)}`, 3],
    ['line breaks', 'a\n'.repeat(80), 1],
  ])('N132 the service counts the segments of an SMS with %s like mobile networks do', (_, text, count) => {
    expect(segments(text)).toBe(count);
  });

  const seed = Number(process.env.SEED ?? Date.now());
  // Each character is a single code point, because the other library does not split sequences of several code points.
  const letters = fc.oneof(
    fc.constantFrom(...'aZ09 @£éÇØÅΔΩß¡¿ñ\n\r'),
    fc.constantFrom(...'^{}[]~\\|€\f'),
    fc.constantFrom(...'êãćłあ漢한\u0000`'),
    fc.constantFrom('🔑', '😀', '𝒳'),
  );
  const gsmLetters = fc.constantFrom(...'aZ09 @£éÇØÅΔΩß¡¿ñ\n\r^{}[]~\\|€\f');
  test(`N132 this service and another library count the same number of SMS segments (seed ${seed})`, () => {
    const texts = fc.oneof(
      fc.string({ unit: gsmLetters, maxLength: 700 }),
      fc.string({ unit: letters, maxLength: 300 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(segments(text)).toBe(new SegmentedMessage(text).segmentsCount);
      }),
      { seed, numRuns: 1000 },
    );
  });

  test('N132 the default SMS fits into one segment with any application name', () => {
    const names = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom('€', '日本', '👩‍👩‍👧‍👦', 'a'),
    );
    const name = fc.array(names, { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(name, fc.constantFrom(...languages), fc.domain(), (applicationName, language, host) => {
        const text = renderSms({ applicationName, language, host });
        expect(text).toContain(CODE);
        expect(segments(text)).toBe(1);
      }),
      { seed, numRuns: 500 },
    );
  });

  test.each(languages.filter((language) => language !== 'ja' && language !== 'ar'))(
    'N132 an SMS in %s has at most 160 characters of the GSM alphabet',
    (language) => {
      const text = renderSms({ language, host: undefined });
      expect(segments(text + 'a'.repeat(160 - text.length))).toBe(1);
    },
  );

  test('a long application name in an SMS is shortened', () => {
    const text = renderSms({ applicationName: 'N'.repeat(200) });
    expect(text).toBe(
      `${CODE} is your ${'N'.repeat(30)} code. Never share it with anyone.\n@${HOST} #${CODE}`,
    );
  });
});

describe('N121 SMS messages, which contain no links', () => {
  test.each(languages)('N121 an SMS in %s contains no link', (language) => {
    const text = renderSms({ language });
    expect(text).not.toMatch(/https?:|www\.|\/\/|\b[a-z-]+\.(?:com|net|org)\/|tel:|mailto:/i);
    expect(text.replace(/\n@[^\n]*$/, '')).not.toMatch(/\w\.\w/);
  });
});

describe('N140 custom SMS texts and sender IDs', () => {
  const body = (custom_sms_input: object) => ({
    channel: 'sms',
    identifier_type: 'phone_number',
    identifier: '+12025550123',
    custom_sms_input,
  });
  const accepts = (custom_sms_input: object) => v.safeParse(SendOtpBody, body(custom_sms_input)).success;
  const message = (length: number) => `{otp}{app}${'x'.repeat(length - 10)}`;

  test('N140 a custom SMS message that is too long or lacks one of the two placeholders is rejected', () => {
    expect(accepts({ custom_message: message(140) })).toBe(true);
    expect(accepts({ custom_message: message(141) })).toBe(false);
    expect(accepts({ custom_message: '{app} and then {otp}' })).toBe(true);
    expect(accepts({ custom_message: 'Your code is {otp}' })).toBe(false);
    expect(accepts({ custom_message: 'Welcome to {app}' })).toBe(false);
    expect(accepts({ custom_message: `{otp}{app}${'🔑'.repeat(130)}` })).toBe(true);
  });

  test.each([
    ['Northwind12', true],
    ['Northwind123', false],
    ['My Shop', true],
    ['A-B', true],
    ['12345', true],
    ['Ñorth', true],
    ['', true],
    ['My\nShop', false],
    ['My\u0085Shop', false],
  ])('N140 the SMS sender ID %j is accepted (expected: %p)', (sender_id, accepted) => {
    expect(accepts({ sender_id })).toBe(accepted);
  });

  test('N140 all placeholders in a custom SMS message are filled', () => {
    const customMessage = '{app}: {otp}. Again: {otp} for {app}';
    expect(renderSms({ customMessage, host: undefined })).toBe(
      `Northwind: ${CODE}. Again: ${CODE} for Northwind`,
    );
  });

  test.each(['{otp}', '$&$1$`$$', '{app}{app}'])(
    'N140 the application name %s is inserted unchanged into a custom SMS message',
    (applicationName) => {
      expect(renderSms({ applicationName, customMessage: '{app} {otp}', host: undefined })).toBe(
        `${applicationName} ${CODE}`,
      );
    },
  );

  test('N140 line breaks and braces in a custom SMS message are kept', () => {
    const customMessage = '{app}\r\n{otp}\n{other} {OTP}';
    expect(renderSms({ customMessage, host: undefined })).toBe(`Northwind\n${CODE}\n{other} {OTP}`);
  });
});

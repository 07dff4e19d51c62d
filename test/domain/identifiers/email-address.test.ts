import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  canReceiveMail,
  normaliseEmail,
  readEmail,
} from '../../../shared/domain/identifiers/email-address.ts';

describe('validation and normalisation of email addresses', () => {
  test.each([
    ['ann@example.com', 'ann@example.com'],
    ['  Ann@Example.COM\n', 'ann@example.com'],
    ['ann+shop.2@mail.example.co.uk', 'ann+shop.2@mail.example.co.uk'],
    ["o'brien@example.com", "o'brien@example.com"],
    ['ann@münchen.example', 'ann@xn--mnchen-3ya.example'],
    ['ann@xn--mnchen-3ya.example', 'ann@xn--mnchen-3ya.example'],
    ['ann@例え.テスト', 'ann@xn--r8jz45g.xn--zckzah'],
    ['ZOË@example.com', 'zoë@example.com'],
    ['zoe\u0308@example.com', 'zoë@example.com'],
    ['1@2.com', '1@2.com'],
    ['ann@1.2.3.4.example', 'ann@1.2.3.4.example'],
  ])('the email address %j is normalised to %s', (text, key) => {
    expect(normaliseEmail(text)?.key).toBe(key);
  });

  test('an email address that is displayed to users keeps its upper-case and lower-case letters', () => {
    expect(normaliseEmail(' Zoe\u0308@München.example ')?.display).toBe('Zoë@München.example');
  });

  test('full-width letters in an email address become ASCII letters', () => {
    expect(readEmail(' ａｎｎ．ｌｅｅ＠ｅｘａｍｐｌｅ．ｃｏｍ ')?.key).toBe('ann.lee@example.com');
    expect(readEmail('ａnn@example.com')?.key).toBe('ann@example.com');
    expect(readEmail('ﬁa@example.com')?.key).not.toBe('fia@example.com');
  });

  test.each([
    ['ann@example.com', true],
    ["o'brien+x@münchen.example", true],
    ['zoë@example.com', false],
    // The Kelvin sign, whose lower-case form is the ASCII letter k.
    ['\u212aim@example.com', false],
  ])('the email address %s can receive mail (expected: %s)', (address, takes) => {
    expect(canReceiveMail(address)).toBe(takes);
  });

  test('email addresses that differ only in dots or a plus suffix remain different addresses', () => {
    const keys = ['ann.lee@example.com', 'annlee@example.com', 'annlee+a@example.com'].map(
      (text) => normaliseEmail(text)?.key,
    );
    expect(new Set(keys).size).toBe(3);
  });

  test('letters that only look like ASCII letters stay unchanged in an email address', () => {
    expect(normaliseEmail('mıke@example.com')?.key).not.toBe(normaliseEmail('mike@example.com')?.key);
    expect(normaliseEmail('аnn@example.com')?.key).not.toBe(normaliseEmail('ann@example.com')?.key);
  });

  test.each([
    ['no characters', ''],
    ['no @', 'ann.example.com'],
    ['two @', 'ann@b@example.com'],
    ['no local part', '@example.com'],
    ['no domain', 'ann@'],
    ['a quoted local part', '"ann lee"@example.com'],
    ['a dot at the start', '.ann@example.com'],
    ['two dots', 'ann..lee@example.com'],
    ['a display name', 'Ann <ann@example.com>'],
    ['two recipients', 'ann@example.com,bob@example.com'],
    ['a space', 'ann lee@example.com'],
    ['a line break', 'ann@example.com\r\nBcc: bob@example.com'],
    ['a line break in the local part', 'ann\n@example.com'],
    ['NUL', 'ann\u0000@example.com'],
    ['a zero-width space', 'an\u200bn@example.com'],
    ['a bidirectional override', 'ann\u202e@example.com'],
    ['a soft hyphen in the domain', 'ann@exam\u00adple.com'],
    ['a lone surrogate', 'ann\ud800@example.com'],
    ['a second domain', 'ann@example.com@evil.example'],
    ['a domain of one label', 'ann@localhost'],
    ['a dot at the end', 'ann@example.com.'],
    ['an empty domain label', 'ann@example..com'],
    ['an underscore in the domain', 'ann@ex_ample.com'],
    ['a hyphen at the start of a domain label', 'ann@-example.com'],
    ['an IPv4 address', 'ann@127.0.0.1'],
    ['an abbreviated IPv4 address', 'ann@127.1'],
    ['an address literal', 'ann@[127.0.0.1]'],
    ['a percent sign in the domain', 'ann@ex%61mple.com'],
    ['a port', 'ann@example.com:25'],
    ['a local part of 65 octets', `${'a'.repeat(65)}@example.com`],
    ['a local part of 33 two-octet letters', `${'é'.repeat(33)}@example.com`],
    ['a domain label of 64 characters', `ann@${'a'.repeat(64)}.com`],
    ['255 octets in total', `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.com`],
    ['100,000 letters', `${'a'.repeat(100_000)}@example.com`],
  ])('an email address with %s is rejected', (_, text) => {
    expect(normaliseEmail(text)).toBeUndefined();
  });

  test('an email address may have up to 254 characters, of which up to 64 precede the @', () => {
    expect(normaliseEmail(`${'a'.repeat(64)}@example.com`)).toBeDefined();
    const longest = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`;
    expect(longest).toHaveLength(254);
    expect(normaliseEmail(longest)).toBeDefined();
  });

  test('a text of more than 508 characters is not read as an email address, even if most of them are spaces', () => {
    expect(normaliseEmail('ann@example.com'.padEnd(508))?.key).toBe('ann@example.com');
    expect(normaliseEmail('ann@example.com'.padEnd(509))).toBeUndefined();
  });

  test('normalising a normalised email address a second time changes nothing', () => {
    const seed = Number(process.env.SEED ?? Date.now());
    const letters = fc.stringMatching(/^[\p{L}\p{M}\p{N}._+-]{1,12}$/u);
    const anyAddress = fc.tuple(letters, letters, letters).map(([a, b, c]) => `${a}@${b}.${c}`);
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), anyAddress, fc.string({ unit: 'grapheme' })), (text) => {
        const address = normaliseEmail(text);
        if (address === undefined) return;
        expect(normaliseEmail(address.key)?.key).toBe(address.key);
        expect(normaliseEmail(address.display)).toEqual(address);
        expect(address.key).not.toMatch(/[\s\p{C}]/u);
      }),
      { seed, numRuns: 1000 },
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import { readLogo, requireLogo } from '../../../shared/domain/sending/email-content.ts';

const base64 = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1'))).toString('base64');
const TAIL = 'rest of the image';

describe('N137 detecting the image type of a logo', () => {
  test.each([
    ['image/png', base64([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], TAIL)],
    ['image/jpeg', base64([0xff, 0xd8, 0xff, 0xe0], TAIL)],
    ['image/gif', base64('GIF87a', TAIL)],
    ['image/gif', base64('GIF89a', TAIL)],
    ['image/webp', base64('RIFF\x10\x00\x00\x00WEBP', TAIL)],
  ])('N137 the type of a logo is detected by its first bytes: %s', (contentType, text) => {
    const logo = readLogo(text);
    expect(logo?.contentType).toBe(contentType);
    expect(Buffer.from(logo?.bytes ?? []).toString('base64')).toBe(text);
  });

  test.each([
    ['SVG', base64('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['SVG with an XML declaration', base64('<?xml version="1.0"?><svg/>')],
    ['HTML', base64('<html><body>GIF89a</body></html>')],
    ['BMP', base64('BM', TAIL)],
    ['ICO', base64([0, 0, 1, 0], TAIL)],
    ['PDF', base64('%PDF-1.7')],
    ['a WAVE file', base64('RIFF\x10\x00\x00\x00WAVE', TAIL)],
    ['an incomplete PNG signature', base64([0x89, 0x50, 0x4e])],
    ['an image after a space', base64(' GIF89a', TAIL)],
    ['encoded in base64url', 'iVBORw0KGgoAAAANSUhEUgAAAA_-'],
    ['encoded with line breaks', `${base64('GIF89a', TAIL).slice(0, 8)}\n${base64('GIF89a', TAIL).slice(8)}`],
    ['not valid base64', 'GIF89a, really!'],
    ['empty', ''],
  ])('N137 a logo that is %s is rejected', (_, text) => {
    expect(readLogo(text)).toBeUndefined();
  });
});

describe('logos allowed in email_content', () => {
  test('email_content may have no logo or an empty logo', () => {
    expect(requireLogo(undefined)).toBeUndefined();
    expect(requireLogo('')).toBeUndefined();
  });

  test('a data URI as the logo in email_content is rejected with its own error message', () => {
    expect(() => requireLogo(`data:image/png;base64,${base64('GIF89a')}`)).toThrow(
      expect.objectContaining({
        key: 'system_invalid_input',
        message: 'email_content.base64logo: must be raw base64, without a data URI prefix',
      }),
    );
  });

  test('the error about an unsupported logo type lists the supported types', () => {
    expect(() => requireLogo(base64('<svg/>'))).toThrow(
      expect.objectContaining({
        key: 'system_invalid_input',
        message: 'email_content.base64logo: must be the raw base64 of a PNG, JPEG, GIF or WebP image',
      }),
    );
  });
});

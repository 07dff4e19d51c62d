import { describe, expect, test } from '@jest/globals';
import { chooseLoginDevice, readDevice } from '../../../shared/domain/basis/client-attributes.ts';

describe('device of a request', () => {
  test('the device of a request is read from the fields that the caller sends', () => {
    const client_attributes = { user_agent: 'agent', ip_address: '192.0.2.1' };
    expect(readDevice({ device_id: 'phone', client_attributes })).toEqual({
      deviceId: 'phone',
      userAgent: 'agent',
      ipAddress: '192.0.2.1',
    });
    expect(readDevice({})).toEqual({});
  });

  test.each(['', 'unknown', '192.0.2.1:443', '192.0.2.1, 192.0.2.2', '[2001:db8::1]'])(
    'the device of a request has no IP address when the caller sends "%s"',
    (ip_address) => {
      expect(readDevice({ client_attributes: { user_agent: 'agent', ip_address } })).toEqual({
        userAgent: 'agent',
      });
    },
  );

  test('the device of a request may have an IPv6 address', () => {
    expect(readDevice({ client_attributes: { ip_address: '2001:db8::1' } })).toEqual({
      ipAddress: '2001:db8::1',
    });
  });
});

describe('device of a login', () => {
  const atSend = { deviceId: 'phone', userAgent: 'agent', ipAddress: '192.0.2.1' };

  test('a login that reports no device has the device of the send', () => {
    expect(chooseLoginDevice(atSend, {})).toEqual(atSend);
    expect(chooseLoginDevice(undefined, {})).toEqual({});
  });

  test('the device attributes that a login reports replace those of the send', () => {
    const atLogin = { deviceId: 'laptop', userAgent: 'other', ipAddress: '192.0.2.2' };
    expect(chooseLoginDevice(atSend, atLogin)).toEqual(atLogin);
    expect(chooseLoginDevice(atSend, { deviceId: 'laptop' })).toEqual({ ...atSend, deviceId: 'laptop' });
  });

  test('a device never combines the IP address of the send with the user agent of the login, or the reverse', () => {
    expect(chooseLoginDevice(atSend, { userAgent: 'other' })).toEqual({
      deviceId: 'phone',
      userAgent: 'other',
    });
    expect(chooseLoginDevice(atSend, { ipAddress: '192.0.2.2' })).toEqual({
      deviceId: 'phone',
      ipAddress: '192.0.2.2',
    });
  });
});

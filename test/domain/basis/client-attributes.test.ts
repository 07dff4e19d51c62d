import { describe, expect, test } from '@jest/globals';
import { deviceOfLogin, readDevice } from '../../../shared/domain/basis/client-attributes.ts';

describe('the device of a request', () => {
  test('is read from the caller’s fields', () => {
    const client_attributes = { user_agent: 'agent', ip_address: '192.0.2.1' };
    expect(readDevice({ device_id: 'phone', client_attributes })).toEqual({
      deviceId: 'phone',
      userAgent: 'agent',
      ipAddress: '192.0.2.1',
    });
    expect(readDevice({})).toEqual({});
  });

  test.each(['', 'unknown', '192.0.2.1:443', '192.0.2.1, 192.0.2.2', '[2001:db8::1]'])(
    'has no address when "%s" is none',
    (ip_address) => {
      expect(readDevice({ client_attributes: { user_agent: 'agent', ip_address } })).toEqual({
        userAgent: 'agent',
      });
    },
  );

  test('may have an IPv6 address', () => {
    expect(readDevice({ client_attributes: { ip_address: '2001:db8::1' } })).toEqual({
      ipAddress: '2001:db8::1',
    });
  });
});

describe('the device of a login', () => {
  const atSend = { deviceId: 'phone', userAgent: 'agent', ipAddress: '192.0.2.1' };

  test('is that of the send when the login reports none', () => {
    expect(deviceOfLogin(atSend, {})).toEqual(atSend);
    expect(deviceOfLogin(undefined, {})).toEqual({});
  });

  test('is that of the login, as far as it is reported', () => {
    const atLogin = { deviceId: 'laptop', userAgent: 'other', ipAddress: '192.0.2.2' };
    expect(deviceOfLogin(atSend, atLogin)).toEqual(atLogin);
    expect(deviceOfLogin(atSend, { deviceId: 'laptop' })).toEqual({ ...atSend, deviceId: 'laptop' });
  });

  test('never has the address of the one and the program of the other', () => {
    expect(deviceOfLogin(atSend, { userAgent: 'other' })).toEqual({ deviceId: 'phone', userAgent: 'other' });
    expect(deviceOfLogin(atSend, { ipAddress: '192.0.2.2' })).toEqual({
      deviceId: 'phone',
      ipAddress: '192.0.2.2',
    });
  });
});

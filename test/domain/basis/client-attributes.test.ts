import { describe, expect, test } from '@jest/globals';
import { chooseLoginDevice, readDevice } from '../../../shared/domain/basis/client-attributes.ts';

describe('device data from the client_attributes of a request', () => {
  test('the device data of a request is read from client_attributes', () => {
    const client_attributes = { user_agent: 'agent', ip_address: '192.0.2.1' };
    expect(readDevice({ device_id: 'phone', client_attributes })).toEqual({
      deviceId: 'phone',
      userAgent: 'agent',
      ipAddress: '192.0.2.1',
    });
    expect(readDevice({})).toEqual({});
  });

  test.each(['', 'unknown', '192.0.2.1:443', '192.0.2.1, 192.0.2.2', '[2001:db8::1]'])(
    'the invalid IP address "%s" is omitted from the device data of a request',
    (ip_address) => {
      expect(readDevice({ client_attributes: { user_agent: 'agent', ip_address } })).toEqual({
        userAgent: 'agent',
      });
    },
  );

  test('the device data of a request may contain an IPv6 address', () => {
    expect(readDevice({ client_attributes: { ip_address: '2001:db8::1' } })).toEqual({
      ipAddress: '2001:db8::1',
    });
  });
});

describe('device data that a login stores', () => {
  const atSend = { deviceId: 'phone', userAgent: 'agent', ipAddress: '192.0.2.1' };

  test('a login request without device data uses the device data of the request that sent the code', () => {
    expect(chooseLoginDevice(atSend, {})).toEqual(atSend);
    expect(chooseLoginDevice(undefined, {})).toEqual({});
  });

  test('device data in a login request replaces the data of the request that sent the code', () => {
    const atLogin = { deviceId: 'laptop', userAgent: 'other', ipAddress: '192.0.2.2' };
    expect(chooseLoginDevice(atSend, atLogin)).toEqual(atLogin);
    expect(chooseLoginDevice(atSend, { deviceId: 'laptop' })).toEqual({ ...atSend, deviceId: 'laptop' });
  });

  test('the IP address and the user agent of a login always come from the same request', () => {
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

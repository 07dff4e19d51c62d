import { isIP } from 'node:net';
import type { Device } from '../../ports/flows.ts';
import { omitUndefined } from './omit-undefined.ts';

/**
 * The device of a request, for the session and the event. Drops an unreadable address: the spelling of a proxy must not stop
 * a login.
 */
export function readDevice(input: {
  readonly device_id?: string | undefined;
  readonly client_attributes?:
    | { readonly user_agent?: string | undefined; readonly ip_address?: string | undefined }
    | undefined;
}): Device {
  const { user_agent: userAgent, ip_address: address } = input.client_attributes ?? {};
  const ipAddress = address !== undefined && isIP(address) !== 0 ? address : undefined;
  return omitUndefined<Device>({ deviceId: input.device_id, userAgent, ipAddress });
}

/** The device that requested a credential, from the credential's record. */
export function deviceOf({ deviceId, userAgent, ipAddress }: Device): Device {
  return omitUndefined<Device>({ deviceId, userAgent, ipAddress });
}

/**
 * The device of a login: as the caller reports it on authentication, else as on the send. Client attributes come from one of
 * the two: half of each would match no device.
 */
export function deviceOfLogin(atSend: Device = {}, atLogin: Device = {}): Device {
  const told = atLogin.userAgent !== undefined || atLogin.ipAddress !== undefined;
  const { userAgent, ipAddress } = told ? atLogin : atSend;
  return omitUndefined<Device>({ deviceId: atLogin.deviceId ?? atSend.deviceId, userAgent, ipAddress });
}

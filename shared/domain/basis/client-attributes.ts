import { isIP } from 'node:net';
import type { Device } from '../../ports/flows.ts';
import { omitUndefined } from './omit-undefined.ts';

/**
 * Reads the device of a request, for the session and the audit event. Drops an invalid IP address, so that the unusual address
 * format of a proxy does not block a login.
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

/** Extracts the device that requested a credential from the credential's record. */
export function pickDevice({ deviceId, userAgent, ipAddress }: Device): Device {
  return omitUndefined<Device>({ deviceId, userAgent, ipAddress });
}

/**
 * Returns the device of a login. Attributes reported at the login replace those reported when its message was requested. User
 * agent and IP address are always taken from the same report, because a mixture would describe a device that does not exist.
 */
export function chooseLoginDevice(atSend: Device = {}, atLogin: Device = {}): Device {
  const isReportedAtLogin = atLogin.userAgent !== undefined || atLogin.ipAddress !== undefined;
  const { userAgent, ipAddress } = isReportedAtLogin ? atLogin : atSend;
  return omitUndefined<Device>({ deviceId: atLogin.deviceId ?? atSend.deviceId, userAgent, ipAddress });
}

import { isIP } from 'node:net';

/** What a backend tells of the device behind it. */
export interface Device {
  readonly deviceId?: string;
  readonly userAgent?: string;
  readonly ipAddress?: string;
}

/**
 * The device of a request, for the session and the event. An unreadable address is dropped, not refused: a proxy's
 * spelling must not stop a login.
 */
export function readDevice(input: {
  readonly device_id?: string | undefined;
  readonly client_attributes?:
    | { readonly user_agent?: string | undefined; readonly ip_address?: string | undefined }
    | undefined;
}): Device {
  const { user_agent: userAgent, ip_address: address } = input.client_attributes ?? {};
  const ipAddress = address !== undefined && isIP(address) !== 0 ? address : undefined;
  return {
    ...(input.device_id === undefined ? {} : { deviceId: input.device_id }),
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(ipAddress === undefined ? {} : { ipAddress }),
  };
}

import * as v from 'valibot';
import { DeviceKeyRecord } from './approvals.ts';
import { describe, described } from './fields/described.ts';
import { applicationId, date, optionalField, TIME } from './fields/record.ts';
import { MemberRecord } from './organizations.ts';
import { PasskeyRecord } from './passkeys.ts';
import { changedFields } from './timeline.ts';
import { UserRecord } from './users.ts';

export const UserExportResponse = v.object({
  result: described(
    v.object({
      user: UserRecord,
      former_addresses: described(
        v.array(
          v.object({
            value: described(v.string(), describe('Email address or phone number.', 'ann@old.example')),
            changed_at: described(
              date,
              describe('Time of its replacement or removal (RFC 3339, UTC).', TIME),
            ),
            kept_until: described(date, describe('Time until which it is kept (RFC 3339, UTC).', TIME)),
          }),
        ),
        describe('Proven addresses that the user has recently lost.'),
      ),
      memberships: described(v.array(MemberRecord), describe('Memberships of the user in organizations.')),
      passkeys: described(v.array(PasskeyRecord), describe('Passkeys of the user.')),
      device_keys: described(v.array(DeviceKeyRecord), describe('Device keys of the user.')),
      consents: described(
        v.array(
          v.object({
            client_id: described(
              v.string(),
              describe(
                'ID of the client, which is the URL of its metadata document.',
                'https://agent.example.com/client.json',
              ),
            ),
            redirect_uri: described(
              v.string(),
              describe(
                "Redirect URI that receives the client's codes.",
                'https://agent.example.com/callback',
              ),
            ),
            app_id: described(v.string(), applicationId),
            resource: described(
              v.string(),
              describe('Resource that the tokens are for.', 'https://api.example.com/orders'),
            ),
            scopes: described(v.array(v.string()), describe('Scopes that were granted.', ['orders:read'])),
            stays_connected: described(
              v.boolean(),
              describe('Whether the client may get refresh tokens.', true),
            ),
            given_at: described(date, describe('Time of the consent (RFC 3339, UTC).', TIME)),
            last_used_at: optionalField(date, describe('Time of the last token (RFC 3339, UTC).', TIME)),
            expiration_time: described(
              date,
              describe('Time at which the consent ends (RFC 3339, UTC).', TIME),
            ),
          }),
        ),
        describe('Consents of the user to clients that are identified by a metadata document.'),
      ),
      sessions: described(
        v.array(
          v.object({
            session_id: described(
              v.string(),
              describe('ID of the session.', '2vd8nq4m1x0k7zt9w5chb3ryp.0wz4k8xq2m6v9t1d5r7hcb3np'),
            ),
            app_id: described(v.string(), applicationId),
            methods: described(
              v.array(
                v.object({
                  method: described(
                    v.string(),
                    describe(
                      'Login method, as in `amr`: eml, eotp, sms, otp, social, webauthn or moved.',
                      'eotp',
                    ),
                  ),
                  at: described(date, describe('Time of the proof (RFC 3339, UTC).', TIME)),
                }),
              ),
              describe('Proofs of the session.'),
            ),
            device_id: optionalField(
              v.string(),
              describe('ID that the backend gave to the device.', 'till-3'),
            ),
            user_agent: optionalField(
              v.string(),
              describe('User agent of the user.', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101'),
            ),
            ip_address: optionalField(v.string(), describe('Network address of the user.', '203.0.113.7')),
            start_time: described(date, describe('Time at which the session began (RFC 3339, UTC).', TIME)),
            expiration_time: described(
              date,
              describe('Time at which the session ends if it is not used again (RFC 3339, UTC).', TIME),
            ),
          }),
        ),
        describe('Active sessions of the user.'),
      ),
      timeline: described(
        v.array(
          v.looseObject({
            time: described(date, describe('Time of the event (RFC 3339, UTC).', TIME)),
            type: described(v.string(), describe('Type of the event.', 'login.succeeded')),
          }),
        ),
        describe('Events of the account with their details, newest first.'),
      ),
      changes: described(
        v.array(
          v.object({
            time: described(date, describe('Time of the event (RFC 3339, UTC).', TIME)),
            type: described(v.string(), describe('Type of the event.', 'user.updated')),
            operation: described(
              v.string(),
              describe('Call or command that made the change.', 'users/update-user'),
            ),
            changes: changedFields,
          }),
        ),
        describe('Changes that others made to the user, newest first.'),
      ),
    }),
    describe('All data that is stored about the user, without secrets and their hashes.'),
  ),
});

import * as v from 'valibot';
import { DeviceKeyRecord } from './approvals.ts';
import { described, doc } from './fields/described.ts';
import { applicationId, date, shown, TIME } from './fields/record.ts';
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
            value: described(v.string(), doc('The address or number.', 'ann@old.example')),
            changed_at: described(date, doc('When it was replaced or removed (RFC 3339, UTC).', TIME)),
            kept_until: described(date, doc('Until when it is kept (RFC 3339, UTC).', TIME)),
          }),
        ),
        doc('Proven addresses that the user had lately.'),
      ),
      memberships: described(v.array(MemberRecord), doc('Organizations that the user is in.')),
      passkeys: described(v.array(PasskeyRecord), doc('Passkeys of the user.')),
      device_keys: described(v.array(DeviceKeyRecord), doc('Device keys of the user.')),
      consents: described(
        v.array(
          v.object({
            client_id: described(
              v.string(),
              doc('The client: the address of its document.', 'https://agent.example.com/client.json'),
            ),
            redirect_uri: described(
              v.string(),
              doc('Where it gets its codes.', 'https://agent.example.com/callback'),
            ),
            app_id: described(v.string(), applicationId),
            resource: described(
              v.string(),
              doc('What its tokens are for.', 'https://api.example.com/orders'),
            ),
            scopes: described(v.array(v.string()), doc('What it may do there.', ['orders:read'])),
            stays_connected: described(v.boolean(), doc('Whether it may get refresh tokens.', true)),
            given_at: described(date, doc('When the user allowed it (RFC 3339, UTC).', TIME)),
            last_used_at: shown(date, doc('When it last got a token (RFC 3339, UTC).', TIME)),
            expiration_time: described(date, doc('When it ends (RFC 3339, UTC).', TIME)),
          }),
        ),
        doc('What the user lets clients by document do.'),
      ),
      sessions: described(
        v.array(
          v.object({
            session_id: described(
              v.string(),
              doc('ID of the session.', '2vd8nq4m1x0k7zt9w5chb3ryp.0wz4k8xq2m6v9t1d5r7hcb3np'),
            ),
            app_id: described(v.string(), applicationId),
            methods: described(
              v.array(
                v.object({
                  method: described(
                    v.string(),
                    doc(
                      'How the user logged in, as in `amr`: eml, eotp, sms, otp, social, webauthn or moved.',
                      'eotp',
                    ),
                  ),
                  at: described(date, doc('When (RFC 3339, UTC).', TIME)),
                }),
              ),
              doc('The proofs that the session has.'),
            ),
            device_id: shown(v.string(), doc('Device, as the backend named it.', 'till-3')),
            user_agent: shown(
              v.string(),
              doc(
                'Browser or program of the user.',
                'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101',
              ),
            ),
            ip_address: shown(v.string(), doc('Network address of the user.', '203.0.113.7')),
            start_time: described(date, doc('When it began (RFC 3339, UTC).', TIME)),
            expiration_time: described(
              date,
              doc('When it ends, if it is not used before (RFC 3339, UTC).', TIME),
            ),
          }),
        ),
        doc('Living sessions of the user.'),
      ),
      timeline: described(
        v.array(
          v.looseObject({
            time: described(date, doc('When it happened (RFC 3339, UTC).', TIME)),
            type: described(v.string(), doc('Type of the event.', 'login.succeeded')),
          }),
        ),
        doc('What happened to the account, newest first, with the further facts of each event.'),
      ),
      changes: described(
        v.array(
          v.object({
            time: described(date, doc('When it happened (RFC 3339, UTC).', TIME)),
            type: described(v.string(), doc('Type of the event.', 'user.updated')),
            operation: described(v.string(), doc('The call or command that did it.', 'users/update-user')),
            changes: changedFields,
          }),
        ),
        doc('What others changed about the user, newest first.'),
      ),
    }),
    doc('Everything that is kept about the user, without secrets and their hashes.'),
  ),
});

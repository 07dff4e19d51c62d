import { describe, expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import { codeAt } from '../../support/fixtures/code-based.ts';
import { useCodeBased } from '../../support/fixtures/code-based-people.ts';
import { createUser, findUser, newEmail, newPhoneNumber, newUser } from '../../support/fixtures/people.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer();
const sectionC = useCodeBased(server);

describe.each([
  ['email', 'email'],
  ['SMS', 'phone_number'],
  ['link', 'email'],
] as const)('code-based sign-up by %s with the field create_new_user', (channel, field) => {
  const newAddress = () => (field === 'email' ? newEmail('New.Person') : newPhoneNumber());
  const [send, operation, method] = {
    email: [sectionC.sendEmailOtp, 'sendEmailOtp', 'eotp'] as const,
    SMS: [sectionC.sendSmsOtp, 'sendSmsOtp', 'sms'] as const,
    link: [sectionC.sendLink, 'sendCodeBasedLink', 'eml'] as const,
  }[channel];
  const resultFor = async (address: string, fields: object) => {
    if (channel === 'SMS') return sectionC.resultBySms(address, fields);
    if (channel === 'email') return sectionC.resultByEmail(address, fields);
    await sectionC.sendLink({ email: address, ...fields });
    return server.linkTo(address);
  };
  const findUserByAddress = (address: string) =>
    sectionC.get(`/v1/users/${field === 'email' ? 'email' : 'phone-number'}/${encodeURIComponent(address)}`);

  test('a request with create_new_user logs an existing user in and creates no other user', async () => {
    for (const publicSignup of [true, false])
      await withApplication(server, { publicSignup }, async () => {
        const person = await newUser(server);
        const given = { create_new_user: publicSignup ? undefined : true };
        const { body } = await sectionC.exchange(await codeAt(await resultFor(person[field], given)));
        expect(body.is_user_created).toBe(false);
        expect((await sectionC.verifyIdToken(body)).sub).toBe(person.user_id);

        const address = newAddress();
        server.resetMetrics();
        const refused = await send({ [field]: address, create_new_user: publicSignup ? undefined : false });
        expect(refused).toMatchObject({ status: 404, body: { message: 'User not found', error_code: 404 } });
        expect(await server.messages({ to: address })).toEqual([]);
        const calls = JSON.stringify(server.metrics()[operation]?.aws_calls);
        // The request creates no record and sends no message.
        expect(calls).not.toMatch(/PutItem|ses|sns/);
      });
  });

  test('a sign-up creates the user only when the client exchanges the authorization code', async () => {
    const address = newAddress();
    const people = await dumpTable('people');
    const result = await resultFor(address, { create_new_user: true });
    const code = await codeAt(result);
    expect((await findUserByAddress(address)).status).toBe(404);
    expect(await dumpTable('people')).toBe(people);
    const flows = await dumpTable('flows');
    for (const spelling of [address, address.toLowerCase(), address.replace('+', ''), code])
      expect(flows).not.toContain(spelling);

    const { status, body } = await sectionC.exchange(code);
    expect([status, body.is_user_created]).toEqual([200, true]);
    const id = await sectionC.verifyIdToken(body);
    expect(id).toMatchObject({ new_user: true, amr: [method] });
    const user = await findUser(server, id.sub ?? '');
    expect(user).toMatchObject({
      user_id: id.sub,
      status: 'Active',
      [field]: { value: address, [`${field}_verified`]: true },
    });
    expect(await dumpTable('flows')).not.toContain(address);
    // A second login with create_new_user finds the user who exists now.
    const again = await sectionC.exchange(await codeAt(await resultFor(address, { create_new_user: true })));
    expect(again.body.is_user_created).toBe(false);
    expect((await sectionC.verifyIdToken(again.body)).sub).toBe(id.sub);
  });

  test('a sign-up code is rejected while sign-up is disabled, and accepted once it is enabled again', async () => {
    const address = newAddress();
    await send({ [field]: address, create_new_user: true });
    const passcode = channel === 'link' ? '' : await server.codeTo(address);
    const take = {
      email: () => sectionC.validateEmailOtp({ email: address, passcode }),
      SMS: () => sectionC.validateSmsOtp({ phone_number: address, passcode }),
      link: async () => sectionC.exchange(await codeAt(await server.linkTo(address))),
    }[channel];
    const status = channel === 'link' ? 400 : 403;
    await withApplication(server, { publicSignup: false }, async () => {
      expect(await send({ [field]: newAddress(), create_new_user: true })).toMatchObject({
        status: 403,
        body: { message: 'Public signup is not allowed for this application', error_code: 403 },
      });
      for (let count = 0; count < 4; count += 1)
        expect(await take()).toMatchObject({ status, body: { error_code: status } });
      expect((await findUserByAddress(address)).status).toBe(404);
    });
    expect((await take()).status).toBe(200);
  });
});

/** Sign-ups with several codes for one email address or phone number. */
describe.each(['email', 'phone_number'] as const)(
  'repeated and concurrent code-based sign-ups with a new %s',
  (field) => {
    const newAddress = () => (field === 'email' ? newEmail('New.Person') : newPhoneNumber());
    const codeFor = async (address: string) =>
      codeAt(
        await (field === 'email' ? sectionC.resultByEmail : sectionC.resultBySms)(address, {
          create_new_user: true,
        }),
      );

    test('concurrent sign-ups with the same address create one user', async () => {
      const address = newAddress();
      const codes: Awaited<ReturnType<typeof codeFor>>[] = [];
      for (let n = 0; n < 4; n += 1) codes.push(await codeFor(address));
      const answers = await Promise.all(codes.map((code) => sectionC.exchange(code)));
      expect(answers.map(({ status }) => status)).toEqual(codes.map(() => 200));
      expect(answers.filter(({ body }) => body.is_user_created)).toHaveLength(1);
      const tokens = await Promise.all(answers.map(({ body }) => sectionC.verifyIdToken(body)));
      expect(new Set(tokens.map(({ sub }) => sub)).size).toBe(1);
    });

    test('a second sign-up code for an address logs in the user that the first code created', async () => {
      const address = newAddress();
      const first = await codeFor(address);
      const second = await codeFor(address);
      const [one, other] = [await sectionC.exchange(first), await sectionC.exchange(second)];
      expect([one.body.is_user_created, other.body.is_user_created]).toEqual([true, false]);
      const [mine, theirs] = [
        await sectionC.verifyIdToken(one.body),
        await sectionC.verifyIdToken(other.body),
      ];
      expect(theirs.sub).toBe(mine.sub);
      // Exchanging the second code again revokes the tokens of its first exchange, and no others (N009).
      expect((await sectionC.exchange(second)).status).toBe(400);
      const refreshed = (refresh_token: string) =>
        server.form('/oidc/token', {
          grant_type: 'refresh_token',
          client_id: server.environment.client_id,
          client_secret: server.environment.client_secret,
          refresh_token,
        });
      expect((await refreshed(other.body.refresh_token)).status).toBe(400);
      expect((await refreshed(one.body.refresh_token)).status).toBe(200);
    });

    test('a sign-up code logs in a user whom the backend created after the code was sent', async () => {
      const address = newAddress();
      const code = await codeFor(address);
      const { user_id } = await createUser(server, { [field]: address });
      const { body, status } = await sectionC.exchange(code);
      expect([status, body]).toEqual([200, expect.objectContaining({ is_user_created: false })]);
      expect((await sectionC.verifyIdToken(body)).sub).toBe(user_id);
    });
  },
);

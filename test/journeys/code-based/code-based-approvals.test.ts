import { expect, test } from '@jest/globals';
import { codeAt } from '../../support/fixtures/code-based.ts';
import { useCodeBased } from '../../support/fixtures/code-based-people.ts';
import { newUser } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer();
const c = useCodeBased(server);

test('approval data is shown, echoed, and in the ID token; the nonce of the validation too', async () => {
  const { email, phone_number } = await newUser(server);
  const approval_data = { payee: 'ACME', amount: '200$' };
  const nonce = 'n-0S6_WzA2Mj';
  const sent = await c.sendSmsOtp({ phone_number, approval_data });
  expect(sent.body).toEqual({ message: 'SMS sent', approval_data });
  for (const result of [
    () => c.resultByEmail(email, { approval_data }, { nonce }),
    () => c.resultBySms(phone_number, { approval_data }, { nonce }),
  ]) {
    const { body } = await c.exchange(await codeAt(await result()));
    expect(await c.idTokenOf(body)).toMatchObject({ approval_data, nonce });
  }
  expect((await c.lastMessage(email)).text).toContain('ACME');
  const empty = await c.sendEmailOtp({ email, approval_data: {} });
  expect(empty.body).toEqual({ message: 'OTP email sent', approval_data: {} });
});

test('claims may ask for the approval, by value or by type and data, and for nothing in between', async () => {
  const { email, phone_number } = await newUser(server);
  const data = { payee: 'Bo', amount: '7' };
  const asking = (approval_data: unknown) => ({ claims: { id_token: { approval_data } } });
  for (const approval of [{ value: data }, { type: 'money_transfer', data }]) {
    expect((await c.sendSmsOtp({ phone_number, ...asking(approval) })).body.approval_data).toEqual(data);
    const { body } = await c.exchange(await codeAt(await c.resultByEmail(email, asking(approval))));
    expect((await c.idTokenOf(body)).approval_data).toEqual(approval.value ?? approval);
    expect((await c.lastMessage(email)).text).toContain(approval.type ?? 'Bo');
  }
  for (const wrong of [null, { essential: true }, { type: 'pay' }, 'pay'])
    expect(await c.sendEmailOtp({ email, ...asking(wrong) })).toMatchObject({
      status: 400,
      body: { message: [expect.stringMatching(/^claims: approval_data/)] },
    });
  const both = { ...asking({ value: data }), approval_data: data };
  expect((await c.sendEmailOtp({ email, ...both })).status).toBe(400);
});

test('a link may approve what claims ask for', async () => {
  const { email } = await newUser(server);
  const approval_data = { type: 'money_transfer', data: { payee: 'Bo' } };
  await c.sendLink({ email, claims: { id_token: { approval_data } } });
  const mail = await c.lastMessage(email);
  expect(mail.text).toContain('money_transfer');
  const { body } = await c.exchange(await codeAt(mail.links[0] ?? ''));
  expect((await c.idTokenOf(body)).approval_data).toEqual(approval_data);
});

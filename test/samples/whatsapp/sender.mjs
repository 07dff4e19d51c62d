// Lambda function that sends codes by WhatsApp, and by SMS if WhatsApp does not take them ("Your own sender" in
// functions/events/README.md). Deploy it with a function URL, which receives the reports of WhatsApp. The role of the function
// needs sns:Publish.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';

const { GRAPH_URL = 'https://graph.facebook.com/v23.0', PHONE_NUMBER_ID, ACCESS_TOKEN } = process.env;
const { APP_SECRET, VERIFY_TOKEN, TEMPLATE = 'login_code' } = process.env;
const MILLISECONDS = 2000;

/** Sends a code with a WhatsApp template of the category "authentication". Returns undefined if WhatsApp rejects the code. */
async function sendByWhatsApp({ to, code, language, callback }) {
  const text = [{ type: 'text', text: code }];
  const components = [
    { type: 'body', parameters: text },
    { type: 'button', sub_type: 'url', index: '0', parameters: text },
  ];
  const response = await fetch(`${GRAPH_URL}/${PHONE_NUMBER_ID}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ACCESS_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      to,
      type: 'template',
      template: { name: TEMPLATE, language: { code: language }, components },
      // WhatsApp returns this text in its delivery reports. The text may have at most 512 characters.
      biz_opaque_callback_data: callback.token,
    }),
    signal: AbortSignal.timeout(MILLISECONDS),
  });
  if (response.ok) return { outcome: 'accepted' };
  return response.status < 500 ? undefined : { outcome: 'unknown' };
}

async function sendBySms({ to, text }) {
  const sns = new SNSClient({ maxAttempts: 1, requestHandler: { requestTimeout: MILLISECONDS } });
  try {
    await sns.send(new PublishCommand({ PhoneNumber: to, Message: text }));
    return { outcome: 'accepted' };
  } catch ({ name, $metadata }) {
    if (!($metadata?.httpStatusCode < 500)) return { outcome: 'unknown' };
    return { outcome: 'refused', reason: 'provider_refused', provider_error: String(name).slice(0, 24) };
  }
}

/** Returns true if WhatsApp has signed the request with the secret of the app. */
function isSigned({ headers, body = '', isBase64Encoded }) {
  const content = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const expected = `sha256=${createHmac('sha256', APP_SECRET).update(content).digest('hex')}`;
  const given = Buffer.from(headers['x-hub-signature-256'] ?? '');
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
}

const STATUSES = { delivered: 'delivered', failed: 'failed' };

/** Passes reports of WhatsApp on to the service. */
async function receiveReports(request) {
  const { requestContext, queryStringParameters: query = {} } = request;
  if (requestContext.http.method === 'GET')
    return query['hub.verify_token'] === VERIFY_TOKEN ? query['hub.challenge'] : { statusCode: 403 };
  if (!isSigned(request)) return { statusCode: 403 };
  const body = Buffer.from(request.body, request.isBase64Encoded ? 'base64' : 'utf8').toString();
  const changes = JSON.parse(body).entry.flatMap((entry) => entry.changes);
  for (const { status, errors, biz_opaque_callback_data: token } of changes.flatMap(
    ({ value }) => value.statuses ?? [],
  )) {
    if (!token || !STATUSES[status]) continue;
    const report = { token, status: STATUSES[status], answer: errors?.[0]?.title };
    const response = await fetch(process.env.CALLBACK_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(report),
    });
    // If the service fails, WhatsApp sends the report again after this error response.
    if (response.status >= 500) return { statusCode: 503 };
  }
  return { statusCode: 200 };
}

export async function handler(event) {
  if (event.requestContext) return receiveReports(event);
  if (event.channel !== 'sms') return { outcome: 'refused', reason: 'provider_refused' };
  // Notices contain no code, so they cannot be sent with the WhatsApp template for codes.
  return (event.code && (await sendByWhatsApp(event))) || sendBySms(event);
}

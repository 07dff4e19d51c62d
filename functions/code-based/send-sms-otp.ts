import { lambda } from '../../shared/aws/lambda.ts';
import { readAddress } from '../../shared/domain/sending/code-based-login.ts';
import { textTo } from '../../shared/flows/sending/passcode-message.ts';
import type { UseCase } from '../../shared/operation.ts';
import { segments } from '../../shared/templates/messages/segments.ts';
import { sendSmsOtp as operation } from './rows.ts';
import { sendPasscode } from './send-passcode.ts';

/** C. Sends a one-time passcode by SMS. */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
  const { json, caller, settings } = input;
  const address = readAddress('phone_number', json.phone_number);
  const { custom_message: customMessage, sender_id: senderId } = json;
  const approvalData = await sendPasscode(
    ports,
    input,
    { channel: 'sms', address },
    async (to, { digits }) => {
      const sms = textTo(to, caller.application, settings, { code: digits, customMessage, senderId });
      return { note: { smsParts: segments(sms.text) }, send: () => ports.texter.send(sms) };
    },
  );
  return { json: { message: 'SMS sent', approval_data: approvalData } };
};

export const handler = lambda(operation, useCase);

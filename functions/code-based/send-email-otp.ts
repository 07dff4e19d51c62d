import { lambda } from '../../shared/aws/lambda.ts';
import { readAddress } from '../../shared/domain/sending/code-based-login.ts';
import { mailTo, readEmailContent } from '../../shared/flows/sending/passcode-message.ts';
import type { UseCase } from '../../shared/operation.ts';
import { codeMail } from '../../shared/templates/messages/email.ts';
import { sendEmailOtp as operation } from './rows.ts';
import { sendPasscode } from './send-passcode.ts';

/** C. Sends a one-time passcode by email. */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
  const { json, caller, settings } = input;
  const address = readAddress('email', json.email);
  const content = readEmailContent(json.email_content);
  const approvalData = await sendPasscode(
    ports,
    input,
    { channel: 'email', address },
    async (to, { digits, ...message }) => {
      const mail = mailTo(to, caller.application, settings, { ...message, content });
      const composed = await codeMail({ ...mail, code: digits });
      return { send: () => ports.mailer.send(composed) };
    },
  );
  return { json: { message: 'OTP email sent', approval_data: approvalData } };
};

export const handler = lambda(operation, useCase);

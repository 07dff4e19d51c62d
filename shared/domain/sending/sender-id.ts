/** Sender IDs that SNS accepts: letters and digits, at least one of them a letter (Amazon SNS, "Sender IDs"). */
const ACCEPTED_BY_SNS = /^(?=.*[A-Za-z])[A-Za-z0-9]+$/;

/**
 * Returns true if SNS does not accept a sender ID. The SPEC allows any text in `CustomSmsInput`, so such an ID is left out and
 * the environment's own origination number sends the message.
 */
export const isUnsupportedSenderId = (senderId = ''): boolean =>
  senderId !== '' && !ACCEPTED_BY_SNS.test(senderId);

/** Returns the text of a response, with a remark if the SMS is not sent from the requested sender ID. */
export const withSenderIdRemark = (message: string, senderId: string | undefined): string =>
  isUnsupportedSenderId(senderId)
    ? `${message}, without the sender_id: it must be letters and digits, with at least one letter`
    : message;

/** What SNS takes as a sender: letters and digits, one of them a letter (Amazon SNS, "Sender IDs"). */
const CARRIED = /^(?=.*[A-Za-z])[A-Za-z0-9]+$/;

/** SPEC "CustomSmsInput" allows any text; one that SNS cannot carry is left out, and the environment's own origin sends. */
export const isLeftOut = (senderId = ''): boolean => senderId !== '' && !CARRIED.test(senderId);

/** The message of an answer, which says where the text message does not come from the sender that was asked for. */
export const sentBy = (message: string, senderId: string | undefined): string =>
  isLeftOut(senderId)
    ? `${message}, without the sender_id: it must be letters and digits, with at least one letter`
    : message;

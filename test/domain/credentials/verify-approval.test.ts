import { expect, test } from '@jest/globals';
import { verifyApproval } from '../../../shared/domain/credentials/verify-approval.ts';

test.each([[null], ['text'], [7], [[]]])('%j holds no approval', (given) => {
  expect(() => verifyApproval(given)).toThrow('this is no JSON object');
  // What null stands for is absent.
  if (given !== null)
    expect(() => verifyApproval({ signing_artifacts: given })).toThrow('signing_artifacts is no object');
});

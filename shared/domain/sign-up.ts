import { ServiceError } from '../errors/service-error.ts';
import type { Application } from '../ports/directory.ts';

/** Why nobody was found, as A1 tells it: a backend flow never creates a user, whatever the application allows. */
export function unknownUser(application: Application): ServiceError {
  return new ServiceError(application.publicSignup ? 'user_not_found' : 'public_signup_off');
}

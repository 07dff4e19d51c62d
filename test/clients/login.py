"""A login with a passcode, by the client that openapi-python-client makes of the API document."""

import importlib
import pathlib
import sys

from otl_client import AuthenticatedClient, Client
from otl_client.api.oauth import token, user_info
from otl_client.api.one_time import authenticate_otp, send_otp
from otl_client.api.users import create_user
from otl_client.models import AuthenticateOtpBody, CreateUserBody, SendOtpDirect, TokenRequestForm

base_url, client_id, client_secret, email = sys.argv[1:]

package = pathlib.Path(sys.modules["otl_client"].__file__).parent
for file in package.rglob("*.py"):
    importlib.import_module(".".join(["otl_client", *file.relative_to(package).with_suffix("").parts]))

form = TokenRequestForm(grant_type="client_credentials", client_id=client_id, client_secret=client_secret)
issued = token.sync(client=Client(base_url=base_url), body=form)

backend = AuthenticatedClient(base_url=base_url, token=issued.access_token)
create_user.sync(client=backend, body=CreateUserBody(email=email))
sent = send_otp.sync(
    client=backend, body=SendOtpDirect(channel="direct", identifier_type="email", identifier=email)
)
guess = AuthenticateOtpBody(passcode=sent.code, identifier_type="email", identifier=email)
tokens = authenticate_otp.sync(client=backend, body=guess)

person = user_info.sync(client=AuthenticatedClient(base_url=base_url, token=tokens.access_token))
assert person.email == email, person

# verify.py, with `pip install "pyjwt[crypto]"`
import os

import jwt

ISSUER, AUDIENCE, TENANT_ID = (os.environ[name] for name in ("ISSUER", "AUDIENCE", "TENANT_ID"))
APP_IDS = os.environ["APP_IDS"].split()
keys = jwt.PyJWKClient(f"{ISSUER}/jwks")


def verify_token(token: str) -> dict:
    """The claims of an access token that is meant for this API. Raises for every other token."""
    decoded = jwt.decode_complete(
        token,
        keys.get_signing_key_from_jwt(token),
        algorithms=["RS256", "PS256", "ES256"],
        issuer=ISSUER,
        audience=AUDIENCE,
        options={"require": ["exp", "iss", "aud", "sub"]},
    )
    claims = decoded["payload"]
    if decoded["header"].get("typ") != "at+jwt":
        raise jwt.InvalidTokenError("no access token")
    if claims.get("tid") != TENANT_ID:
        raise jwt.InvalidTokenError("a token of another tenant")
    if claims.get("app_id") not in APP_IDS:
        raise jwt.InvalidTokenError("a token of another application")
    return claims

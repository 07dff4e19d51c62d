// verify.go, with `go get github.com/coreos/go-oidc/v3/oidc`
package verify

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
)

type Claims struct {
	Subject string `json:"sub"`
	Tenant  string `json:"tid"`
	AppID   string `json:"app_id"`
	Scope   string `json:"scope"`
}

// New reads the metadata of the issuer, once. The verifier checks signature, issuer, audience and time.
func New(ctx context.Context) (*oidc.IDTokenVerifier, error) {
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	if err != nil {
		return nil, err
	}
	algorithms := []string{oidc.RS256, oidc.PS256, oidc.ES256}
	config := oidc.Config{ClientID: os.Getenv("AUDIENCE"), SupportedSigningAlgs: algorithms}
	return provider.Verifier(&config), nil
}

// Token returns the claims of an access token that is meant for this API, and an error for every other token.
func Token(ctx context.Context, verifier *oidc.IDTokenVerifier, text string) (*Claims, error) {
	token, err := verifier.Verify(ctx, text)
	if err != nil {
		return nil, err
	}
	var header struct{ Typ string }
	first, _, _ := strings.Cut(text, ".")
	if raw, err := base64.RawURLEncoding.DecodeString(first); err != nil || json.Unmarshal(raw, &header) != nil {
		return nil, errors.New("no header")
	}
	var claims Claims
	if err := token.Claims(&claims); err != nil {
		return nil, err
	}
	if header.Typ != "at+jwt" {
		return nil, errors.New("no access token")
	}
	if claims.Tenant != os.Getenv("TENANT_ID") {
		return nil, errors.New("a token of another tenant")
	}
	if !slices.Contains(strings.Fields(os.Getenv("APP_IDS")), claims.AppID) {
		return nil, errors.New("a token of another application")
	}
	return &claims, nil
}

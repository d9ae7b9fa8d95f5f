package proxy

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"hygeia"
)

// AWS are the credentials with which a route signs requests to Bedrock; SessionToken
// is "" for those that last.
type AWS struct{ AccessKey, SecretKey, SessionToken, Region string }

// signer signs each request: a signature covers body and host, both of which the
// proxy may change.
type signer struct {
	base    http.RoundTripper
	keys    AWS
	maxBody int64
	v4      *v4.Signer
}

func newSigner(base http.RoundTripper, keys AWS, maxBody int64) *signer {
	return &signer{base, keys, maxBody, v4.NewSigner()}
}

// RoundTrip signs a request and sends it.
func (s *signer) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := s.body(r)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	k := aws.Credentials{AccessKeyID: s.keys.AccessKey, SecretAccessKey: s.keys.SecretKey, SessionToken: s.keys.SessionToken}
	if err := s.v4.SignHTTP(context.WithoutCancel(r.Context()), k, r, hex.EncodeToString(sum[:]), "bedrock", s.keys.Region, time.Now()); err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	return s.base.RoundTrip(r)
}

// body reads the body of a request and puts it back.
func (s *signer) body(r *http.Request) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	defer r.Body.Close() // in any case, as a RoundTripper has to
	body, err := io.ReadAll(io.LimitReader(r.Body, s.maxBody+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(body)) > s.maxBody:
		return nil, &hygeia.RefusedError{Status: http.StatusRequestEntityTooLarge, Err: errors.New("the body is too large to be signed")}
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return body, nil
}

// unsign takes the caller's signature away.
func unsign(r *http.Request) {
	if strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-") {
		r.Header.Del("Authorization")
	}
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Amz-") && name != "X-Amz-Target" {
			r.Header.Del(name)
		}
	}
}

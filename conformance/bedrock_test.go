package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/schemas"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/aws/smithy-go/transport/http/protocol/restjson1"
)

var bedrockSDK = sdk{
	name:   "aws-sdk-go-v2 bedrockruntime",
	decode: decodeBedrock,
	send: func(request any, b body, h *http.Client) error {
		in := *request.(*bedrockruntime.ConverseStreamInput)
		in.ModelId = &b.target.Model
		_, err := bedrockClient(home, h).ConverseStream(context.Background(), &in)
		return err
	},
}

// decodeBedrock reads a body. The SDK reads JSON in answers only, so the parts of
// a request are read as if they were answers; a request of CountTokens holds most
// of them.
func decodeBedrock(text []byte) (any, error) {
	var r types.ConverseTokensRequest
	if err := readShape(text, schemas.ConverseTokensRequest, &r); err != nil {
		return nil, err
	}
	in := &bedrockruntime.ConverseStreamInput{
		Messages: r.Messages, System: r.System, ToolConfig: r.ToolConfig, AdditionalModelRequestFields: r.AdditionalModelRequestFields,
	}
	var rest struct{ InferenceConfig json.RawMessage }
	if err := json.Unmarshal(text, &rest); err != nil {
		return nil, err
	}
	if rest.InferenceConfig != nil {
		in.InferenceConfig = new(types.InferenceConfiguration)
		if err := readShape(rest.InferenceConfig, schemas.InferenceConfiguration, in.InferenceConfig); err != nil {
			return nil, err
		}
	}
	return in, nil
}

func readShape(text []byte, schema *smithy.Schema, to smithy.Deserializable) error {
	answer := &smithyhttp.Response{Response: &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(text))}}
	op := smithy.NewOperationSchema(schemas.ConverseStream, nil, schema)
	return restjson1.New(nil).DeserializeResponse(context.Background(), op, nil, answer, to)
}

func bedrockClient(url string, h *http.Client) *bedrockruntime.Client {
	return bedrockruntime.New(bedrockruntime.Options{
		Region: "us-east-1", BaseEndpoint: &url, HTTPClient: h, Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("any", "any", ""),
	})
}

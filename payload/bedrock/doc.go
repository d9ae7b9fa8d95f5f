// Package bedrock builds the body of an Amazon Bedrock Converse request
// (ConverseStream takes the same body): Claude, Nova, Llama and other models.
//
// [Build] takes messages that the passes have sanitised and a policy that says
// how the model differs, and returns the JSON text of the body. The plan of the
// request (turns, pairing, thinking, the end of the list) is the one that the
// Anthropic family shares; this package tells tool history as text where no
// tool is offered (W-707) and spells the rest. What cannot go out, and what is
// put in, is recorded in the report of the input under the rules of [Rules].
//
// The body holds, in this order, inferenceConfig, system, toolConfig,
// additionalModelRequestFields and messages. It names no model: in the HTTP API
// modelId is part of the path (/model/ID/converse-stream, the id escaped), and
// the path also says whether the answer is streamed. Callers of an SDK put the
// target's model into modelId themselves. Bytes of images and of redacted
// thinking are base64, as JSON spells a blob.
//
// There are no sampling parameters and no toolChoice, since a session says
// nothing about them (W-207, W-217 hold by themselves), and no anthropic_beta:
// a beta is the choice of whoever sends, and a model that does not know it
// refuses the request.
package bedrock

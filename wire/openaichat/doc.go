// Package openaichat reads the body of a Chat Completions request: OpenAI's own
// and that of the many services, routers and local servers with the same format.
//
// System messages in front of the first turn are the system prompt and become no
// message; later ones become rows of type transcript.SystemRow. Reasoning in any of its
// members becomes a thinking block that names the member as its signature
// (W-115), entries of reasoning_details stay in it. Free text that a custom tool
// is called with becomes the argument "input" of a call that is marked custom.
// Pictures given as data URLs become images; links, audio, files and refusals
// stay content of this format.
package openaichat

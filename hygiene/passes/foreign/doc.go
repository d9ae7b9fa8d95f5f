// Package foreign keeps what another model thought out of the request.
//
// A thinking block belongs to the model that wrote it. An assistant turn whose
// provider, api or model differs from the target's after alias folding loses
// its thinking and redacted blocks, or, when the policy asks for it,
// has its readable thinking turned into plain text (W-113). Where one of the
// two models binds thinking to itself it always goes (W-116); there the model
// that the service named in responseModel is the one that counts. Signatures
// that stand on the text and on the calls of such a turn are removed (W-114).
//
// A turn that does not say where it comes from, or of which only some fields are
// known and none of them differs, is judged by its signatures alone: on formats
// whose signatures are opaque, JSON and the names of wire fields are never one,
// and a thinking block with such a signature goes (W-115). A turn of the same
// route is held to that too.
//
// A turn that held nothing else keeps its place with a text that says so
// (W-161). On the Responses family reasoning items, and the text signatures
// that belong to them, are left to the pass responses, which knows more about
// them (D-23).
package foreign

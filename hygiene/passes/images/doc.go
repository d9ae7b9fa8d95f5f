// Package images is the pass that sends pictures only where, and in the form in
// which, the target takes them.
//
// Each image block of user turns, tool results and assistant turns is brought
// into the one form of I-45: canonical base64 in data, the type that the bytes
// have in mimeType (I-13, I-B02, I-B03, W-102, W-103). A block that holds no
// picture, or one in a format that the target does not take, becomes a text that
// says so (I-10, I-12, I-B02). A picture behind a link is left to the converter:
// nothing here fetches anything.
//
// A model without image input gets a text for each run of pictures (W-101). When
// a request would hold more pictures than the target takes, or more bytes, the
// oldest become a text each (W-104).
//
// Bytes of pictures are looked at, not decoded. Making a picture smaller or
// giving it another format is the work of a [Reducer].
package images

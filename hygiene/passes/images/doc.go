// Package images is the pass that sends pictures only where, and in the form in
// which, the target takes them.
//
// Each image block of user turns, tool results and assistant turns is brought
// into the one form of I-45: canonical base64 in data, the type that the bytes
// have in mimeType (I-13, I-B02, I-B03, W-102, W-103). A picture that is longer
// on one side, larger in bytes or in pixels than the user and the target allow
// is made smaller; one in a format that the target does not take is converted
// (I-16…I-26). A block that holds no picture, or one that cannot be sent in any
// way, becomes a text that says so (I-10…I-12, I-28…I-31, I-B02). A picture
// behind a link is left to the converter: nothing here fetches anything.
//
// A model without image input gets a text for each run of pictures (W-101). When
// a request would hold more pictures than the target takes, or more bytes, the
// oldest become a text each (W-104).
//
// A picture that may go out as it is stays the same block, and costs a look at
// its header once. Pictures that have to be worked on are worked on at the same
// time, and results are remembered for later turns and other sessions (I-B06).
package images

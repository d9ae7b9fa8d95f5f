// Package provenance is the pass that marks turns from other sessions, so that
// the model does not take them for words of its user.
//
// A user turn whose provenance says inter_session, or a custom row that goes out as
// one, gets the marker of file 60 in front of its first text, in place
// of markers with other fields that lead it. A turn without text gets a block of its own (S-B04). A
// turn of several texts also gets a line that closes it (S-B05). What the text
// says about itself counts for nothing: only the metadata is trusted (S-B02).
package provenance

// Package imaging reads, judges and reduces the pictures that messages carry,
// so that every provider takes them (file 30 of the specification).
//
// Data gets in as the base64 text of a message. [Read] brings it into canonical
// form and finds out what it is; the declared media type is a hint for texts
// only. [Probe] reads the header, straight from the base64 text. [Limits.Judge]
// decides from the header alone whether a picture goes out as it is, which costs
// microseconds. What does not fit is decoded, made smaller and encoded again by
// a [Reducer], which bounds memory, runs pictures in parallel and remembers
// results. What cannot be sent comes back as an [Omission], whose text is fit to
// be shown to a model.
//
// The same picture and limits give the same bytes. Nothing here knows messages,
// providers or files.
package imaging

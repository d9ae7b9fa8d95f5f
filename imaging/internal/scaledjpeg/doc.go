// Package scaledjpeg decodes JPEG pictures straight to an half, a quarter or an
// eighth of their size, in about a third of the time that decoding them in full
// and scaling them takes.
//
// The bytes of a file go into [Decode]; out come the planes of a smaller
// picture. Each of its samples is the mean of the 2 × 2, 4 × 4 or 8 × 8 samples
// for which it stands: that mean is taken on the coefficients of a block, where
// it costs less than making the samples would.
//
// Only what nearly all cameras and programs write is read: sequential pictures
// of eight bits in one scan, grey or Y, Cb, Cr. Whatever else a file is, and
// whatever is wrong with it, is left to the full decoder by saying no.
package scaledjpeg

package emulator

import (
	"encoding/binary"
	"hash/crc32"
)

// header is a header of an event-stream message; all that Bedrock sends are
// strings.
type header struct{ name, value string }

// eventStreamMessage encodes one message of the AWS event stream
// (application/vnd.amazon.eventstream): a prelude of two lengths and their
// CRC-32, the headers, the payload, and a CRC-32 of all that. Names and values
// of headers are short texts of this package.
func eventStreamMessage(headers []header, payload []byte) []byte {
	const (
		prelude    = 12
		trailer    = 4
		stringType = 7
	)
	var h []byte
	for _, f := range headers {
		h = append(h, byte(len(f.name)))
		h = append(h, f.name...)
		h = append(h, stringType)
		h = binary.BigEndian.AppendUint16(h, uint16(len(f.value)))
		h = append(h, f.value...)
	}
	total := prelude + len(h) + len(payload) + trailer
	out := binary.BigEndian.AppendUint32(make([]byte, 0, total), uint32(total))
	out = binary.BigEndian.AppendUint32(out, uint32(len(h)))
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
	out = append(out, h...)
	out = append(out, payload...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
}

package projection

import "hygeia/transcript"

// AcknowledgesHeartbeat reports whether an answer to a heartbeat is the routine one
//
func AcknowledgesHeartbeat(m *transcript.Message) bool {
	return (&Projector{heartbeat: true}).acknowledges(m)
}

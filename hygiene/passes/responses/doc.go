// Package responses makes the turns of a list replayable on the Responses
// family.
//
// A reasoning item, which a thinking block carries as JSON in its signature, is
// left out if its own turn came from another route than the target's (R-81,
// D-23), if the turn holds nothing behind it that it led to, or if it has
// neither encrypted content nor an id that may be replayed (D-42). A turn
// without provider, api or model was made on the route that the branch used
// then, as its snapshots say; without snapshots nothing tells that it
// was another one. Where items go with a route, the text of the turn loses the
// id of its message and keeps the phase. A turn that is left empty goes.
//
// Ids become legal and unique, call part and item part each for itself:
// what is legal stays, the rest is rebuilt from the old id, a repetition from
// the id and its number (D-24). A call in front of the first reasoning item of
// its turn loses its item part, since the items belong together. Results
// carry the ids of their calls.
package responses
